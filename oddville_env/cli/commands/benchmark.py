"""`benchmark`: an agent against the frozen suite of a game."""

import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from oddville_env.cli.options import PROCESSES, Workers, tournament_module
from oddville_env.cli.tournaments import FAILURES, executor_of, run_shown
from oddville_env.core.game.game_type import GameType


def benchmark(
    game_type: GameType,
    agent: Annotated[str, typer.Argument(help="The agent, by its spec.")],
    version: Annotated[str, typer.Option("--suite", help="Which suite of the game, by its version.")] = "v1",
    workers: Workers = None,
    out: Annotated[Path | None, typer.Option(help="Keep the runs in this folder, to go on with them.")] = None,
) -> None:
    """Hold an agent against the frozen benchmark suite, and print its row of the table."""
    module = tournament_module("tournament.suite")
    suite = module.suite_of(game_type, version)
    with ExitStack() as stack:
        folder = out or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for name, config in module.runs(agent, suite, game_type).items():
            run_shown(
                config, folder / name, executor_of(PROCESSES, workers), {"formats": ["benchmark"]}, kept=out is not None
            )
        measured = module.measure(agent, folder, suite)
    typer.echo(module.head(suite), err=True)
    typer.echo(module.row(measured))
    for name, games in measured.failures.items():
        typer.echo(f"games lost by a failure of {name}: {games}", err=True)
    if measured.failures:
        raise typer.Exit(FAILURES)
