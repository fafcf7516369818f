"""How a module of this package runs as a program."""

import sys
from collections.abc import Callable

import typer
from rich.console import Console
from rich.markup import escape

from oddville_env.errors import OddVilleError


def run(command: Callable[..., None]) -> None:
    """Run a command; what a person did wrong ends it with one sentence and exit code 1."""
    try:
        typer.run(command)
    except (OddVilleError, OSError) as error:
        Console(stderr=True).print(f"[bold red]error:[/] {escape(str(error))}", highlight=False, soft_wrap=True)
        sys.exit(1)
