"""The town: 4 x 4 lots with the buildings that stand, and the tokens of those that may."""

from collections.abc import Mapping, Sequence

from oddville_env.core.svg.elements import Piece, at, bold, box, group, hint, path, text
from oddville_env.core.svg.palette import KERB, MUTED, ROAD
from oddville_env.oldtown.cards import Deck
from oddville_env.oldtown.cards.words import LOTS
from oddville_env.oldtown.svg.clues import SIDE, lot_place
from oddville_env.oldtown.svg.palette import DUST, LOT, LOT_RIM
from oddville_env.oldtown.svg.symbols import symbol, tile, token

CELL = 152.0
STREET = 34.0
EDGE = 10.0
TOWN = SIDE * CELL + STREET + 2 * EDGE
LOT_GAP = 4.0
HOUSE = 1.14
TOKEN = 32.0
ROOM = 112.0  # of a lot, for its tokens

Lots = Mapping[str, Sequence[int] | None]
"""Of each building, by its key, the lots of its set, from 1; None where it is not on the board."""


def town(deck: Deck, buildings: Lots) -> Piece:
    """All lots, with streets between the quarters."""
    lots = [at(*_place(lot), _lot(deck, buildings, lot + 1)) for lot in range(LOTS)]
    ground = box(0, 0, TOWN, TOWN, 9, fill=DUST)
    return Piece(group(ground, _streets(), *lots), TOWN, TOWN)


def _place(lot: int) -> tuple[float, float]:
    x, y = lot_place(lot, CELL, STREET)
    return EDGE + x + LOT_GAP / 2, EDGE + y + LOT_GAP / 2


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


def _lot(deck: Deck, buildings: Lots, lot: int) -> str:
    side = CELL - LOT_GAP
    there = [number for number, key in enumerate(deck.keys) if lot in (buildings.get(key) or ())]
    standing = [number for number in there if len(buildings[deck.keys[number]] or ()) == 1]
    ground = box(0, 0, side, side, 7, fill=LOT, stroke=LOT_RIM)
    label = bold(10, 14, lot, 12, fill=MUTED)
    if standing:
        return ground + label + _standing(deck, standing[0], side)
    return ground + label + _tokens(deck, there, side)


def _standing(deck: Deck, building: int, side: float) -> str:
    house = at((side - 100 * HOUSE) / 2, 25, tile(deck, building), HOUSE)
    return house + bold(side / 2, side - 12, deck.buildings[building].name, 12, text_anchor="middle")


def _tokens(deck: Deck, buildings: Sequence[int], side: float) -> str:
    """One below the other; many, as someone may pencil them in, are small."""
    pitch = min(TOKEN + 6, ROOM / max(len(buildings), 1))
    size = pitch * TOKEN / (TOKEN + 6)
    words = min(12.0, size * 0.46)
    lines = []
    for place, building in enumerate(buildings):
        y = 28 + pitch * (place + 0.5)
        name = deck.buildings[building].name
        drawn = symbol(12 + size / 2, y, size, token(deck, building)) + text(18 + size, y, name, words)
        lines.append(group(hint(name), drawn))
    return "".join(lines)


def miniature(deck: Deck, placement: Sequence[str | None], width: float) -> Piece:
    """A small town: the buildings of lots 1 to 16, None where a lot is empty."""
    scale = width / TOWN
    at_lot = {key: [lot] for lot, key in enumerate(placement, 1) if key is not None}
    return Piece(at(0, 0, town(deck, at_lot).body, scale), width, width)
