"""`cards`: look at the cards of a game, and begin a set of your own."""

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from oddville_env.cli.app import App
from oddville_env.cli.output import terminal
from oddville_env.core.disk.files import written_whole
from oddville_env.core.disk.folders import write_folder
from oddville_env.core.errors import GameError, SettingError, shown_path
from oddville_env.core.game.game_type import GameType
from oddville_env.core.game.seeds import check_seed

Where = Annotated[Path | None, typer.Argument(help="Where a card set lies; the base set if it is left out.")]


def add_to(app: App) -> None:
    """Add the commands of this file as a group, for games that have cards."""
    if app.game_type.cards is None:
        return
    group = App(app.game_type, help="Card sets: check those that you typed in.")
    for command in (check, copy):
        group.command()(command)
    if app.game_type.cards.drawn is not None:
        group.command("draw", epilog=f"Example: {app.game_type.name} cards draw my_cards --seed 7")(draw)
    app.add_typer(group, name="cards")


def check(game_type: GameType, path: Where = None) -> None:
    """Say all that is wrong with a card set, or sum it up."""
    cards, path = game_type.cards, path or game_type.cards.base
    try:
        found = cards.load(path)
    except GameError as error:
        for problem in getattr(error, "problems", [error]):
            typer.echo(str(problem), err=True)
        raise typer.Exit(1) from None
    typer.echo(f"{path} is a {cards.noun}, digest {found.digest[:12]}; of its {cards.counted}")
    table = Table(box=None, show_header=False)
    for name, counts in cards.summary(found).items():
        table.add_row(f"by {name}", ", ".join(f"{word} {number}" for word, number in counts.items()))
    terminal().print(table)


def copy(
    game_type: GameType, path: Annotated[Path, typer.Argument(help="A name that is not there yet, or an empty folder.")]
) -> None:
    """Copy the base set, to write cards of your own into it."""
    base = game_type.cards.base
    if base.is_dir():
        write_folder(path, {file.name: file.read_bytes() for file in sorted(base.iterdir())})
    elif path.exists():
        raise SettingError(f"{shown_path(path)} is there already")
    else:
        with written_whole(path, "wb") as file:
            file.write(base.read_bytes())
    typer.echo(f"the base set is copied to {path}: change it, then {game_type.name} cards check {path}")


def draw(
    game_type: GameType,
    folder: Annotated[Path, typer.Argument(help="A folder that is not there yet, or is empty.")],
    seed: Annotated[int, typer.Option(help="Equal seeds draw equal sets.")] = 0,
) -> None:
    """Draw a new card set, as well balanced as the base set, and write it."""
    cards = game_type.cards.drawn(check_seed(seed))
    write_folder(folder, game_type.cards.files(cards))
    typer.echo(f"the set {cards.digest[:12]} is written to {folder}: {game_type.name} simulate --cards {folder}")
