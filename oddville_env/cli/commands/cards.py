"""`cards`: check, copy and draw card sets."""

import errno
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from oddville_env.cli.app import add_command
from oddville_env.cli.options import argument, option
from oddville_env.cli.output import terminal
from oddville_env.core.checked import check_seed
from oddville_env.core.disk.files import folder_for_now, remove_unfinished, write_whole
from oddville_env.core.errors import GameError, SettingError, shown_path
from oddville_env.core.game.game_type import GameType

MOST_PROBLEMS = 100  # printed of one card set

Where = Annotated[Path | None, argument("Card set to check.", default="the base set")]


def group(game_type: GameType) -> typer.Typer | None:
    """The commands of a game that has cards."""
    if game_type.cards is None:
        return None
    cards = typer.Typer(no_args_is_help=True, help="Check, copy and draw card sets.")
    for command in (check, copy):
        add_command(cards, game_type, command)
    if game_type.cards.drawn is not None:
        add_command(cards, game_type, draw_cards, "draw")
    return cards


def check(game_type: GameType, path: Where = None) -> None:
    """Check a card set: list its mistakes, or summarise it."""
    cards, path = game_type.cards, path or game_type.cards.base
    try:
        found = cards.load(path)
    except GameError as error:
        problems = getattr(error, "problems", [error])
        for problem in problems[:MOST_PROBLEMS]:
            typer.echo(str(problem), err=True)
        if len(problems) > MOST_PROBLEMS:
            typer.echo(f"and {len(problems) - MOST_PROBLEMS} more", err=True)
        raise typer.Exit(1) from None
    typer.echo(f"{path} is a {cards.noun}, digest {found.digest[:12]}; of its {cards.counted}")
    table = Table(box=None, show_header=False)
    for name, counts in cards.summary(found).items():
        table.add_row(f"by {name}", ", ".join(f"{word} {number}" for word, number in counts.items()))
    terminal().print(table)


def copy(game_type: GameType, path: Annotated[Path, argument("New file or folder, or an empty folder.")]) -> None:
    """Copy the base set as a starting point for your own cards."""
    base = game_type.cards.base
    if base.is_dir():
        _write_folder(path, {file.name: file.read_bytes() for file in sorted(base.iterdir())})
    elif path.exists():
        raise SettingError(f"{shown_path(path)} is there already")
    else:
        write_whole(path, base.read_bytes())
    typer.echo(f"the base set is copied to {path}: edit it, then run {game_type.name} cards check {path}")


def draw_cards(
    game_type: GameType,
    folder: Annotated[Path, argument("New or empty folder.")],
    seed: Annotated[int, option("Seed of the set.")] = 0,
) -> None:
    """Draw a random card set that is balanced like the base set."""
    cards = game_type.cards.drawn(check_seed(seed))
    _write_folder(folder, game_type.cards.files(cards))
    typer.echo(f"the set {cards.digest[:12]} is written to {folder}: {game_type.name} simulate --cards {folder}")


def _write_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files into a folder that is new or empty; raises OSError for any other folder.

    Some of the files may be there already with the same content, from a process that was killed between two files.
    """
    with folder_for_now(folder):
        for name in files:
            remove_unfinished(folder, name)
        there = list(folder.iterdir())
        if len(there) == len(files) or not all(_holds(path, files.get(path.name)) for path in there):
            raise OSError(errno.ENOTEMPTY, "it is not empty, expected a new folder", str(folder))
        for name, content in files.items():
            write_whole(folder / name, content)


def _holds(path: Path, content: bytes | None) -> bool:
    same_size = content is not None and path.is_file() and path.stat().st_size == len(content)
    return same_size and path.read_bytes() == content
