"""The colours of the game, and its small shapes around (0, 0) in a box from -10 to 10, and a card's back."""

from pathlib import Path

from oddville_env.core.svg.elements import at, bold, box, coloured, disc, group, hint, path, shapes
from oddville_env.core.svg.palette import INK, SEAT_COLOURS, WHITE, Shades
from oddville_env.oldtown.cards import Deck

DUST = "#EFE3CB"
LOT = "#F8F0DF"
LOT_RIM = "#D8C6A3"
TIMBER = "#8A6A48"
BACK = "#7B5A3C"

BUILDING_COLOURS = (
    Shades("#F3DCC8", "#A4562A", WHITE),
    Shades("#DAD6E2", "#4C4561", WHITE),
    Shades("#E9D9C4", "#7C5A37", WHITE),
    Shades("#F6D5CF", "#C23B2A", WHITE),
    Shades("#FAECC0", "#E0AA12", INK),
    Shades("#CDE8E2", "#24897A", WHITE),
    Shades("#DCEBF8", "#5C9CD6", WHITE),
    Shades("#E3E6F4", "#7286C4", WHITE),
    Shades("#E4E2DE", "#77726A", WHITE),
    Shades("#F0D3DE", "#94284F", WHITE),
    Shades("#D0E8D8", "#1E7A48", WHITE),
    Shades("#F9D9DC", "#E0586A", WHITE),
    Shades("#D6DAEE", "#37488C", WHITE),
    Shades("#DDE2E6", "#8496A6", WHITE),
    Shades("#E4EBCB", "#7E9A2E", WHITE),
    Shades("#FBE0C4", "#E57E1F", WHITE),
    Shades("#D3D9DE", "#2F4152", WHITE),
    Shades("#F3D9EC", "#C2529F", WHITE),
)


SHAPES = shapes(Path(__file__).with_name("shapes.svg"))
SIGN = '<use href="#sign"/>'  # the place of the sign on a house
CARD = (34.0, 46.0)  # a card's back


def emblem(key: str, name: str, shades: Shades) -> str:
    """A building's sign; one that another deck has brought along shows its first letter."""
    if shape := SHAPES.get(f"emblem-{key}"):
        return coloured(shape, shades)
    return bold(0, 0, name[:1].upper(), 17, fill=shades.ink, text_anchor="middle")


def house(key: str, name: str, shades: Shades) -> str:
    """A building's front, 100 wide; one that another deck has brought along is a plain one."""
    sign = disc(0, 0, 12, fill=shades.full) + at(0, 0, emblem(key, name, shades), 0.78)
    front = coloured(SHAPES.get(f"house-{key}", SHAPES["house-plain"]), shades)
    return group(front.replace(SIGN, sign), stroke_linejoin="round")


def hat(seat: int) -> str:
    """A seat's hat in its colour, the seat's number on it."""
    shades = SEAT_COLOURS[seat]
    crown, brim = "M-11 3.6 Q-6.4 3 -6 0 Q-5.4 -8.6 -2.4 -8.6 Q0 -7 2.4 -8.6 Q5.4 -8.6 6 0", "Q6 8.6 0 8.6 Q-6 8.6"
    figure = f"{crown} Q6.4 3 11 3.6 {brim} -11 3.6 Z"
    felt = path(figure, fill=shades.full, stroke=WHITE, stroke_width=1.4, stroke_linejoin="round")
    return felt + bold(0, 1.4, seat, 10, text_anchor="middle", fill=shades.ink)


def points() -> str:
    """A nugget: points."""
    return SHAPES["points"]


def token(deck: Deck, building: int) -> str:
    """A building's token: its sign upon its colour."""
    shades = BUILDING_COLOURS[building]
    named = deck.buildings[building]
    ground = disc(0, 0, 9.6, fill=shades.full, stroke=WHITE, stroke_width=0.9)
    return ground + at(0, 0, emblem(named.key, named.name, shades), 0.66)


def tile(deck: Deck, building: int) -> str:
    """A building's house, 100 wide, with its name for the pointer."""
    named = deck.buildings[building]
    return group(hint(named.name), house(named.key, named.name, BUILDING_COLOURS[building]))


def back() -> str:
    """A card face down, with its upper left corner at (0, 0)."""
    width, height = CARD
    frame = box(0.5, 0.5, width - 1, height - 1, 4, fill=BACK, stroke=WHITE, stroke_width=1.2)
    inner = box(4, 4, width - 8, height - 8, 2, fill="none", stroke=WHITE, stroke_width=0.8, opacity=0.6)
    return frame + inner + at(width / 2, height / 2, emblem("sheriff", "", Shades(BACK, BACK, WHITE)), 0.8)
