"""What the commands about records share."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from oddville_env.cli.options import Settings
from oddville_env.cli.output import is_standard_output, out_file
from oddville_env.core.disk.reading import numbered_lines
from oddville_env.core.errors import RecordError, SettingError, shown
from oddville_env.core.game.game_type import GameType

PICTURES = (".svg", ".png")


def game_of(game_type: GameType, file: Path, index: int, data: Settings) -> Any:
    """Return game number `index` of a file. Raises RecordError."""
    found = -1
    for found, (number, line) in enumerate(numbered_lines(file, RecordError)):
        if found == index:
            try:
                return game_type.game.from_record(line, **data)
            except RecordError as error:
                raise RecordError(f"{file}, line {number}: {error}") from None
    if found < 0:
        raise RecordError(f"{file}: there is no record in it")
    raise RecordError(f"{file}: there is no game {shown(index)}, expected 0 to {found}")


def positions_of(game: Any) -> Iterator[str | None]:
    """Replay a game from the deal; yields the word of the next move before each move, None at the end."""
    words = [move.word for move in game.moves]
    game.take_back(0)
    for word in words:
        yield word
        game.push(word)
    yield None


def take_back(game: Any, move: int) -> None:
    """Take moves back until `move` are left. Raises RecordError."""
    played = len(game.moves)
    if not 0 <= move <= played:
        raise RecordError(f"the game has {played} moves, --move must be from 0 to that, not {shown(move)}")
    game.take_back(move)


def check_picture(out: Path) -> None:
    """Raises SettingError for a file name that is not one of a picture."""
    if out.suffix not in PICTURES and not is_standard_output(out):
        raise SettingError(f"--out must end in {' or '.join(PICTURES)}, not {shown(out.name)}")


def write_picture(out: Path, svg: str) -> None:
    """Write an SVG in the format of the file name."""
    picture = svg.encode()
    if out.suffix == ".png":
        from oddville_env.envs.render import WIDTH, png

        picture = png(svg, WIDTH)
    with out_file(out, "wb") as unfinished:
        unfinished.write(picture)
    typer.echo(f"drawn to {out}", err=is_standard_output(out))
