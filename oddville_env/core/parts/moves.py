"""Moves: kinds and their words, moves as people give them (a word, a `Move` or an id), and the legal ones."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property, lru_cache
from itertools import accumulate, product
from math import prod
from typing import Any, Generic, NamedTuple, TypeVar

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


def is_id(move: object) -> bool:
    """It is meant as an id: a whole number, which a truth value is not."""
    return isinstance(move, int | np.integer) and not isinstance(move, bool)


class WordedMove(NamedTuple):
    """The base of a game's moves: a kind and its parts; a subclass has `parse` and `word`."""

    kind: Any
    parts: tuple[Any, ...] = ()

    @property
    def word(self) -> str:
        """The word of the law that says it."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self.word

    def __repr__(self) -> str:
        return f"Move.parse({self.word!r})"


HEAD = re.compile("[:@]")
"""The end of the first part of a word or a form."""


@dataclass(frozen=True, eq=False)
class Notation:
    """How the moves of a game are written and numbered. A layout has starts (of the kinds), factors (span -> the
    sizes of its parts), parts (of all ids) and size.

    A part has a value, as the game's `Move` holds it, and a number, counted from 0.
    """

    spans: Sequence[Span[Any]]
    patterns: Mapping[str, str]
    """The regular expression of each part."""
    meanings: Mapping[str, str]
    """Each part in words, for errors."""
    moves: type[Any]
    """The class of moves: (kind, parts), with `parse`."""
    value: Callable[[Any, str, Sequence[int], int], Any]
    """(layout, name of the part, numbers of all parts, index) -> the value of the part at this index."""

    @cached_property
    def _readers(self) -> list[tuple[Span[Any], re.Pattern[str]]]:
        return [(span, span.pattern(self.patterns)) for span in self.spans]

    def read(self, word: object) -> tuple[Span[Any], tuple[str, ...]]:
        """The kind of a word, and the texts of its parts; raises NotationError."""
        if isinstance(word, str):
            for span, pattern in self._readers:
                if found := pattern.fullmatch(word):
                    return span, found.groups()
        raise NotationError(f"cannot read the move {shown(word)}, expected {self._expected(word)}")

    def _expected(self, word: object) -> str:
        """The forms of the kind that the word seems to begin with, or all."""
        forms = [span.form for span in self.spans]
        start = HEAD.split(word)[0] if isinstance(word, str) else ""
        near = get_close_matches(start, {HEAD.split(form)[0] for form in forms}, n=1, cutoff=0.6)
        if not near:
            return f"one of {', '.join(forms)}"
        fitting = " or ".join(form for form in forms if HEAD.split(form)[0] == near[0])
        meanings = [self.meanings[name] for name in dict.fromkeys(PART.findall(fitting))]
        return fitting + (f" with {' and '.join(meanings)}" if meanings else "")

    def meaning(self, meanings: Mapping[Any, str], word: str) -> str:
        """The meaning of a word, by the meaning of each kind, in which {0}, {1}, ... stand for the parts."""
        span, parts = self.read(word)
        return meanings[span.kind].format(*parts)

    def move_of(self, layout: Any, action: int) -> Any:
        """The move of an id."""
        kind, *numbers = layout.parts[action]
        span = self.spans[kind]
        parts = (self.value(layout, name, numbers, index) for index, name in enumerate(span.factors))
        return self.moves(span.kind, tuple(parts))

    def action_of(self, layout: Any, move: Any) -> int | None:
        """The id of a word, a move or an id, None where the layout has none; raises NotationError."""
        if is_id(move):
            return int(move) if 0 <= move < layout.size else None
        word, known = move, self._ids(layout)
        if isinstance(move, self.moves):
            try:
                word = move.word
                if word in known and self.move_of(layout, known[word]) == move:
                    return known[word]
            except (TypeError, ValueError, LookupError):
                raise NotationError(
                    f"no move has the kind {shown(move.kind)} and the parts {shown(move.parts)}"
                ) from None
        elif isinstance(word, str) and word in known:
            return known[word]
        self.read(word)
        return None

    @lru_cache(maxsize=64)  # noqa: B019
    def words(self, layout: Any) -> tuple[str, ...]:
        """The word of every id."""
        return tuple(self.move_of(layout, action).word for action in range(layout.size))

    @lru_cache(maxsize=64)  # noqa: B019
    def _ids(self, layout: Any) -> dict[str, int]:
        return {word: action for action, word in enumerate(self.words(layout))}
