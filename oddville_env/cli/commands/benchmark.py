"""`benchmark`: an agent against the benchmark suite of a game."""

from typing import Annotated

import typer

from oddville_env.cli.options import PROCESSES, Workers, argument, option, tournament_module
from oddville_env.cli.tournaments import FAILURES, Kept, executor_of, run_folder, run_shown
from oddville_env.core.game.game_type import GameType


def benchmark(
    game_type: GameType,
    agent: Annotated[str, argument("Agent to measure, as `agents` lists them.")],
    version: Annotated[str, option("Version of the suite.", "--suite")] = "v1",
    workers: Workers = None,
    out: Kept = None,
) -> None:
    """Play an agent against the fixed benchmark suite and print its row of the table."""
    module = tournament_module("tournament.suite")
    suite = module.suite_of(game_type, version)
    with run_folder(out) as folder:
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
