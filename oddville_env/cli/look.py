"""`oddville perft`, `tables`: the rules and the encodings, counted and printed."""

import time
from typing import Annotated

import typer

from oddville_env.cli.options import DEFAULT_TABLE, CardFolder, Columns, Players, Seed
from oddville_env.errors import SettingError
from oddville_env.game import Game
from oddville_env.perft import perft as count_lines
from oddville_env.printed import TABLES
from oddville_env.settings import whole_number

DEEPEST = 12


def add_to(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command()(perft)
    app.command()(tables)


def perft(
    depth: Annotated[int, typer.Option(help="How many moves deep.")] = 5,
    players: Players = 2,
    seed: Seed = 0,
    table: Columns = DEFAULT_TABLE,
    cards: CardFolder = None,
) -> None:
    """Count the lines of legal moves from a deal, for each depth up to the one asked for."""
    whole_number("depth", depth, 1, DEEPEST)
    game = Game(players, seed, table=table, cards=cards)
    for reached in range(1, depth + 1):
        start = time.perf_counter()
        lines = count_lines(game, reached)
        typer.echo(f"depth {reached}: {lines:,} lines in {time.perf_counter() - start:.2f} s")


def tables(name: Annotated[str, typer.Argument(help="One of " + ", ".join(TABLES))]) -> None:
    """Print a table of the documentation: moves, observations, state, rules."""
    if name not in TABLES:
        raise SettingError(f"there is no table {name!r}, expected {', '.join(TABLES)}")
    typer.echo(TABLES[name]())
