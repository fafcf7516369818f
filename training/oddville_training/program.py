"""Modules of this package as programs, and their progress bars."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from oddville_env.core.errors import GameError
from oddville_env.core.system.interrupts import listening
from oddville_env.core.system.progress import console_if

Out = Annotated[Path, typer.Option(help="Write the weights to this file.")]
Players = Annotated[int, typer.Option(help="Number of players: 2, 3 or 4.")]
Seed = Annotated[int, typer.Option(help="Random seed.")]
"""Options that commands of this package share."""


def run(command: Callable[..., None]) -> None:
    """Run a command; what a person did wrong ends it with one sentence and exit code 1."""
    try:
        with listening():
            typer.run(command)
    except (GameError, OSError) as error:
        Console(stderr=True).print(f"[bold red]error:[/] {escape(str(error))}", highlight=False, soft_wrap=True)
        sys.exit(1)


def meter(unit: str, shown: bool = True) -> Progress:
    """A bar of units of work that are done, on standard error, or nothing at all."""
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TextColumn(unit))
    return Progress(*columns, TimeRemainingColumn(), console=console_if(shown))
