"""`oddville cards`: look at a card set, and begin one of your own."""

import shutil
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from oddville_env.cli.output import terminal
from oddville_env.core.errors import SettingError, shown_path
from oddville_env.core.seeds import check_seed
from oddville_env.oddville.cards import BASE, CardError, draw_cards, load_cards, write_cards
from oddville_env.oddville.cards.summary import summary


def add_to(app: typer.Typer, group: typer.Typer) -> None:
    """Add the commands of this file as a group."""
    for command in (check, copy, draw):
        group.command()(command)
    app.add_typer(group, name="cards")


def check(folder: Annotated[Path, typer.Argument(help="A folder with the five tables.")] = BASE) -> None:
    """Say all that is wrong with a card set, or sum it up; the base set if none is named."""
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
    terminal().print(table)


def copy(folder: Annotated[Path, typer.Argument(help="A folder that is not there yet, or is empty.")]) -> None:
    """Copy the base set's five tables, to write cards of your own into them."""
    if folder.is_dir() and any(folder.iterdir()):
        raise SettingError(f"{shown_path(folder)} is not empty, expected a new folder")
    shutil.copytree(BASE, folder, dirs_exist_ok=True)
    typer.echo(f"the base set is copied to {folder}: change its tables, then oddville cards check {folder}")


def draw(
    folder: Annotated[Path, typer.Argument(help="A folder that is not there yet, or is empty.")],
    seed: Annotated[int, typer.Option(help="Equal seeds draw equal sets.")] = 0,
) -> None:
    """Draw a new card set, as well balanced as the base set, and write its five tables."""
    if folder.is_dir() and any(folder.iterdir()):
        raise SettingError(f"{shown_path(folder)} is not empty, expected a new folder")
    cards = draw_cards(check_seed(seed))
    write_cards(cards, folder)
    typer.echo(f"{folder} is a card set, digest {cards.digest[:12]}: oddville simulate --cards {folder} plays with it")
