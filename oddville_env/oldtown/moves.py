"""Moves for people: a value with the word of OLDTOWN.md's notation, and the number that compiled code knows it by."""

from collections.abc import Sequence

from oddville_env.core.parts.moves import Notation, WordedMove
from oddville_env.oldtown.cards.words import CARDS, CARDS_OF, FIRST_CARD, LETTERS, LOTS
from oddville_env.oldtown.rules.actions import SPANS, Layout
from oddville_env.oldtown.rules.state import Stack

Part = int | str

NUMBERED = {
    "lot": (1, LOTS),
    "card": (1, CARDS),
    **{name: (FIRST_CARD[kind] + 1, CARDS_OF[kind]) for name, kind in LETTERS.items()},
}
"""Parts that are written as numbers: the first one, and how many there are."""
PATTERNS = {
    "building": "([a-z_]+)",
    "other": "([a-z_]+)",
    "stack": "(" + "|".join(Stack.words()) + ")",
    **{
        name: "(" + "|".join(str(number) for number in range(first, first + size)) + ")"
        for name, (first, size) in NUMBERED.items()
    },
}

MEANINGS = {
    "building": "building a building's key",
    "other": "other a building's key",
    "stack": f"stack {' or '.join(Stack.words())}",
    **{name: f"{name} from {first} to {first + size - 1}" for name, (first, size) in NUMBERED.items()},
}


class Move(WordedMove):
    """A move: its kind and its parts as they are written: numbers of cards and lots, keys of buildings, a stack."""

    @classmethod
    def parse(cls, word: str) -> "Move":
        """The move of a word; raises NotationError."""
        span, texts = NOTATION.read(word)
        parts = zip(span.factors, texts, strict=True)
        return cls(span.kind, tuple(int(text) if name in NUMBERED else text for name, text in parts))

    @property
    def word(self) -> str:
        """OLDTOWN.md's word, e.g. `play:45:bank`."""
        return SPANS[self.kind].spelled(self.parts)


def _value(layout: Layout, name: str, numbers: Sequence[int], index: int) -> Part:
    number = numbers[index]
    if name in NUMBERED:
        return NUMBERED[name][0] + number
    if name == "stack":
        return Stack(number).word
    return layout.keys[number + (number >= layout.named[numbers[0]]) if name == "other" else number]


NOTATION = Notation(SPANS, PATTERNS, MEANINGS, Move, _value)
move_of, action_of, words = NOTATION.move_of, NOTATION.action_of, NOTATION.words
