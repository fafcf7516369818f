"""`analyse`: how an agent judges the moves of a recorded position."""

from pathlib import Path
from typing import Annotated

from oddville_env.cli.options import NONE, File, Index, JsonOut, Settings, option
from oddville_env.cli.output import check_out, terminal, write_json
from oddville_env.cli.records import check_picture, game_of, write_picture
from oddville_env.core.errors import RecordError
from oddville_env.core.game.game_type import GameType
from oddville_env.core.system.lazy_packages import find_agents

Number = Annotated[int, option("Number of the decision, from 1, as `replay` shows it.", "--move")]
Agent = Annotated[str, option("Agent that judges the moves, e.g. search:ms=5000 or search:sims=20000.")]
Picture = Annotated[Path | None, option("Draw the position with the best moves: a .svg or .png file; - prints SVG.")]


def analyse(
    game_type: GameType,
    file: File,
    move: Number,
    index: Index = 0,
    agent: Agent = "search:ms=1000",
    seed: Annotated[int, option("Seed of the agent.")] = 0,
    out: Picture = None,
    json_out: JsonOut = None,
    data: Settings = NONE,
) -> None:
    """Analyse a recorded decision: visits, win probability and expected line of each move."""
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
