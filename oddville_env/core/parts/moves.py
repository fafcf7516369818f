"""Moves: kinds and their words, moves as people give them (a word, a `Move` or an id), and the legal ones."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate, product
from math import prod
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import numpy as np

from oddville_env.core.errors import NotationError, SettingError, shown

Move = TypeVar("Move")


class LegalMoves(Generic[Move]):
    """The legal moves of a position: iterate over them, count them, ask with `in` for a word, a Move or an id."""

    def __init__(self, mask: np.ndarray, move: Callable[[int], Move], action: Callable[[Any], int | None]) -> None:
        """move: id -> the game's Move; action: word, Move or id -> id, None where there is none."""
        self._mask, self._move, self._action = mask, move, action

    def __iter__(self) -> Iterator[Move]:
        return iter(sorted(map(self._move, np.flatnonzero(self._mask).tolist()), key=str))

    def __len__(self) -> int:
        return int(self._mask.sum())

    def count(self) -> int:
        """The number of legal moves."""
        return len(self)

    def __contains__(self, move: Any) -> bool:
        try:
            action = self._action(move)
        except NotationError:
            return False
        return action is not None and bool(self._mask[action])

    def words(self) -> list[str]:
        """Their words, sorted."""
        return [str(move) for move in self]

    def __repr__(self) -> str:
        return f"<{len(self)} legal moves: {', '.join(self.words())}>"


PART = re.compile(r"{(\w+)}")
Kind = TypeVar("Kind")
"""The game's own kinds of moves, numbered in the order of the spans."""


class Span(NamedTuple, Generic[Kind]):
    """A kind of move: its word, with the names of its parts in braces, and its rule."""

    kind: Kind
    form: str
    rule: str

    @property
    def factors(self) -> tuple[str, ...]:
        """The names of the parts, in the order of the word."""
        return tuple(PART.findall(self.form))

    def spelled(self, parts: Iterable[object]) -> str:
        """The word with these parts; where there are too few, the others' names stay."""
        written = map(str, parts)
        return PART.sub(lambda name: next(written, name[0]), self.form)

    def pattern(self, parts: Mapping[str, str]) -> re.Pattern[str]:
        """The regular expression of the words, made of one for each part by its name."""
        return re.compile(PART.sub(lambda name: parts[name[1]], self.form))


def first_ids(sizes: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    """The first id of every kind, by the sizes of its parts, and behind the last the number of moves."""
    return tuple(accumulate(map(prod, sizes), initial=0))


def all_parts(sizes: Iterable[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
    """(kind, parts) of every id, parts that a kind does not have being 0."""
    return tuple((kind, *parts) for kind, each in enumerate(sizes) for parts in product(*map(range, each)))


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
