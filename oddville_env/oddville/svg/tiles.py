"""The cards: buildings and the square on a tile of 100 by 100, and the worker cards."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from oddville_env.core.svg.elements import bold, box, disc, group, hint, part, path, symbol, text
from oddville_env.core.svg.palette import INK, KERB, MUTED, PAPER, PLAYED, PLOT, RIM, ROAD, WHITE, Shades
from oddville_env.oddville import describe
from oddville_env.oddville.cards import NOTHING, Bonus, CardSet, Character, Counts, Resource, Side, Suit
from oddville_env.oddville.svg import symbols
from oddville_env.oddville.svg.symbols import RESOURCE_COLOURS, SQUARE_COLOURS, SUIT_COLOURS

TILE = 100
MIDDLE = TILE / 2
LANE = 20
PLAZA = 17
OUTWARD = {Side.N: (0, -1), Side.E: (1, 0), Side.S: (0, 1), Side.W: (-1, 0)}
FIELDS = ((20, 24), (80, 24), (20, 78), (80, 78))
WORKER_HEIGHT = 46


def building(cards: CardSet, card: int, owner: int | None = None) -> str:
    """A building card; a worker of its owner stands on it, where a card not yet built shows its cost in full."""
    suit = Suit(int(cards.suit[card]))
    shades = SUIT_COLOURS[suit]
    small_bill, window = _goods(cards, card, 62, 31, 7, 5), disc(20, 80, 15, fill=WHITE, stroke=RIM, stroke_width=1.5)
    return group(
        hint(describe.building(cards, card)),
        _ground(shades),
        _surroundings(cards.streets[card], shades),
        disc(MIDDLE, MIDDLE, PLAZA, fill=WHITE, stroke=shades.full, stroke_width=1.8),
        part("suit", symbol(MIDDLE, MIDDLE, 24, symbols.suit(suit))),
        part("value", _value(cards, card)),
        text(62, 12, card, 9.5, fill=MUTED),
        part("shield", symbol(87, 15, 19, symbols.shield(int(cards.shield[card])))),
        part("bonus", window + symbol(20, 80, 20, symbols.bonus(Bonus(int(cards.bonus[card]))))),
        part("cost", _bill(cards, card) if owner is None else small_bill),
        "" if owner is None else part("worker", symbol(81, 80, 30, symbols.pawn(owner))),
    )


def square(cards: CardSet, workers: Mapping[str, int | None]) -> str:
    """The Main Square: its points and bonus in the middle, a field for each resource around."""
    shield = symbol(MIDDLE, 12, 16, symbols.shield(cards.square_shield)) if cards.square_shield else ""
    fields = [_field(Resource[word.upper()], seat) for word, seat in workers.items()]
    return group(
        hint("the Main Square"),
        _ground(SQUARE_COLOURS),
        _surroundings(cards.square_streets, SQUARE_COLOURS),
        disc(MIDDLE, MIDDLE, PLAZA + 3, fill=WHITE, stroke=SQUARE_COLOURS.full, stroke_width=1.8),
        part("value", bold(MIDDLE, MIDDLE - 6, cards.square_points, 17, text_anchor="middle")),
        part("bonus", symbol(MIDDLE, MIDDLE + 9, 13, symbols.bonus(Bonus(cards.square_bonus)))),
        shield,
        *fields,
    )


def _field(kind: Resource, seat: int | None) -> str:
    x, y = FIELDS[kind]
    shades = RESOURCE_COLOURS[kind]
    place = disc(x, y, 15, fill=shades.pale, stroke=shades.full, stroke_width=1.6)
    if seat is None:
        signs = symbol(x, y, 19, symbols.resource(kind))
    else:
        signs = symbol(x + 10, y - 9, 11, symbols.resource(kind)) + symbol(x - 1, y, 25, symbols.pawn(seat))
    return part("field", place + signs, data_resource=kind.word)


def _ground(shades: Shades) -> str:
    return box(1, 1, TILE - 2, TILE - 2, 7, fill=shades.pale, stroke=shades.full, stroke_width=1.6)


def _surroundings(open_sides: NDArray[np.bool_], shades: Shades) -> str:
    """[B3] On every side a street to the middle, or houses."""
    homes = symbols.houses(shades.full)
    walls = [side for side in Side if not open_sides[side]]
    rows = [symbol(MIDDLE + 38 * x, MIDDLE + 40 * y, 19, homes) for x, y in (OUTWARD[side] for side in walls)]
    return "".join(rows) + part("streets", streets([side for side in Side if open_sides[side]]))


def streets(roads: Sequence[Side]) -> str:
    """Roads from the middle to the sides; they end flush with the card, so that those of two cards join."""
    if not roads:
        return ""
    ends = (OUTWARD[side] for side in roads)
    ways = " ".join(f"M{MIDDLE:g} {MIDDLE:g} l{MIDDLE * x:g} {MIDDLE * y:g}" for x, y in ends)
    return (
        path(ways, stroke=KERB, stroke_width=LANE)
        + path(ways, stroke=ROAD, stroke_width=LANE - 3)
        + path(ways, stroke=WHITE, stroke_width=1.4, stroke_dasharray="5 5", stroke_dashoffset=2.5)
    )


def _value(cards: CardSet, card: int) -> str:
    """[V1] The upper left corner: the base, and below it what is added for each thing counted."""
    base, per, counts = int(cards.base[card]), int(cards.per[card]), int(cards.counts[card])
    if counts == NOTHING:
        return bold(6, 18, base, 23)
    sign = symbol(32, 33, 12.5, symbols.counted(Counts(counts)))
    return bold(6, 15, base, 20) + bold(5, 33, f"+{per}", 11.5 if per < 10 else 9) + sign


def _bill(cards: CardSet, card: int) -> str:
    """[B1] The lower right corner of a card that is not built yet: what it costs, on a slip of paper."""
    amount = int(cards.cost[card].sum())
    across, size = (2, 15.0) if amount <= 4 else (3, 11.0)
    width, height = size * min(amount, across) + 5, size * -(-amount // across) + 5
    left, top = 97 - width, 97 - height
    slip = box(left, top, width, height, 3, fill=WHITE, stroke=KERB, stroke_width=1) if amount else ""
    return slip + _goods(cards, card, left + 2.5, top + 2.5 + size / 2, size, across)


def _goods(cards: CardSet, card: int, left: float, y: float, size: float, across: int) -> str:
    bill = [kind for kind in Resource for _ in range(int(cards.cost[card, kind]))]
    return "".join(
        symbol(left + size * (index % across + 0.5), y + size * (index // across), size * 0.88, symbols.resource(kind))
        for index, kind in enumerate(bill)
    )


def plot() -> str:
    """A place where a card may lie one day."""
    return box(3, 3, TILE - 6, TILE - 6, 7, fill="none", stroke=PLOT, stroke_width=1.4, stroke_dasharray="5 5")


def glow() -> str:
    """Four corners around the card that was placed last."""
    return symbols.SHAPES["glow"]


def worker(cards: CardSet, number: int, width: float, in_hand: bool) -> str:
    """[W] A worker card: its number, the coins it shows, the resources it may take; pale once it is played."""
    shown = [kind for kind in Resource if cards.worker_resources[number - 1, kind]]
    goods = "".join(symbol(11 + 13.5 * kind, 35, 12, symbols.resource(kind)) for kind in shown)
    coins = symbol(width - 12, 13, 17, symbols.coin(cards.worker_coins[number - 1]))
    fill, edge = (WHITE, INK) if in_hand else (PLAYED, RIM)
    paper = box(0.5, 0.5, width - 1, WORKER_HEIGHT - 1, 5, fill=fill, stroke=edge)
    shows = (part("coins", coins), part("resources", goods))
    face = group(bold(7, 14, number, 17), *shows, opacity=1 if in_hand else 0.3)
    return group(hint(f"worker card {number}, {'in hand' if in_hand else 'played'}"), paper, face)


def character(cards: CardSet, figure: Character, width: float) -> str:
    """A character's name above its power, its points in a star."""
    name = part("name", bold(0, 7, describe.title(figure), 11))
    power = part("power", text(0, 22, describe.POWERS[figure], 10.5, fill=MUTED))
    return name + power + part("points", symbol(width - 13, 14, 27, symbols.star(int(cards.points[figure]))))


def deck() -> str:
    """The deck from above, 52 wide and 88 high: a coin lies on top."""
    sheets = "".join(box(shift, 3 + shift, 46, 76, 5, fill=PAPER, stroke=KERB) for shift in (0, 3, 6))
    return sheets + symbol(29, 38, 26, symbols.coin())
