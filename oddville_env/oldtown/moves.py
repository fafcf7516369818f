"""Moves for people: a value with the word of OLDTOWN.md's notation, and the number that compiled code knows it by."""

import difflib
import re
from functools import cache, partial
from typing import NamedTuple

from oddville_env.core.parts import moves as given_moves
from oddville_env.oldtown.cards.words import CARDS, CARDS_OF, FIRST_CARD, LETTERS, LOTS
from oddville_env.oldtown.rules.actions import SPANS, STARTS, Kind, Layout, parts_of, sizes_of
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


class Move(NamedTuple):
    """A move: its kind and its parts as they are written: numbers of cards and lots, keys of buildings, a stack."""

    kind: Kind
    parts: tuple[Part, ...] = ()

    @classmethod
    def parse(cls, word: str) -> "Move":
        """The move of a word; raises NotationError."""
        span, texts = _read(word)
        parts = zip(span.factors, texts, strict=True)
        return cls(span.kind, tuple(int(text) if name in NUMBERED else text for name, text in parts))

    @property
    def is_written(self) -> bool:
        """Its kind and parts are such that it has a word."""
        if not isinstance(self.kind, int) or self.kind not in list(Kind) or not isinstance(self.parts, tuple):
            return False
        return all(isinstance(part, int | str) for part in self.parts)

    @property
    def word(self) -> str:
        """OLDTOWN.md's word, e.g. `play:45:bank`."""
        return SPANS[self.kind].spelled(self.parts)

    def __str__(self) -> str:
        return self.word

    def __repr__(self) -> str:
        return f"Move.parse({self.word!r})"


def move_of(layout: Layout, action: int) -> Move:
    """The move of an id."""
    kind, *numbers = parts_of()[action]
    factors = SPANS[kind].factors
    parts = [_written(layout, name, numbers, place) for place, name in enumerate(factors)]
    return Move(Kind(kind), tuple(parts))


def _written(layout: Layout, name: str, numbers: list[int], place: int) -> Part:
    number = numbers[place]
    if name in NUMBERED:
        return NUMBERED[name][0] + number
    if name == "stack":
        return Stack(number).word
    return layout.keys[number + (number >= layout.named[numbers[0]]) if name == "other" else number]


def id_of(layout: Layout, move: Move) -> int | None:
    """The id of a move, None where there is none: an unknown building, or a C card with the building it names."""
    span = SPANS[move.kind]
    if len(move.parts) != len(span.factors):
        return None
    numbers: list[int] = []
    for name, part in zip(span.factors, move.parts, strict=True):
        number = _number(layout, name, part, numbers)
        if number is None:
            return None
        numbers.append(number)
    first, second = [*numbers, 0, 0][:2]
    return STARTS[move.kind] + first * sizes_of(span)[1] + second


def _number(layout: Layout, name: str, part: Part, before: list[int]) -> int | None:
    """A part counted from 0."""
    if name in NUMBERED:
        first, size = NUMBERED[name]
        return part - first if isinstance(part, int) and first <= part < first + size else None
    names = Stack.words() if name == "stack" else layout.keys
    if part not in names:
        return None
    number = names.index(part)
    if name != "other":
        return number
    named = layout.named[before[0]]
    return None if number == named else number - (number > named)


def action_of(layout: Layout, move: str | Move | int) -> int | None:
    """The id of a word, a Move or an id, None where there is none; raises NotationError."""
    return given_moves.action_of(move, layout.size, Move, partial(id_of, layout))


@cache
def words(layout: Layout) -> tuple[str, ...]:
    """The word of every id."""
    return tuple(move_of(layout, action).word for action in range(layout.size))


def _expected(word: object) -> str:
    """The forms that begin as the word seems to, or all."""
    start = re.split("[:@]", word)[0] if isinstance(word, str) else ""
    forms = [span.form for span in SPANS]
    near = difflib.get_close_matches(start, {re.split("[:@]", form)[0] for form in forms}, n=1, cutoff=0.6)
    fitting = [form for form in forms if near and re.split("[:@]", form)[0] == near[0]] or forms
    meanings = [_meaning(name) for name in dict.fromkeys(re.findall(r"{(\w+)}", " ".join(fitting)))] if near else []
    return " or ".join(fitting) + (f" with {' and '.join(meanings)}" if meanings else "")


def _meaning(name: str) -> str:
    if name in NUMBERED:
        first, size = NUMBERED[name]
        return f"{name} from {first} to {first + size - 1}"
    if name == "stack":
        return f"stack {' or '.join(Stack.words())}"
    return f"{name} a building's key"


_read = given_moves.reader(SPANS, PATTERNS, _expected)
