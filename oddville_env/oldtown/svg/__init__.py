"""A position as one picture: plain SVG 1.1 that a browser, a notebook and a rasteriser show alike."""

from collections.abc import Mapping, Sequence
from typing import Any

from oddville_env.core.svg.elements import Fragment, at, below, box
from oddville_env.core.svg.page import GAP, INNER, picture
from oddville_env.core.svg.palette import PANEL, RIM
from oddville_env.core.svg.thoughts import Thought, thoughts
from oddville_env.oldtown.cards import Deck
from oddville_env.oldtown.svg.page import buildings, header, stacks
from oddville_env.oldtown.svg.seats import seats
from oddville_env.oldtown.svg.town import TOWN, town

__all__ = ["draw"]

FRAME = 6.0


def draw(
    position: Mapping[str, Any],
    deck: Deck,
    *,
    candidates: Sequence[Thought] = (),
    width: int = 1200,
    fixed: bool = False,
) -> str:
    """The position as an SVG, `width` pixels wide.

    It shows what the position tells: as a seat sees it, the other hands lie face down. `candidates` are moves and what
    an agent thinks of them. `fixed` makes all pictures of a
    game equally high, an even number of pixels, as films want it: hands get smaller as they grow.
    """
    minds = [thoughts(candidates)] if candidates else []
    page = below([header(position, deck), _middle(position, deck), *minds, seats(position, deck, fixed)], GAP)
    return picture(page, width, even=fixed)


def _middle(position: Mapping[str, Any], deck: Deck) -> Fragment:
    """The town, and beside it all that lies there."""
    side = TOWN + 2 * FRAME
    frame = box(0.5, 0.5, side - 1, side - 1, 12, fill=PANEL, stroke=RIM)
    left = Fragment(frame + at(FRAME, FRAME, town(deck, position["buildings"]).body), side, side)
    width = INNER - side - GAP
    upper = buildings(position, deck, width)
    right = below([upper, stacks(position, width, side - upper.height - GAP)], GAP)
    return Fragment(left.body + at(side + GAP, 0, right.body), INNER, side)
