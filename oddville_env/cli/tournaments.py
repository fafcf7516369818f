"""What the commands about tournaments share: options, executors and progress."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from oddville_env.cli.lists import numbers_of
from oddville_env.cli.options import PROCESSES, RAY, option, tournament_module
from oddville_env.cli.output import terminal
from oddville_env.core.errors import SettingError

FAILURES, INTERRUPTED = 3, 130  # exit codes

Several = Annotated[list[str], option("Number of players: 2, 3, 4, or several as 2,3.", "--players")]
Kept = Annotated[Path | None, option("Folder to store the games in, so that the run can be resumed.")]
Blocks = Annotated[int, option("Deals per line-up; each is played once with every agent in every seat.")]
RunSeed = Annotated[int, option("Seed of the deals and the agents.", "--seed")]


def player_counts(players: list[str]) -> list[int]:
    """`["2,3", "4"]` -> [2, 3, 4]."""
    return numbers_of("players", players, "2, 3, 4, or several as 2,3")


@contextmanager
def run_folder(out: Path | None) -> Iterator[Path]:
    """The folder of a run: `out`, or a temporary one."""
    if out is not None:
        yield out
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def executor_of(name: str, workers: int | None, address: str | None = None) -> Any:
    """Return a function that makes the executor. Raises SettingError."""
    executors = tournament_module("tournament.executors")
    if name == RAY:
        return executors.on_ray(workers, address)
    if name != PROCESSES or address is not None:
        raise SettingError(f"--executor must be {PROCESSES} or {RAY}, and --address is for {RAY} only")
    return executors.on_this_machine(workers)


def run_shown(
    config: Any, folder: Path, executor: Any, more: dict[str, Any], test: Any = None, kept: bool = True
) -> Any:
    """Play a run with a progress display and return its manifest. Ctrl-C ends the program."""
    with tournament_module("tournament.scoreboard").Scoreboard(config, terminal(err=True)) as board:
        try:
            return tournament_module("tournament.tournament").run(config, folder, executor, board.add, test, more)
        except KeyboardInterrupt:
            board.stop()
            fate = "which are stored: the same command resumes" if kept else "which are lost: use --out to store them"
            typer.echo(f"stopped after {board.blocks} blocks, {fate}", err=True)
            raise typer.Exit(INTERRUPTED) from None


def show_results(folder: Path) -> bool:
    """Print the results of a run; returns whether an agent failed."""
    results = tournament_module("tournament.store.results").read_results(folder)
    for table in tournament_module("tournament.scoreboard").tables(results):
        Console().print(table)
    return bool(results["failure"].is_not_null().any())
