"""Every small shape of the picture, drawn around (0, 0) in a box from -10 to 10 and placed with `symbol`."""

from collections.abc import Callable

from oddville_env.core.svg.elements import at, bold, box, disc, group, path
from oddville_env.core.svg.palette import GOLD, GOLD_EDGE, INK, MUTED, SEAT_COLOURS, WHITE
from oddville_env.oddville.cards import Bonus, Counts, Resource, Suit
from oddville_env.oddville.svg.palette import RESOURCE_COLOURS, SHIELD, SUIT_COLOURS

BOX = 20
CREST = "M-8 -9 H8 V0 Q8 7 0 10 Q-8 7 -8 0 Z"


def symbol(x: float, y: float, size: float, shape: str) -> str:
    """A shape of this file with its middle at (x, y)."""
    return at(x, y, shape, size / BOX)


def suit(kind: Suit) -> str:
    """The sign of a guild, or the diamond, in its colour."""
    return SIGNS[kind](SUIT_COLOURS[kind].full)


def _mask(colour: str) -> str:
    face = path("M-8.5 -6.5 Q0 -10.5 8.5 -6.5 Q9.5 4 0 10 Q-9.5 4 -8.5 -6.5 Z", fill=colour)
    eyes = "M-6 -2.5 Q-3.8 -5.5 -1.6 -2.5 Q-3.8 -1 -6 -2.5 Z M6 -2.5 Q3.8 -5.5 1.6 -2.5 Q3.8 -1 6 -2.5 Z"
    return face + path(eyes, fill=WHITE) + path("M-4.2 2.2 Q0 4.2 4.2 2.2 Q3 7 0 7 Q-3 7 -4.2 2.2 Z", fill=WHITE)


def _rooster(colour: str) -> str:
    comb = disc(-3.4, -6.6, 2.2, fill=colour) + disc(0, -8, 2.4, fill=colour) + disc(3.2, -6.4, 2, fill=colour)
    head = path("M-7 10 Q-8 2 -5.5 -2 A5.8 5.8 0 0 1 5.6 -2.6 L9.8 0 L5.6 1.6 Q4.6 4 7 10 Z", fill=colour)
    return comb + head + disc(1.8, -2.2, 1.3, fill=WHITE) + path("M5 2 Q8.4 4.5 6 7.4 Q3.6 5.6 5 2 Z", fill=colour)


def _bells(colour: str) -> str:
    body = path("M-9 6 Q-6.4 3.6 -6.2 -1 Q-6 -7.4 0 -7.4 Q6 -7.4 6.2 -1 Q6.4 3.6 9 6 Z", fill=colour)
    return disc(0, -8.2, 1.7, fill=colour) + body + disc(0, 7.6, 2.3, fill=colour)


def _lily(colour: str) -> str:
    petal = "M0 -10 Q5.6 -3.4 2 3 L-2 3 Q-5.6 -3.4 0 -10 Z"
    left = "M-2.8 3 Q-9.6 3.4 -9.4 -2.6 Q-8.6 -6.6 -5 -4.6 Q-6.6 -3 -5.6 -1.4 Q-4.4 0.6 -2.8 3 Z"
    right = "M2.8 3 Q9.6 3.4 9.4 -2.6 Q8.6 -6.6 5 -4.6 Q6.6 -3 5.6 -1.4 Q4.4 0.6 2.8 3 Z"
    foot = "M-5.4 4 H5.4 V6 H2.6 Q3 8 5 9.6 Q2 9.6 0 8 Q-2 9.6 -5 9.6 Q-3 8 -2.6 6 H-5.4 Z"
    return path(f"{petal} {left} {right} {foot}", fill=colour)


def _diamond(colour: str) -> str:
    stone = path("M-5 -7.5 H5 L9.5 -2 L0 9.5 L-9.5 -2 Z", fill=colour)
    facets = "M-9.5 -2 H9.5 M-3.6 -2 L0 9.5 L3.6 -2 M-3.6 -2 L0 -7.5 L3.6 -2"
    return stone + path(facets, fill="none", stroke=WHITE, stroke_width=1)


SIGNS: dict[Suit, Callable[[str], str]] = {
    Suit.MASK: _mask,
    Suit.ROOSTER: _rooster,
    Suit.BELLS: _bells,
    Suit.LILY: _lily,
    Suit.DIAMOND: _diamond,
}


def resource(kind: Resource) -> str:
    """Logs, bricks, a boulder or a crystal."""
    shades = RESOURCE_COLOURS[kind]
    return group(GOODS[kind], fill=shades.full, stroke=shades.ink, stroke_width=1.4, stroke_linejoin="round")


def _logs() -> str:
    ends = ((-4.6, 4), (4.6, 4), (0, -4))
    pale = RESOURCE_COLOURS[Resource.WOOD].pale
    return "".join(disc(x, y, 4.6) + disc(x, y, 2.1, fill=pale, stroke="none") for x, y in ends)


def _bricks() -> str:
    return box(-9, 1, 8.6, 6.6, 1) + box(0.4, 1, 8.6, 6.6, 1) + box(-4.3, -6.6, 8.6, 6.6, 1)


def _boulder() -> str:
    shine = path("M-4 -2.5 L0.5 -5.4 L4 -2.6 L-1 0.6 Z", fill=RESOURCE_COLOURS[Resource.STONE].pale, stroke="none")
    return path("M-9 4.6 L-7 -3.6 L0 -8 L6.6 -4.6 L9 3.6 L4.6 7.6 H-5.6 Z") + shine


def _gem() -> str:
    shine = path("M-2.4 -4 L0 -8 L0 8 L-1.8 7.6 Z", fill=RESOURCE_COLOURS[Resource.CRYSTAL].pale, stroke="none")
    return path("M0 -9.4 L5.4 -4.4 L3.8 8.4 H-3.8 L-5.4 -4.4 Z") + shine


GOODS = {
    Resource.WOOD: _logs(),
    Resource.CLAY: _bricks(),
    Resource.STONE: _boulder(),
    Resource.CRYSTAL: _gem(),
}


def coin(words: object = "") -> str:
    """A gold coin with an amount on it."""
    edge = disc(0, 0, 9, fill=GOLD, stroke=GOLD_EDGE, stroke_width=1.6)
    amount = str(words)
    return edge + (bold(0, 0, amount, 15 - 3 * len(amount), text_anchor="middle") if amount else "")


def no_coin() -> str:
    """The place of a coin that a seat does not have."""
    return disc(0, 0, 8.6, fill="none", stroke=MUTED, stroke_width=1.2, stroke_dasharray="2.5 2.5", opacity=0.6)


def shield(points: int) -> str:
    """A building's shield with its number."""
    size = 11.5 if points < 10 else 9
    return path(CREST, fill=SHIELD) + bold(0, -0.4, points, size, text_anchor="middle", fill=WHITE)


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
    walls = path("M-9.5 8 V-1 L-5 -6.5 L-0.5 -1 V8 Z M0.5 8 V1 L5 -4 L9.5 1 V8 Z", fill=colour)
    return group(walls, box(-6.2, 3.4, 2.6, 4.6, fill=WHITE), box(3.6, 3, 2.8, 2.8, fill=WHITE), opacity=0.55)


def bonus(kind: Bonus) -> str:
    """The sign of a bonus."""
    if kind <= Bonus.CRYSTAL:
        return resource(Resource(kind))
    return {Bonus.ANY: _any, Bonus.DOUBLE: _double, Bonus.TRANSFORM: _transform, Bonus.COIN: coin}[kind]()


def _any() -> str:
    spots = zip(Resource, ((0, -5.4), (5.4, 0), (0, 5.4), (-5.4, 0)), strict=True)
    return "".join(
        disc(x, y, 4.2, fill=RESOURCE_COLOURS[kind].full, stroke=WHITE, stroke_width=0.8) for kind, (x, y) in spots
    )


def _double() -> str:
    figure = "M-5.6 7.5 Q-5.6 0 -1.8 -1.2 A3.3 3.3 0 1 1 1.8 -1.2 Q5.6 0 5.6 7.5 Z"
    back = at(3.6, -1.5, path(figure, fill=MUTED, stroke=WHITE, stroke_width=1.2))
    return back + at(-3.2, 1.5, path(figure, fill=INK, stroke=WHITE, stroke_width=1.2))


def _transform() -> str:
    there = "M-8.5 -2 Q-6 -7.6 2 -6.4 L1.4 -9.6 L8.8 -5 L3 0.4 L2.4 -2.8 Q-4 -4 -8.5 -2 Z"
    return path(there, fill=INK) + group(path(there, fill=MUTED), transform="rotate(180)")


def counted(kind: Counts) -> str:
    """The sign of what a building's value counts: a suit, shields, or cards around the building in a little plan."""
    if kind <= Counts.DIAMOND:
        return suit(Suit(kind))
    if kind == Counts.SHIELDS:
        return path(CREST, fill=SHIELD)
    line, column = ((-6.6, 0), (6.6, 0)), ((0, -6.6), (0, 6.6))
    cells = {Counts.ADJACENT: line + column, Counts.ROW: line, Counts.COLUMN: column}[kind]
    around = "".join(box(x - 2.6, y - 2.6, 5.2, 5.2, 1, fill=MUTED) for x, y in cells)
    return around + box(-2.8, -2.8, 5.6, 5.6, 1, fill=INK)
