"""`oddville cards`: look at a card set."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from oddville_env.oddville.cards import CardError, load_cards
from oddville_env.oddville.cards.summary import summary

app = typer.Typer(help="Card sets: check the tables that you typed in.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    """Keep `check` a command of its own."""


@app.command()
def check(folder: Annotated[Path, typer.Argument(help="A folder with the five tables.")]) -> None:
    """Say all that is wrong with a card set, or sum it up."""
    try:
        cards = load_cards(folder)
    except CardError as error:
        for problem in error.problems:
            typer.echo(str(problem), err=True)
        raise typer.Exit(1) from None
    typer.echo(f"{folder} is a card set, digest {cards.digest[:12]}; of its buildings")
    table = Table(box=None, show_header=False)
    for name, counts in summary(cards).items():
        table.add_row(f"by {name}", ", ".join(f"{word} {number}" for word, number in counts.items()))
    Console().print(table)
