"""What a page needs of a game beside its picture: its parts drawn one by one, and moves, events and tables by spots.

A spot is a named place on the table (`row:3`, `cell:-2,3`): moves touch spots, events move things between spots.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np


class Drawing(NamedTuple):
    """The inside of an SVG picture: box is its viewBox, text says what it shows."""

    box: tuple[float, float, float, float]
    svg: str
    text: str


class MoveKind(NamedTuple):
    """A kind of moves: the first part of their words, its rule, and what it does in a few words."""

    kind: str
    rule: str
    text: str


class Speech(NamedTuple):
    """A position in words: who is to move or has won, what is asked, what else is to be said."""

    headline: str
    prompt: str
    notice: str


@dataclass(frozen=True)
class Scene:
    """A game as a page shows it. Boxes, states [1] and positions are those of the game's `GameType`."""

    seat_names: tuple[str, ...]
    """What the seats are called."""
    kinds: tuple[MoveKind, ...]
    """The kinds of moves in the law's order."""
    law: Path
    """The law of the game, in Markdown."""
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


def drawings_of(value: Any) -> set[str]:
    """The names of all drawings that a table or events name."""
    if isinstance(value, Mapping):
        own = {value["drawing"]} if isinstance(value.get("drawing"), str) else set()
        return own.union(*map(drawings_of, value.values()))
    if isinstance(value, list):
        return set().union(*map(drawings_of, value))
    return set()
