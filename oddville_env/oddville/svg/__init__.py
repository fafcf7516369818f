"""A position as one picture: plain SVG 1.1 that a browser, a notebook and a rasteriser show alike."""

from collections.abc import Mapping, Sequence
from typing import Any

from oddville_env.core.svg.elements import below
from oddville_env.core.svg.page import GAP, INNER, picture
from oddville_env.core.svg.thoughts import Thought, thoughts
from oddville_env.oddville.cards import CardSet
from oddville_env.oddville.moves import Move
from oddville_env.oddville.rules.actions import Kind
from oddville_env.oddville.svg.city import Window, city, window_of
from oddville_env.oddville.svg.market import market
from oddville_env.oddville.svg.page import header, legend
from oddville_env.oddville.svg.seats import seats

__all__ = ["Thought", "Window", "draw", "marks_of", "window_of"]

UNMARKED: Mapping[tuple[int, int], str] = {}


def marks_of(thoughts: Sequence[Thought], seat: int) -> dict[tuple[int, int], str]:
    """A seat's chance to win after building on a cell, as its label: of the builds there the first one's."""
    marks: dict[tuple[int, int], str] = {}
    for thought in thoughts:
        move = Move.parse(thought.word)
        if move.kind == Kind.BUILD and thought.values and isinstance(cell := move.parts[1], tuple):
            marks.setdefault(cell, f"{thought.values[seat]:.0%}")
    return marks


def draw(
    position: Mapping[str, Any],
    cards: CardSet,
    *,
    marks: Mapping[tuple[int, int], str] = UNMARKED,
    candidates: Sequence[Thought] = (),
    window: Window | None = None,
    width: int = 1200,
    fixed: bool = False,
) -> str:
    """The position as an SVG, `width` pixels wide.

    `marks` labels cells, keyed by (column, line); `candidates` are moves and what an agent thinks of them;
    `window` are the columns and lines shown, by default those worth showing. `fixed` makes all pictures of a game
    equally high, an even number of pixels, as films want it: the cards of the city get smaller as it grows.
    """
    table = city(position, cards, marks, INNER, window, fixed)
    minds = [thoughts(candidates)] if candidates else []
    areas = seats(position, cards, fixed)
    page = below([header(position), market(position, cards), table, *minds, areas, legend()], GAP)
    return picture(page, width, even=fixed)
