"""A position in plain text of at most 100 columns: the picture for terminals and logs."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from oddville_env import describe
from oddville_env.cards import CardSet
from oddville_env.cards.words import NOTHING, Bonus, Counts, Resource, Side, Suit

COLUMNS = 100
CELL = 7
PITCH = CELL + 1
LINES = 3
MARGIN = 3
BAND = (COLUMNS - MARGIN - 1) // PITCH

BONUS_SIGNS = "WCSX*=>$"
"""A sign for each bonus, in the order of their numbers."""

COUNT_SIGNS = "MRBLDasrc"
"""A sign for each thing that a value counts, in the order of their numbers; the suits have theirs everywhere."""

BORDERS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
"""The corner for each set of arms: 1 up, 2 right, 4 down, 8 left."""

LEGEND = (
    "M mask  R rooster  B bells  L lily  D diamond  counted: a adjacent  s shields  r line  c column",
    "W wood  C clay  S stone  X crystal  bonus +: * any  = where it has a worker  > move  $ coin",
)

Cell = tuple[int, int]


def draw_text(position: Mapping[str, Any], cards: CardSet) -> str:
    """The position in plain text, readable enough to play from."""
    parts = (
        _header(position),
        _city(position, cards),
        LEGEND,
        _board(position, cards),
        _row(position, cards),
        _piles(position, cards),
        *(_seat(position, seat, cards) for seat in range(position["players"])),
    )
    return "\n\n".join("\n".join(line.rstrip() for line in part) for part in parts) + "\n"


def _header(position: Mapping[str, Any]) -> list[str]:
    told = [describe.prompt(position), describe.happened(position), describe.notice(position)]
    pending = f"pending: {', '.join(position['pending'])}" if position["pending"] else ""
    return [
        f"OddVille  round {position['round']} of at most {position['max_rounds']}  {describe.headline(position)}",
        "; ".join(filter(None, [*told[:1], pending, *told[1:]])),
    ]


def _city(position: Mapping[str, Any], cards: CardSet) -> list[str]:
    """The cards in a grid; a city too wide for the page is cut into bands of columns."""
    tiles = {(card["column"], card["line"]): _building(cards, card) for card in position["city"]}
    open_sides = {(card["column"], card["line"]): cards.streets[card["card"]] for card in position["city"]}
    tiles[0, 0], open_sides[0, 0] = _square(position, cards), cards.square_streets
    columns = range(min(column for column, _ in tiles), max(column for column, _ in tiles) + 1)
    bands = [columns[start : start + BAND] for start in range(0, len(columns), BAND)]
    return [line for band in bands for line in _band(band, tiles, open_sides)]
