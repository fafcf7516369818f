"""Moves as people give them: a word, a game's own `Move`, or an id."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Protocol, TypeVar

import numpy as np

from oddville_env.core.errors import NotationError, SettingError, shown
from oddville_env.core.parts.spans import Span


def several_moves(moves: object) -> Iterable[Any]:
    """The moves that a game is to begin with; raises SettingError."""
    if isinstance(moves, str) or not isinstance(moves, Iterable):
        raise SettingError(f"moves must be a list of words, not {shown(moves)}")
    return moves


class AnyMove(Protocol):
    """A game's `Move`."""

    @property
    def kind(self) -> Any:
        """The kind of the move, a member of the game's `Kind`."""

    @property
    def parts(self) -> Any:
        """The parts of the move, as many as its kind has."""

    @property
    def is_written(self) -> bool:
        """Its kind and parts are such that it has a word."""

    @classmethod
    def parse(cls, word: str) -> Any:
        """The move of a word; raises NotationError."""


def reader(
    spans: Sequence[Span[Any]], parts: Mapping[str, str], expected: Callable[[object], str]
) -> Callable[[object], tuple[Span[Any], tuple[str, ...]]]:
    """A reader of moves: word -> its kind, and the texts of its parts.

    parts: how each part is written, as a regular expression. expected: what a word that cannot be read may have meant:
    that is none; the reader raises NotationError with it.
    """

    @cache
    def patterns() -> list[tuple[Span[Any], re.Pattern[str]]]:
        return [(span, span.pattern(parts)) for span in spans]

    def read(word: object) -> tuple[Span[Any], tuple[str, ...]]:
        if isinstance(word, str):
            for span, pattern in patterns():
                if found := pattern.fullmatch(word):
                    return span, found.groups()
        raise NotationError(f"cannot read the move {shown(word)}, expected {expected(word)}")

    return read


def is_id(move: object) -> bool:
    """It is meant as an id: a whole number, which a truth value is not."""
    return isinstance(move, int | np.integer) and not isinstance(move, bool)


M = TypeVar("M", bound=AnyMove)


def action_of(move: Any, size: int, moves: type[M], id_of: Callable[[M], int | None]) -> int | None:
    """The id, 0 to size - 1, of a word, a move or an id, None where there is none; raises NotationError."""
    if is_id(move):
        return int(move) if 0 <= move < size else None
    if not isinstance(move, moves):
        move = moves.parse(str(move) if isinstance(move, bool) else move)
    elif not move.is_written:
        raise NotationError(f"no move has the kind {shown(move.kind)} and the parts {shown(move.parts)}")
    return id_of(move)
