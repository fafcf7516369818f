"""`oddville analyse`: what an agent thinks of a recorded position. It finds `oddville_agents` at run time."""

import json
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from oddville_env.cli.options import CardFolder, File, Index
from oddville_env.cli.records import check_picture, game_of, write_picture
from oddville_env.core.errors import RecordError
from oddville_env.core.files import check_writable, written_whole

Number = Annotated[int, typer.Option("--move", help="Which decision, numbered from 1 as `replay` does.")]
Agent = Annotated[str, typer.Option(help="The search that thinks, e.g. search:ms=5000 or search:sims=20000.")]
Picture = Annotated[Path | None, typer.Option(help="Draw the position with the candidates: .svg, or .png.")]


def add_to(app: typer.Typer) -> None:
    """Add the command of this file."""
    app.command()(analyse)


def analyse(
    file: File,
    move: Number,
    index: Index = 0,
    agent: Agent = "search:ms=1000",
    seed: Annotated[int, typer.Option(help="Seed of the search's own chance.")] = 0,
    out: Picture = None,
    json_out: Annotated[Path | None, typer.Option("--json", help="Write the candidates to this file.")] = None,
    cards: CardFolder = None,
) -> None:
    """Show what a search thinks of a recorded decision: visits, chances to win and the expected line of each move."""
    if out is not None:
        check_picture(out)
    for path in (out, json_out):
        if path is not None:
            check_writable(path)
    analysis = import_module("oddville_agents.oddville.analysis")
    game = game_of(file, index, cards)
    if not 1 <= move <= len(game.moves):
        raise RecordError(f"{file}: the game has {len(game.moves)} moves, --move must be from 1 to that, not {move}")
    while len(game.moves) >= move:
        played = game.pop()
    with Console(stderr=True).status(f"{agent} thinks"):
        found = analysis.analyse(game, agent, seed, played.word)
    title = f"move {move}, seat {found.seat} to move: {found.iterations:,} iterations in {found.seconds:.2f} s"
    Console().print(analysis.table(found, title))
    if out is not None:
        write_picture(out, analysis.picture(found, game))
    if json_out is not None:
        with written_whole(json_out) as unfinished:
            json.dump(found.as_json(), unfinished, indent=1)
