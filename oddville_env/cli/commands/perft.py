"""`perft`: the number of lines of legal moves."""

import time
from typing import Annotated

import typer

from oddville_env.cli.options import NONE, Players, Seed, Settings, option
from oddville_env.core.checked.settings import whole_number
from oddville_env.core.game.game_type import GameType
from oddville_env.core.parts.entries import count_lines

DEEPEST = 12


def perft(
    game_type: GameType,
    depth: Annotated[int, option("Largest number of moves.")] = 5,
    players: Players = 2,
    seed: Seed = 0,
    settings: Settings = NONE,
) -> None:
    """Count the lines of legal moves from a deal, for every depth up to --depth (a test of the rules)."""
    whole_number("depth", depth, 1, DEEPEST)
    game = game_type.game(players, seed, **settings)
    for reached in range(1, depth + 1):
        start = time.perf_counter()
        lines = count_lines(game, reached)
        typer.echo(f"depth {reached}: {lines:,} lines in {time.perf_counter() - start:.2f} s")
