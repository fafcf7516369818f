"""Moves for people: a value with the word of RULES.md's notation, and the number that compiled code knows it by."""

import difflib
import re
from functools import lru_cache, partial
from numbers import Integral
from typing import NamedTuple

from oddville_env.core.parts import moves as given_moves
from oddville_env.oddville.cards.words import Resource
from oddville_env.oddville.rules.actions import PARTS, SPANS, Kind, Layout, parts_of
from oddville_env.oddville.rules.box import Table
from oddville_env.oddville.rules.state import HELD, MOST_HELD, ROW, WORKER_CARDS

Part = int | tuple[int, int]

HIGHEST = {"worker": WORKER_CARDS, "position": ROW, "held": MOST_HELD, "third": HELD}
PATTERNS = {
    "resource": "(" + "|".join(Resource.words()) + ")",
    "cell": r"(0|-?[1-9][0-9]?),(0|[1-9][0-9]?)",
    "slot": r"([1-9][0-9]?)",
    **{name: f"([1-{most}])" for name, most in HIGHEST.items()},
}


class Move(NamedTuple):
    """A move: its kind and its parts, counted from 0; a cell is (column, line)."""

    kind: Kind
    parts: tuple[Part, ...] = ()

    @classmethod
    def parse(cls, word: str) -> "Move":
        """The move of a word; raises NotationError."""
        span, texts = _read(word)
        return cls(span.kind, tuple(_parts(span.factors, list(texts))))

    @property
    def is_written(self) -> bool:
        """Its kind and parts are such that it has a word."""
        if not isinstance(self.kind, int) or self.kind not in list(Kind) or not isinstance(self.parts, tuple):
            return False
        numbers = [part if isinstance(part, tuple) and len(part) == 2 else (part,) for part in self.parts]
        return all(isinstance(number, Integral) for part in numbers for number in part)

    @property
    def word(self) -> str:
        """The word of the law that says it."""
        span = SPANS[self.kind]
        return span.spelled(_shown(name, part) for name, part in zip(span.factors, self.parts, strict=False))

    def __str__(self) -> str:
        return self.word

    def __repr__(self) -> str:
        return f"Move.parse({self.word!r})"


def move_of(layout: Layout, action: int) -> Move:
    """The move of an id."""
    kind, *numbers = parts_of(layout)[action]
    table = Table(layout.columns, layout.lines)
    factors = SPANS[kind].factors
    parts = zip(factors, numbers, strict=False)
    return Move(Kind(kind), tuple(table.place(part) if name == "cell" else part for name, part in parts))


def id_of(layout: Layout, move: Move) -> int | None:
    """The id of a move, None where this table or this board has none, or where its parts are not its kind's."""
    factors = SPANS[move.kind].factors
    if [name == "cell" for name in factors] != [isinstance(part, tuple) for part in move.parts]:
        return None
    table = Table(layout.columns, layout.lines)
    numbers = [table.cell(*part) if isinstance(part, tuple) else part for part in move.parts]
    sizes = layout.factors(SPANS[move.kind])
    numbers += [0] * (PARTS - len(numbers))
    if not all(0 <= number < size for number, size in zip(numbers, sizes, strict=True)):
        return None
    first, second, third = numbers
    return layout.starts[move.kind] + (first * sizes[1] + second) * sizes[2] + third


def action_of(layout: Layout, move: str | Move | int) -> int | None:
    """The id of a word, a Move or an id, None where there is none; raises NotationError."""
    return given_moves.action_of(move, layout.size, Move, partial(id_of, layout))


@lru_cache(maxsize=64)
def words(layout: Layout) -> tuple[str, ...]:
    """The word of every id."""
    return tuple(move_of(layout, action).word for action in range(layout.size))


def _parts(factors: tuple[str, ...], texts: list[str]) -> list[Part]:
    parts: list[Part] = []
    for name in factors:
        text = texts.pop(0)
        if name == "resource":
            parts.append(Resource[text.upper()].value)
        elif name == "cell":
            parts.append((int(text), int(texts.pop(0))))
        else:
            parts.append(int(text) - 1)
    return parts


def _shown(name: str, part: Part) -> str:
    if isinstance(part, tuple):
        return f"{part[0]},{part[1]}"
    return Resource(part).word if name == "resource" and 0 <= part < len(Resource) else str(part + 1)


def _expected(word: object) -> str:
    """The form of the kind that the word seems to begin with, or all kinds."""
    start = re.split("[:@]", word)[0] if isinstance(word, str) else ""
    near = difflib.get_close_matches(start, Kind.words(), n=1, cutoff=0.6)
    if near:
        form = SPANS[Kind[near[0].upper()]].form
        return f"{form} with {_meaning(form)}" if "{" in form else form
    return "one of " + ", ".join(span.form for span in SPANS)


def _meaning(form: str) -> str:
    texts = {
        "resource": "a resource (" + ", ".join(Resource.words()) + ")",
        "cell": "a cell (column,line, e.g. -2,3)",
        "slot": "a slot counted from 1",
        **{name: f"{name} 1-{most}" for name, most in HIGHEST.items()},
    }
    names = dict.fromkeys(re.findall(r"{(\w+)}", form))
    return " and ".join(texts[name] for name in names)


_read = given_moves.reader(SPANS, PATTERNS, _expected)
