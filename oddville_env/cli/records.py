"""`oddville verify`, `replay`, `draw`: files of records."""

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track

from oddville_env.cli.options import CardFolder, File, Index
from oddville_env.core.errors import RecordError, SettingError
from oddville_env.core.files import opened, written_whole
from oddville_env.oddville.game import Game

PICTURES = (".svg", ".png")


def add_to(app: typer.Typer) -> None:
    """Add the commands of this file."""
    for command in (verify, replay, draw):
        app.command()(command)


def lines_of(file: Path) -> Iterator[tuple[int, str]]:
    """(line number from 1, text) of every line that is not empty; raises RecordError where the file cannot be read."""
    try:
        with opened(file) as text:
            yield from ((number, line) for number, line in enumerate(text, 1) if line.strip())
    except (EOFError, UnicodeError, zlib.error, gzip.BadGzipFile) as error:
        raise RecordError(f"{file}: it cannot be read to its end ({error}): it may have been cut off") from None


def game_of(file: Path, index: int, cards: Path | None) -> Game:
    """The index-th game of a file; raises RecordError."""
    found = -1
    for found, (number, line) in enumerate(lines_of(file)):
        if found == index:
            try:
                return Game.from_record(line, cards)
            except RecordError as error:
                raise RecordError(f"{file}, line {number}: {error}") from None
    if found < 0:
        raise RecordError(f"{file}: there is no record in it")
    raise RecordError(f"{file}: there is no game {index}, expected 0 to {found}")


def verify(file: File, cards: CardFolder = None) -> None:
    """Replay each record and compare moves, scores and ranks; say what differs."""
    bad = good = 0
    for number, line in track(list(lines_of(file)), "replaying", console=Console(stderr=True), transient=True):
        try:
            Game.from_record(line, cards)
            good += 1
        except RecordError as error:
            bad += 1
            typer.echo(f"{file}, line {number}: {error}", err=True)
    if not good + bad:
        raise RecordError(f"{file}: there is no record in it")
    typer.echo(f"{file}: {good} of {good + bad} records replay to the same end")
    if bad:
        raise typer.Exit(1)


def replay(
    file: File,
    index: Index = 0,
    positions: Annotated[bool, typer.Option(help="One line of JSON for each decision, before it is played.")] = False,
    cards: CardFolder = None,
) -> None:
    """Show a recorded game move by move."""
    game = game_of(file, index, cards)
    moves = game.moves
    for _ in moves:
        game.pop()
    for number, move in enumerate(moves, 1):
        if positions:
            legal = game.legal_moves.words()
            typer.echo(json.dumps({"position": game.position(), "legal": legal, "move": move.word}))
        else:
            typer.echo(f"{number:4}  seat {game.to_move}  {move.word}")
        game.push(move)
    if not positions and game.outcome:
        typer.echo(f"scores {list(game.outcome.scores)}, ranks {list(game.outcome.ranks)}")


def draw(
    file: File,
    out: Annotated[Path, typer.Option(help="The picture: .svg, or .png with the extra `render`.")],
    index: Index = 0,
    move: Annotated[int | None, typer.Option(help="After so many moves; all of them if it is left out.")] = None,
    cards: CardFolder = None,
) -> None:
    """Draw a position of a recorded game."""
    check_picture(out)
    game = game_of(file, index, cards)
    if move is not None and not 0 <= move <= len(game.moves):
        raise RecordError(f"the game has {len(game.moves)} moves, --move must be from 0 to that, not {move}")
    while move is not None and len(game.moves) > move:
        game.pop()
    write_picture(out, game.svg())


def check_picture(out: Path) -> None:
    """Raises SettingError where the name is not one of a picture."""
    if out.suffix not in PICTURES:
        raise SettingError(f"--out must end in {' or '.join(PICTURES)}, not {out.name!r}")


def write_picture(out: Path, svg: str) -> None:
    """Write an SVG, as what the file's name asks for."""
    picture = svg.encode()
    if out.suffix == ".png":
        from oddville_env.envs.render import png

        picture = png(svg)
    with written_whole(out, "wb") as unfinished:
        unfinished.write(picture)
    typer.echo(f"drawn to {out}")
