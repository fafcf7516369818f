"""Every move as a number: `SPANS` lists the kinds of OLDTOWN.md's notation in order, each with its factors.

Ids, encoding, decoding, words and the printed table come from it. Ids are append-only: a policy trained on one layout
plays any later version that keeps the layout's digest.
"""

import hashlib
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts.moves import Span, all_parts, first_ids
from oddville_env.core.parts.values import Word
from oddville_env.oldtown.cards.words import A_CARDS, B_CARDS, BUILDINGS, C_CARDS, CARDS, LOTS

from .state import Stack

PARTS = 2  # the most factors a kind has
FACTORS = {
    "building": BUILDINGS, "a": A_CARDS, "b": B_CARDS, "c": C_CARDS, "other": BUILDINGS - 1, "card": CARDS,
    "lot": LOTS, "stack": len(Stack),
}  # fmt: skip
"""The number of values of each part of a move; `other` counts the buildings but the card's own."""


class Kind(Word):
    """The kinds of moves; the three kinds of play are one word for people."""

    TAKE, PLAY_A, PLAY_B, PLAY_C, SHOW, REMOVE, DRAW, PASS = range(8)


SPANS = (
    Span(Kind.TAKE, "take:{building}", "B2"),
    Span(Kind.PLAY_A, "play:{a}", "P5"),
    Span(Kind.PLAY_B, "play:{b}:{building}", "P5"),
    Span(Kind.PLAY_C, "play:{c}:{other}", "P5"),
    Span(Kind.SHOW, "show:{card}", "Q2"),
    Span(Kind.REMOVE, "remove:{building}@{lot}", "Q3"),
    Span(Kind.DRAW, "draw:{stack}", "D2"),
    Span(Kind.PASS, "pass", "T4"),
)


def sizes_of(span: Span[Kind]) -> tuple[int, int]:
    """The sizes of a kind's parts, 1 where there is none."""
    first, second = [FACTORS[name] for name in span.factors] + [1] * (PARTS - len(span.factors))
    return first, second


@dataclass(frozen=True)
class Layout:
    """The numbering of all moves with one deck: its building keys, and the building that each C card names."""

    keys: tuple[str, ...]
    named: tuple[int, ...]
    factors = staticmethod(sizes_of)
    starts: ClassVar = first_ids(map(sizes_of, SPANS))
    """The first id of every kind, and behind the last the number of moves."""
    parts: ClassVar = all_parts(map(sizes_of, SPANS))
    """(kind, part, part) of every id, parts that a kind does not have being 0."""
    size: ClassVar[int] = starts[-1]
    """The number of ids."""

    @property
    def digest(self) -> str:
        """A hash of the words, their parts and their sizes: stored with whatever holds ids."""
        plain = [(span.form, sizes_of(span)) for span in SPANS]
        return hashlib.sha256(repr((self.keys, self.named, plain)).encode()).hexdigest()


ACTIONS = Layout.size
"""A: the number of moves."""


@kernel
def encode(box, kind, first, second):
    """The id of a move; parts that a kind does not have are 0."""
    return box.start[kind] + first * box.factor[kind] + second


@kernel
def allow_lots(box, game, mask, kind, first, lots):
    """Mark a move for each of some lots, the second part, as legal, and count them.

    An index that cannot be negative is not looked at for that: 80 ns for the removals of a board, not 190.
    """
    start, number = encode(box, kind, first, 0), 0
    for lot in range(LOTS):
        mask[np.uint64(start + lot)] = lots >> lot & 1
        number += lots >> lot & 1
    game.legal_count += number


@kernel
def allow(box, game, mask, kind, first=0, second=0):
    """Mark a move as legal and count it."""
    mask[encode(box, kind, first, second)] = True
    game.legal_count += 1
