"""`analyse`: what an agent thinks of a recorded position. It finds `oddville_agents` at run time."""

from pathlib import Path
from typing import Annotated

import typer

from oddville_env.cli.options import File, Index, JsonOut, Settings
from oddville_env.cli.output import check_out, terminal, write_json
from oddville_env.cli.records import check_picture, game_of, write_picture
from oddville_env.core.errors import RecordError
from oddville_env.core.game.game_type import GameType
from oddville_env.core.system.lazy_packages import find_agents

Number = Annotated[int, typer.Option("--move", help="Which decision, numbered from 1 as `replay` does.")]
Agent = Annotated[str, typer.Option(help="The search that thinks, e.g. search:ms=5000 or search:sims=20000.")]
Picture = Annotated[
    Path | None,
    typer.Option(help="Draw the position with the candidates: .svg, .png, or - for SVG."),
]


def analyse(
    game_type: GameType,
    file: File,
    move: Number,
    index: Index = 0,
    agent: Agent = "search:ms=1000",
    seed: Annotated[int, typer.Option(help="Seed of the search's own chance.")] = 0,
    out: Picture = None,
    json_out: JsonOut = None,
    data: Settings = {},  # noqa: B006  (nobody writes into it)
) -> None:
    """Show what a search thinks of a recorded decision: visits, chances to win and the expected line of each move."""
    if out is not None:
        check_picture(out)
    check_out(out, json_out)
    analysis = find_agents("play.analysis")
    game = game_of(game_type, file, index, data)
    if not 1 <= move <= len(game.moves):
        raise RecordError(f"{file}: the game has {len(game.moves)} moves, --move must be from 1 to that, not {move}")
    while len(game.moves) >= move:
        played = game.pop()
    with terminal(err=True).status("thinking"):
        found = analysis.analyse(game, agent, seed, played.word)
    title = f"move {move}, seat {found.seat} to move: {found.iterations:,} iterations in {found.seconds:.2f} s"
    terminal(out, json_out).print(analysis.table(found, title))
    if out is not None:
        write_picture(out, analysis.picture(found, game))
    if json_out is not None:
        write_json(json_out, found.as_json())
