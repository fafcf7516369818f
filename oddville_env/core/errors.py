"""The errors that people meet: each says in a sentence what was wrong and what was expected."""

import os
import reprlib
from collections.abc import Iterable, Sequence
from typing import Any

LONGEST = 50  # characters of a text, and digits of a number, that a message quotes
LONGEST_PATH = 255
LONGEST_LIST = 8
SHOWN_PROBLEMS = 10


class GameError(ValueError):
    """Base class of the package's errors."""


class ProblemsError(GameError):
    """A file that is not as it must be; `problems` holds every mistake found in it, in order, at least one."""

    def __init__(self, problems: Iterable[Any]) -> None:
        self.problems = tuple(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        """The first problems, one a line, and how many more there are."""
        return "\n".join(first_of(self.problems))


def first_of(problems: Sequence[Any]) -> list[str]:
    """The first problems, and how many more there are."""
    unshown = len(problems) - SHOWN_PROBLEMS
    return [*map(str, problems[:SHOWN_PROBLEMS]), *([f"and {unshown} more"] if unshown > 0 else [])]


class SettingError(GameError):
    """A setting that no game can have: players, table, rounds, seed, a hidden order."""


class NotationError(GameError):
    """A word that cannot be read."""


class IllegalMoveError(GameError):
    """A move that can be read but not played now."""


class RecordError(GameError):
    """A record that is not one, or that does not replay."""


def shown_path(path: str | os.PathLike[str]) -> str:
    """A path as a message names it: on one line, and cut where it is too long to be one."""
    name = os.fspath(path)
    name = name if len(name) <= LONGEST_PATH else name[:LONGEST_PATH] + "…"
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in name)


def shown(value: object) -> str:
    """A value as a message quotes it: on one line, and cut where it is long."""
    return " ".join(_short.repr(value).split())


def named(value: object) -> str:
    """The same for what a sentence is about: a text without its quotation marks."""
    return shown(value)[1:-1] if isinstance(value, str) else shown(value)


class _Short(reprlib.Repr):
    """The library's short writing of values, its limits and its way to cut ours."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlist = self.maxtuple = self.maxdict = self.maxset = LONGEST_LIST
        self.maxother = LONGEST

    def repr_str(self, text: str, level: int) -> str:
        """The beginning of a text."""
        return repr(text if len(text) <= LONGEST else text[:LONGEST] + "…")

    def repr_int(self, number: int, level: int) -> str:
        """A number; Python itself refuses to write one of many thousands of digits."""
        digits = int(abs(number).bit_length() * 0.30103) + 1
        return str(number) if digits <= LONGEST else f"a number of {digits} digits"


_short = _Short()
