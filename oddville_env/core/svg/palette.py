"""The colours that belong to no game."""

from typing import NamedTuple

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
GLOW = "#E8920C"
MARK = "#2E5E4E"
PLAYED = "#EBE6DC"


class Shades(NamedTuple):
    """A colour in three strengths: surfaces, lines and shapes, and the writing upon it."""

    pale: str
    full: str
    ink: str


# Where two hues are near for colour-blind eyes the number of the seat, which is written on each, tells them apart.
SEAT_COLOURS = (
    Shades("#DCE9F5", "#0F6CB4", WHITE),
    Shades("#EBDDF0", "#8E3FA0", WHITE),
    Shades("#FBF2C9", "#F2CB1D", INK),
    Shades("#FADFD3", "#D4480B", WHITE),
)
SEAT_NAMES = ("Blue", "Purple", "Yellow", "Red")
"""The colours of the seats, clockwise."""
