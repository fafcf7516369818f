"""`ladder`: the built-in agents against each other."""

import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from oddville_env.cli.options import PROCESSES, Workers, tournament_module
from oddville_env.cli.tournaments import Blocks, RunSeed, Several, executor_of, player_counts, run_shown, show_results
from oddville_env.core.game.game_type import GameType


def ladder(
    game_type: GameType,
    players: Several = ["2"],  # noqa: B006  (typer reads it once)
    blocks: Blocks = 50,
    seed: RunSeed = 0,
    workers: Workers = None,
    out: Annotated[Path | None, typer.Option(help="Keep the run in this folder.")] = None,
) -> None:
    """Play the built-in agents against each other on equal deals: how often each wins, and how long it thinks."""
    specs = tournament_module("tournament.suite").rungs(game_type)
    config = tournament_module("tournament.config").tournament_config(
        specs, player_counts(players), blocks, seed, game=game_type
    )
    with ExitStack() as stack:
        folder = out or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        run_shown(config, folder, executor_of(PROCESSES, workers), {"formats": ["ladder"]}, kept=out is not None)
        show_results(folder)
