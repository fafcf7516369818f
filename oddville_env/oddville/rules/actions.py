"""Every move as a number: `SPANS` lists the kinds of RULES.md's notation in order, each with its factors.

Ids, encoding, decoding, words and the printed table come from it. Ids are append-only: a policy trained on one layout
plays any later version that keeps the layout's hash.
"""

import hashlib
from functools import lru_cache
from typing import NamedTuple

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts.moves import Span, all_parts, first_ids
from oddville_env.core.parts.values import Word

from .state import HELD, MOST_HELD, RESOURCES, ROW, WORKER_CARDS

PARTS = 3  # the most factors a kind has
LAYOUTS = 64  # whose numbers are remembered, the last ones: as many as boxes are


class Kind(Word):
    """The first part of a move's word."""

    (
        SETUP, RECOVER, COINS, TAKE, BUY, BUILD, EXTRA, BONUS, ANY, DOUBLE, MOVE, FLIP, SWAP, SQUARE, DROP, RETURN,
        DONE,
    ) = range(17)  # fmt: skip


SPANS = (
    Span(Kind.SETUP, "setup:{resource}", "S6"),
    Span(Kind.RECOVER, "recover", "T2"),
    Span(Kind.COINS, "coins:{worker}", "W2"),
    Span(Kind.TAKE, "take:{worker}:{resource}", "W3"),
    Span(Kind.BUY, "buy:{worker}:{position}", "W4"),
    Span(Kind.BUILD, "build:{held}:{cell}", "B1"),
    Span(Kind.EXTRA, "extra:{resource}", "C3"),
    Span(Kind.BONUS, "bonus:{resource}", "N2"),
    Span(Kind.ANY, "any:{resource}", "N3"),
    Span(Kind.DOUBLE, "double:{resource}", "N4"),
    Span(Kind.MOVE, "move:{resource}@{slot}>{resource}", "N5"),
    Span(Kind.FLIP, "flip", "C4"),
    Span(Kind.SWAP, "swap:{held}:{position}", "C6"),
    Span(Kind.SQUARE, "square:{resource}", "C12"),
    Span(Kind.DROP, "drop:{third}", "L2"),
    Span(Kind.RETURN, "return:{resource}@{slot}", "T5"),
    Span(Kind.DONE, "done", "T6"),
)


class Layout(NamedTuple):
    """The numbering of all moves on one table with one board; A = `size`."""

    columns: int
    lines: int
    slots: int

    def factors(self, span: Span[Kind]) -> tuple[int, int, int]:
        """The sizes of a kind's parts, 1 where there is none."""
        sizes = {"resource": RESOURCES, "worker": WORKER_CARDS, "position": ROW, "held": MOST_HELD, "third": HELD}
        sizes |= {"slot": self.slots, "cell": self.columns * self.lines}
        first, second, third = [sizes[name] for name in span.factors] + [1] * (PARTS - len(span.factors))
        return first, second, third

    @property
    @lru_cache(maxsize=LAYOUTS)  # noqa: B019
    def starts(self) -> tuple[int, ...]:
        """The first id of every kind, and behind the last the number of moves."""
        return first_ids(map(self.factors, SPANS))

    @property
    @lru_cache(maxsize=LAYOUTS)  # noqa: B019
    def parts(self) -> tuple[tuple[int, ...], ...]:
        """(kind, part, part, part) of every id, parts that a kind does not have being 0."""
        return all_parts(map(self.factors, SPANS))

    @property
    def size(self) -> int:
        """The number of ids."""
        return self.starts[-1]

    @property
    def digest(self) -> str:
        """A hash of the words, their parts and their sizes: stored with whatever holds ids."""
        plain = [(span.form, self.factors(span)) for span in SPANS]
        return hashlib.sha256(repr((self.columns, self.lines, plain)).encode()).hexdigest()


@kernel
def encode(box, kind, first, second, third):
    """The id of a move; parts that a kind does not have are 0."""
    return box.start[kind] + (first * box.factor[kind, 1] + second) * box.factor[kind, 2] + third


@kernel
def allow(box, game, mask, kind, first=0, second=0, third=0):
    """Mark a move as legal and count it."""
    mask[encode(box, kind, first, second, third)] = True
    game.legal_count += 1
