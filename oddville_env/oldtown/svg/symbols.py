"""Small shapes, drawn around (0, 0) in a box from -10 to 10: a seat's hat, points, a token, a card's back."""

from oddville_env.core.svg.elements import at, bold, box, disc, group, hint, path
from oddville_env.core.svg.palette import GOLD, GOLD_EDGE, SEAT_COLOURS, WHITE
from oddville_env.oldtown.cards import Deck
from oddville_env.oldtown.svg.emblems import EMBLEMS, emblem
from oddville_env.oldtown.svg.houses import house
from oddville_env.oldtown.svg.palette import BACK, BUILDING_COLOURS

BOX = 20
CARD = (34.0, 46.0)  # a card's back


def symbol(x: float, y: float, size: float, shape: str) -> str:
    """A shape of this file with its middle at (x, y)."""
    return at(x, y, shape, size / BOX)


def hat(seat: int) -> str:
    """A seat's hat in its colour, the seat's number on it."""
    shades = SEAT_COLOURS[seat]
    crown, brim = "M-11 3.6 Q-6.4 3 -6 0 Q-5.4 -8.6 -2.4 -8.6 Q0 -7 2.4 -8.6 Q5.4 -8.6 6 0", "Q6 8.6 0 8.6 Q-6 8.6"
    felt = path(
        f"{crown} Q6.4 3 11 3.6 {brim} -11 3.6 Z",
        fill=shades.full,
        stroke=WHITE,
        stroke_width=1.4,
        stroke_linejoin="round",
    )
    return felt + bold(0, 1.4, seat, 10, text_anchor="middle", fill=shades.ink)


def points() -> str:
    """A nugget: points."""
    stone = "M-8.4 2 L-6 -5.6 L0.4 -8.4 L7 -5 L8.8 2.4 L4.4 7.8 H-4 Z"
    shine = path("M-4 -3 L0 -5.4 L3.6 -3.6 L-0.6 -0.8 Z", fill=WHITE, opacity=0.6)
    return path(stone, fill=GOLD, stroke=GOLD_EDGE, stroke_width=1.4, stroke_linejoin="round") + shine


def token(deck: Deck, building: int) -> str:
    """A building's token: its sign upon its colour."""
    shades = BUILDING_COLOURS[building]
    named = deck.buildings[building]
    ground = disc(0, 0, 9.6, fill=shades.full, stroke=WHITE, stroke_width=0.9)
    return ground + at(0, 0, emblem(named.key, named.name, shades.ink, shades.full), 0.66)


def tile(deck: Deck, building: int) -> str:
    """A building's house, 100 wide, with its name for the pointer."""
    named = deck.buildings[building]
    return group(hint(named.name), house(named.key, named.name, BUILDING_COLOURS[building]))


def back() -> str:
    """A card face down, with its upper left corner at (0, 0)."""
    width, height = CARD
    frame = box(0.5, 0.5, width - 1, height - 1, 4, fill=BACK, stroke=WHITE, stroke_width=1.2)
    inner = box(4, 4, width - 8, height - 8, 2, fill="none", stroke=WHITE, stroke_width=0.8, opacity=0.6)
    return frame + inner + at(width / 2, height / 2, EMBLEMS["sheriff"](WHITE, BACK), 0.8)
