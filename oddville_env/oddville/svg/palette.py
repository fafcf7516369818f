"""Every colour of the picture, in one place."""

from typing import NamedTuple

from oddville_env.oddville.cards import Resource, Suit

PAPER = "#F7F2E8"
PANEL = "#FFFDF9"
RIM = "#E2D8C6"
MEADOW = "#E6ECDD"
PLOT = "#CBD5BE"
INK = "#37322C"
MUTED = "#857B6C"
WHITE = "#FFFFFF"
ROAD = "#D9CDB6"
KERB = "#A99A80"
GOLD = "#F3C53C"
GOLD_EDGE = "#A9801A"
SHIELD = "#8A98A8"
GLOW = "#E8920C"
MARK = "#2E5E4E"
PLAYED = "#EBE6DC"


class Shades(NamedTuple):
    """A colour in three strengths: surfaces, lines and shapes, and the writing upon it."""

    pale: str
    full: str
    ink: str


SUIT_COLOURS = {
    Suit.MASK: Shades("#EEE4EF", "#84608C", WHITE),
    Suit.ROOSTER: Shades("#F8E3DB", "#BE5A43", WHITE),
    Suit.BELLS: Shades("#FAEFD2", "#C0922E", WHITE),
    Suit.LILY: Shades("#E2EEDD", "#568150", WHITE),
    Suit.DIAMOND: Shades("#DDEBF0", "#41819A", WHITE),
}

SQUARE_COLOURS = Shades("#EFEAE0", "#8C8070", WHITE)

RESOURCE_COLOURS = {
    Resource.WOOD: Shades("#E3C9A4", "#8A5A2B", "#5E3B18"),
    Resource.CLAY: Shades("#E9A488", "#C2583A", "#7F3520"),
    Resource.STONE: Shades("#CDD0D3", "#868C93", "#54595F"),
    Resource.CRYSTAL: Shades("#CDEFF3", "#3FB0C2", "#1F6F7C"),
}

# Four hues that stay apart for colour-blind eyes; the seat's number is written on each as well.
SEAT_COLOURS = (
    Shades("#DCE9F5", "#0F6CB4", WHITE),
    Shades("#EBDDF0", "#8E3FA0", WHITE),
    Shades("#FBF2C9", "#F2CB1D", INK),
    Shades("#FADFD3", "#D4480B", WHITE),
)
