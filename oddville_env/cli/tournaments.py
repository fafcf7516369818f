"""Options, workers and the progress of tournaments, for all commands about them."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from oddville_env.cli.lists import numbers_of
from oddville_env.cli.options import PROCESSES, RAY, tournament_module
from oddville_env.cli.output import terminal
from oddville_env.core.errors import SettingError

FAILURES, INTERRUPTED = 3, 130  # exit codes

Several = Annotated[list[str], typer.Option("--players", help="How many play: 2, 3, 4, or several as 2,3.")]
Blocks = Annotated[int, typer.Option(help="Deals; every line-up plays each of them in all seats.")]
RunSeed = Annotated[int, typer.Option("--seed", help="Seed of the deals and of the agents' own chance.")]


def player_counts(players: list[str]) -> list[int]:
    """`["2,3", "4"]` -> [2, 3, 4]."""
    return numbers_of("players", players, "2, 3, 4, or several as 2,3")


def executor_of(name: str, workers: int | None, address: str | None = None) -> Any:
    """The function that makes the executor; raises SettingError."""
    executors = tournament_module("tournament.executors")
    if name == RAY:
        return executors.on_ray(workers, address)
    if name != PROCESSES or address is not None:
        raise SettingError(f"--executor must be {PROCESSES} or {RAY}, and --address is for {RAY} only")
    return executors.on_this_machine(workers)


def run_shown(
    config: Any, folder: Path, executor: Any, more: dict[str, Any], test: Any = None, kept: bool = True
) -> Any:
    """Play a run and show how it goes; its manifest. Ctrl-C ends the program; kept: the folder stays."""
    with tournament_module("tournament.scoreboard").Scoreboard(config, terminal(err=True)) as board:
        try:
            return tournament_module("tournament.tournament").run(config, folder, executor, board.add, test, more)
        except KeyboardInterrupt:
            board.stop()
            fate = "which are kept: the same command goes on" if kept else "which are lost: --out would keep them"
            typer.echo(f"stopped after {board.blocks} blocks, {fate}", err=True)
            raise typer.Exit(INTERRUPTED) from None


def show_results(folder: Path) -> bool:
    """Show how a run ended; whether an agent failed."""
    results = tournament_module("tournament.store.results").read_results(folder)
    for table in tournament_module("tournament.scoreboard").tables(results):
        Console().print(table)
    return bool(results["failure"].is_not_null().any())
