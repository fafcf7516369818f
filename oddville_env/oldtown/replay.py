"""Files of records: replaying them, and telling each decision of a game."""

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from oddville_env.core.errors import RecordError
from oddville_env.core.files import opened
from oddville_env.oldtown.game import OldTown
from oddville_env.oldtown.settings import Cards


def lines_of(file: Path) -> Iterator[tuple[int, str]]:
    """(line number from 1, text) of every line that is not empty; raises RecordError where the file cannot be read."""
    try:
        with opened(file) as text:
            yield from ((number, line) for number, line in enumerate(text, 1) if line.strip())
    except (EOFError, UnicodeError, zlib.error, gzip.BadGzipFile) as error:
        raise RecordError(f"{file}: it cannot be read to its end ({error}): it may have been cut off") from None


def game_of(file: Path, index: int, deck: Cards = None) -> OldTown:
    """The index-th game of a file; raises RecordError."""
    found = -1
    for found, (number, line) in enumerate(lines_of(file)):
        if found == index:
            try:
                return OldTown.from_record(line, deck)
            except RecordError as error:
                raise RecordError(f"{file}, line {number}: {error}") from None
    if found < 0:
        raise RecordError(f"{file}: there is no record in it")
    raise RecordError(f"{file}: there is no game {index}, expected 0 to {found}")


def decisions(game: OldTown) -> Iterator[dict[str, Any]]:
    """For every move so far: the full position, the legal words, and the move."""
    moves, again = game.moves, game.copy()
    for _ in moves:
        again.pop()
    for move in moves:
        yield {"position": again.position(), "legal": again.legal_moves.words(), "move": move.word}
        again.push(move)


def positions(file: Path, index: int = 0, deck: Cards = None) -> Iterator[str]:
    """`replay --positions`: a line of JSON for every decision of a game; raises RecordError."""
    return (json.dumps(decision) for decision in decisions(game_of(file, index, deck)))
