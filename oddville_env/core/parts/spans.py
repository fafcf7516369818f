"""Every move as a number: the kinds of a game's notation in order, each with the sizes of its parts."""

import re
from collections.abc import Iterable, Mapping
from itertools import accumulate, product
from math import prod
from typing import Generic, NamedTuple, TypeVar

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
