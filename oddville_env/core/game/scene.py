"""The interface of a game to a page: single drawings, and moves, events and tables by spots.

A spot is a named place on the table (`row:3`, `cell:-2,3`): moves touch spots, events move things between spots.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from oddville_env.core.errors import SettingError, shown


class Drawing(NamedTuple):
    """The inside of an SVG picture: box is its viewBox, text says what it shows."""

    box: tuple[float, float, float, float]
    svg: str
    text: str


def drawer(kinds: Mapping[str, Callable[..., Drawing]]) -> Callable[[Any, str], Drawing]:
    """Returns (box, name) -> the drawing of a name, `kind-word-word`, by its kind's function of cards and words.

    SettingError is raised where there is none.
    """

    @lru_cache(maxsize=4096)
    def draw(box: Any, name: str) -> Drawing:
        kind, *words = name.split("-")
        try:
            return kinds[kind](box.cards, *words)
        except (KeyError, ValueError, IndexError, TypeError):
            raise SettingError(f"there is no drawing {shown(name)}") from None

    return draw


def plain(box: tuple[float, float, float, float], body: Callable[[], str], text: str) -> Callable[..., Drawing]:
    """Returns the function of a kind that has one drawing for all card sets."""
    return lambda cards: Drawing(box, body(), text)


def number_of(word: str, least: int, most: int) -> int:
    """The number that a word of a name says; raises ValueError."""
    if word not in map(str, range(least, most + 1)):
        raise ValueError
    return int(word)


Event = dict[str, Any]
"""Something that moved, or a number that changed, in plain values: its name, and from which spot to which."""


def event_of(event: str, drawing: str, source: str, target: str, **more: Any) -> Event:
    """A drawing that goes from spot to spot."""
    return {"event": event, **more, "drawing": drawing, "from": source, "to": target}


def score_events(before: Sequence[int], after: Sequence[int]) -> Iterator[Event]:
    """The seats' scores that changed."""
    for seat, (had, has) in enumerate(zip(before, after, strict=True)):
        if has != had:
            yield {"event": "score", "seat": seat, "number": has - had, "from": f"seat:{seat}", "to": f"seat:{seat}"}


class MoveKind(NamedTuple):
    """A kind of moves: the first part of their words, its rule, and what it does in a few words."""

    kind: str
    rule: str
    text: str


class Form(NamedTuple):
    """A kind of moves on a page; names in braces stand for what is written there.

    short: what it does in a few words. text: the move in words. path: the spots to touch, with spaces between them.
    """

    short: str
    text: str
    path: str

    def told(self, parts: Mapping[str, Any], written: Mapping[str, Any]) -> dict[str, Any]:
        """Returns a move in plain values, with its parts."""
        path = [spot.format(**written) for spot in self.path.split()]
        return {"path": path, "parts": parts, "text": self.text.format(**written)}


def move_kinds(spans: Sequence[Any], forms: Mapping[Any, Form]) -> tuple[MoveKind, ...]:
    """Returns the kinds of moves in the law's order; spans that share a first word are one kind."""
    kinds = (MoveKind(span.form.split(":")[0], span.rule, forms[span.kind].short) for span in spans)
    return tuple(dict.fromkeys(kinds))


class Speech(NamedTuple):
    """A position in words: the seat to move or the winner, its prompt, further notices."""

    headline: str
    prompt: str
    notice: str = ""


Marks = Mapping[str, Sequence[int]]
"""Pencil marks: thing -> places; a thing without marks is left out."""


@dataclass(frozen=True)
class Puzzles:
    """Puzzles for one. A puzzle has a name: a printed one's own, or a level and a seed (`hard-7`)."""

    printed: Callable[[Any], tuple[tuple[str, str], ...]]
    """Box -> the names and the levels of the puzzles that come with the game."""
    levels: tuple[str, ...]
    """The levels for which puzzles can be generated."""
    table: Callable[[Any, str], dict[str, Any]]
    """(box, name) -> the puzzle without its solution, and which drawings show it; raises SettingError."""
    check: Callable[[Any, str, Marks], dict[str, Any]]
    """(box, name, marks) -> what is wrong in the marks, and whether they solve the puzzle; raises SettingError."""
    hint: Callable[[Any, str, Marks, int], dict[str, Any]]
    """(box, name, marks, number of the last hint) -> the next thing to see that the marks do not say yet; raises
    SettingError."""


@dataclass(frozen=True)
class Scene:
    """A game as a page shows it. Boxes, states [1] and positions are those of the game's `GameType`."""

    kinds: tuple[MoveKind, ...]
    """The kinds of moves in the law's order."""
    speech: Callable[[Mapping[str, Any]], Speech]
    """Position -> what it says."""
    facts: Callable[[Any], dict[str, dict[str, Any]]]
    """Box -> what is printed on the components, for people of any language."""
    table: Callable[[Any, np.ndarray, Mapping[str, Any]], dict[str, Any]]
    """(box, state, position) -> what stands on which spot, and which drawing shows it."""
    draw: Callable[[Any, str], Drawing]
    """(box, name) -> the drawing; raises SettingError where none has the name."""
    move: Callable[[str, Mapping[str, Any]], dict[str, Any]]
    """(word, position) -> the spots to touch (path), its parts, and the move in words (text)."""
    effects: Callable[[Any, np.ndarray, np.ndarray, str], dict[str, Any]]
    """(box, state before, state after, word) -> what the move brings and costs."""
    events: Callable[[Mapping[str, Any], Mapping[str, Any], str], list[dict[str, Any]]]
    """(position before, position after, word) -> what moved, in the order to be shown."""
    puzzles: Puzzles | None = None
    """Its puzzles, where it has some."""


def drawings_of(value: Any) -> set[str]:
    """The names of all drawings that a table or events name."""
    found, parts = set(), [value]
    for part in parts:  # which grow on the way
        if isinstance(part, dict):
            if isinstance(drawing := part.get("drawing"), str):
                found.add(drawing)
            parts += part.values()
        elif isinstance(part, list):
            parts += part
    return found
