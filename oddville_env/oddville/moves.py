"""Moves for people: a value with the word of RULES.md's notation, and the number that compiled code knows it by."""

from collections.abc import Sequence

from oddville_env.core.parts.moves import Notation, WordedMove
from oddville_env.oddville.cards.words import Resource
from oddville_env.oddville.rules.actions import SPANS, Layout
from oddville_env.oddville.rules.box import Table
from oddville_env.oddville.rules.state import HELD, MOST_HELD, ROW, WORKER_CARDS

Part = int | tuple[int, int]

HIGHEST = {"worker": WORKER_CARDS, "position": ROW, "held": MOST_HELD, "third": HELD}
PATTERNS = {
    "resource": "(" + "|".join(Resource.words()) + ")",
    "cell": r"((?:0|-?[1-9][0-9]?),(?:0|[1-9][0-9]?))",
    "slot": r"([1-9][0-9]?)",
    **{name: f"([1-{most}])" for name, most in HIGHEST.items()},
}
MEANINGS = {
    "resource": "a resource (" + ", ".join(Resource.words()) + ")",
    "cell": "a cell (column,line, e.g. -2,3)",
    "slot": "a slot counted from 1",
    **{name: f"{name} 1-{most}" for name, most in HIGHEST.items()},
}


class Move(WordedMove):
    """A move: its kind and its parts, counted from 0; a cell is (column, line)."""

    @classmethod
    def parse(cls, word: str) -> "Move":
        """The move of a word; raises NotationError."""
        span, texts = NOTATION.read(word)
        return cls(span.kind, tuple(map(_part, span.factors, texts)))

    @property
    def word(self) -> str:
        """The word of the law that says it."""
        span = SPANS[self.kind]
        return span.spelled(_shown(name, part) for name, part in zip(span.factors, self.parts, strict=False))


def _part(name: str, text: str) -> Part:
    if name == "cell":
        column, line = map(int, text.split(","))
        return column, line
    return Resource[text.upper()].value if name == "resource" else int(text) - 1


def _shown(name: str, part: Part) -> str:
    if isinstance(part, tuple):
        return f"{part[0]},{part[1]}"
    return Resource(part).word if name == "resource" and 0 <= part < len(Resource) else str(part + 1)


def _value(layout: Layout, name: str, numbers: Sequence[int], index: int) -> Part:
    return Table(layout.columns, layout.lines).place(numbers[index]) if name == "cell" else numbers[index]


NOTATION = Notation(SPANS, PATTERNS, MEANINGS, Move, _value)
move_of, action_of, words = NOTATION.move_of, NOTATION.action_of, NOTATION.words
