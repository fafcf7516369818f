"""The town: 4 x 4 lots with the buildings that stand, and the tokens of those that may."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from oddville_env.core.svg.elements import Fragment, at, bold, box, group, hint, path, symbol, text
from oddville_env.core.svg.palette import KERB, MUTED, ROAD
from oddville_env.oldtown.cards import Deck
from oddville_env.oldtown.cards.words import LOTS
from oddville_env.oldtown.svg.clues import SIDE, lot_place
from oddville_env.oldtown.svg.symbols import DUST, LOT, LOT_RIM, tile, token

CELL = 152.0
STREET = 34.0
EDGE = 10.0
TOWN = SIDE * CELL + STREET + 2 * EDGE
LOT_GAP = 4.0
HOUSE = 1.14
TOKEN = 32.0
ROOM = 112.0  # of a lot, for its tokens

LOT_SIDE = CELL - LOT_GAP
TOP, LEFT = 28.0, 12.0  # of a lot, where its tokens begin

Lots = Mapping[str, Sequence[int] | None]
"""Of each building, by its key, the lots of its set, from 1; None where it is not on the board."""


class Spot(NamedTuple):
    """The place of a drawing: its middle, and its width."""

    x: float
    y: float
    size: float


def town(deck: Deck, buildings: Lots) -> Fragment:
    """All lots with what lies on them."""
    lots = [at(*corner(lot), _content(deck, buildings, lot + 1)) for lot in range(LOTS)]
    return Fragment(group(ground(), *lots), TOWN, TOWN)


def ground() -> str:
    """All lots, empty, with streets between the quarters."""
    lots = [
        at(
            *corner(lot),
            box(0, 0, LOT_SIDE, LOT_SIDE, 7, fill=LOT, stroke=LOT_RIM) + bold(10, 14, lot + 1, 12, fill=MUTED),
        )
        for lot in range(LOTS)
    ]
    return group(box(0, 0, TOWN, TOWN, 9, fill=DUST), _streets(), *lots)


def corner(lot: int) -> tuple[float, float]:
    """The upper left corner of a lot, counted from 0."""
    x, y = lot_place(lot, CELL, STREET)
    return EDGE + x + LOT_GAP / 2, EDGE + y + LOT_GAP / 2


def token_spots(number: int) -> list[Spot]:
    """The places of so many tokens on a lot: one below the other; many pencil marks are small."""
    pitch = min(TOKEN + 6, ROOM / max(number, 1))
    size = pitch * TOKEN / (TOKEN + 6)
    return [Spot(LEFT + size / 2, TOP + pitch * (place + 0.5), size) for place in range(number)]


def pencil_spots() -> list[Spot]:
    """The places on a lot where the sixteen buildings of a puzzle can be pencilled in: four in a row."""
    across, down = (LOT_SIDE - 8) / SIDE, ROOM / SIDE
    places = [divmod(place, SIDE) for place in range(LOTS)]
    return [Spot(4 + across * (column + 0.5), TOP + down * (row + 0.5), down - 3) for row, column in places]


def house_spot() -> Spot:
    """The place of a building on its lot."""
    return Spot(LOT_SIDE / 2, 25 + 50 * HOUSE, 100 * HOUSE)


def _streets() -> str:
    """Two streets, with the tracks of wagons."""
    middle = TOWN / 2
    across, down = f"M0 {middle:g} H{TOWN:g}", f"M{middle:g} 0 V{TOWN:g}"
    road = path(f"{across} {down}", stroke=ROAD, stroke_width=STREET - 8)
    track = "".join(
        path(f"M0 {middle + shift:g} H{TOWN:g} M{middle + shift:g} 0 V{TOWN:g}", stroke=KERB, stroke_width=1,
             stroke_dasharray="12 5", opacity=0.5)
        for shift in (-5, 5)
    )  # fmt: skip
    return road + track


def _content(deck: Deck, buildings: Lots, lot: int) -> str:
    there = [number for number, key in enumerate(deck.keys) if lot in (buildings.get(key) or ())]
    for building in there:
        if len(buildings[deck.keys[building]] or ()) == 1:
            x, y, size = house_spot()
            house = at(x - size / 2, y - size / 2, tile(deck, building), HOUSE)
            return house + bold(x, LOT_SIDE - 12, deck.buildings[building].name, 12, text_anchor="middle")
    lines = []
    for building, (x, y, size) in zip(there, token_spots(len(there)), strict=True):
        name = deck.buildings[building].name
        words = text(x + size / 2 + 6, y, name, min(12.0, size * 0.46))
        lines.append(group(hint(name), symbol(x, y, size, token(deck, building)) + words))
    return "".join(lines)


def miniature(deck: Deck, placement: Sequence[str | None], width: float) -> Fragment:
    """A small town: the buildings of lots 1 to 16, None where a lot is empty."""
    scale = width / TOWN
    at_lot = {key: [lot] for lot, key in enumerate(placement, 1) if key is not None}
    return Fragment(at(0, 0, town(deck, at_lot).body, scale), width, width)
