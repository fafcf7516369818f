"""The colours of the game, and its small shapes, drawn around (0, 0) in a box from -10 to 10."""

from pathlib import Path

from oddville_env.core.svg.elements import bold, coloured, disc, path, shapes
from oddville_env.core.svg.palette import GOLD, GOLD_EDGE, SEAT_COLOURS, WHITE, Shades
from oddville_env.oddville.cards import Bonus, Counts, Resource, Suit

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


SHAPES = shapes(Path(__file__).with_name("shapes.svg"))
CREST = "M-8 -9 H8 V0 Q8 7 0 10 Q-8 7 -8 0 Z"


def suit(kind: Suit) -> str:
    """The sign of a guild, or the diamond, in its colour."""
    return coloured(SHAPES[f"suit-{kind.word}"], SUIT_COLOURS[kind])


def resource(kind: Resource) -> str:
    """Logs, bricks, a boulder or a crystal."""
    return coloured(SHAPES[f"resource-{kind.word}"], RESOURCE_COLOURS[kind])


def coin(words: object = "") -> str:
    """A gold coin with an amount on it."""
    edge = disc(0, 0, 9, fill=GOLD, stroke=GOLD_EDGE, stroke_width=1.6)
    amount = str(words)
    return edge + (bold(0, 0, amount, 15 - 3 * len(amount), text_anchor="middle") if amount else "")


def no_coin() -> str:
    """The place of a coin that a seat does not have."""
    return SHAPES["no-coin"]


def shield(points: int | None = None) -> str:
    """A building's shield with its number."""
    if points is None:
        return SHAPES["counted-shields"]
    size = 11.5 if points < 10 else 9
    return path(CREST, fill="#8A98A8") + bold(0, -0.4, points, size, text_anchor="middle", fill=WHITE)


def pawn(seat: int) -> str:
    """A worker in its seat's colour, the seat's number on its coat."""
    shades = SEAT_COLOURS[seat]
    figure = "M-9 9.6 Q-9 -1.4 -2.6 -2.6 A4.2 4.2 0 1 1 2.6 -2.6 Q9 -1.4 9 9.6 Z"
    coat = path(figure, fill=shades.full, stroke=WHITE, stroke_width=1.4, stroke_linejoin="round")
    return coat + bold(0, 4, seat, 10.5, text_anchor="middle", fill=shades.ink)


def star(points: object = "") -> str:
    """Points, counted on it."""
    rays = "M0 -9.5 L2.8 -3.4 L9.4 -2.8 L4.4 1.6 L6 8.2 L0 4.6 L-6 8.2 L-4.4 1.6 L-9.4 -2.8 L-2.8 -3.4 Z"
    shape = path(rays, fill=GOLD, stroke=GOLD_EDGE, stroke_width=1.2, stroke_linejoin="round")
    amount = str(points)
    return shape + (bold(0, 0.6, amount, 10.5 - 1.5 * len(amount), text_anchor="middle") if amount else "")


def houses(colour: str) -> str:
    """Two gabled houses, shoulder to shoulder: the sides of a card without a street."""
    return SHAPES["houses"].replace("var(--full)", colour)


def bonus(kind: Bonus) -> str:
    """The sign of a bonus."""
    if kind <= Bonus.CRYSTAL:
        return resource(Resource(kind))
    return coin() if kind == Bonus.COIN else SHAPES[f"bonus-{kind.word}"]


def counted(kind: Counts) -> str:
    """The sign of what a building's value counts: a suit, shields, or cards around the building in a little plan."""
    return suit(Suit(kind)) if kind <= Counts.DIAMOND else SHAPES[f"counted-{kind.word}"]
