"""The errors of the package, and how messages quote values."""

import os
import reprlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

LONGEST = 50  # characters of a text, and digits of a number, that a message quotes
LONGEST_PATH = 255
SHOWN_PROBLEMS = 10


class GameError(ValueError):
    """Base class of the package's errors."""


class ProblemsError(GameError):
    """A file with mistakes; `problems` holds all of them in order, at least one."""

    def __init__(self, problems: str | Iterable[Any]) -> None:
        self.problems = (problems,) if isinstance(problems, str) else tuple(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        """Return the first problems, one a line, and the number of the others."""
        return "\n".join(first_of(self.problems))


def first_of(problems: Sequence[Any]) -> list[str]:
    """Return the first problems, and a line with the number of the others."""
    unshown = len(problems) - SHOWN_PROBLEMS
    return [*map(str, problems[:SHOWN_PROBLEMS]), *([f"and {unshown} more"] if unshown > 0 else [])]


class SettingError(GameError):
    """An invalid setting, for example of players, table, rounds or seed."""


class NotationError(GameError):
    """A move that cannot be read."""


class IllegalMoveError(GameError):
    """A move that is not legal now."""


class RecordError(GameError):
    """A malformed record, or one that does not replay."""


@contextmanager
def located(where: object, error: type[GameError]) -> Iterator[None]:
    """Begin the message of an error in this block with where it was found."""
    try:
        yield
    except error as found:
        raise error(f"{where}: {found}") from None


def shown_path(path: str | os.PathLike[str]) -> str:
    """Return a path as messages name it: on one line, and shortened if it is too long for a path."""
    name = os.fspath(path)
    name = name if len(name) <= LONGEST_PATH else name[:LONGEST_PATH] + "…"
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in name)


def shown(value: object) -> str:
    """Return a value as messages quote it: on one line, and shortened if it is long."""
    return " ".join(_short.repr(value).split())


def named(value: object) -> str:
    """Return the same for the subject of a sentence: a text has no quotation marks."""
    return shown(value)[1:-1] if isinstance(value, str) else shown(value)


class _Short(reprlib.Repr):
    """`reprlib` with the limits of this module."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlist = self.maxtuple = self.maxdict = self.maxset = 8
        self.maxother = LONGEST

    def repr_str(self, text: str, level: int) -> str:
        return repr(text if len(text) <= LONGEST else text[:LONGEST] + "…")

    def repr_int(self, number: int, level: int) -> str:
        """Return a number, or how many digits it has: Python refuses to write thousands of digits."""
        digits = int(abs(number).bit_length() * 0.30103) + 1
        return str(number) if digits <= LONGEST else f"a number of {digits} digits"


_short = _Short()
