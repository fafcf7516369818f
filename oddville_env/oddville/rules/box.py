"""All that is fixed for a game, as one record: card set, table, number of players and numbering of moves.

Compiled code reads every printed number from here, so another card set changes no line; code is compiled anew only for
a board with another number of slots, or a table with more cells than the default one: once for up to twice as many,
once for up to four times as many, and so on.
"""

from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

import numpy as np

from oddville_env.core.parts.values import DefensiveCopy
from oddville_env.oddville.cards import CardSet
from oddville_env.oddville.cards.words import NOTHING, NOWHERE, Bonus, Counts, Side

from .actions import PARTS, SPANS, Layout
from .state import BUILDINGS, CHARACTERS, DEFAULT_CELLS, RESOURCES, ROW, SIDES, SQUARE, SUITS, WORKER_CARDS, state_dtype

CARD = 1 + RESOURCES + 1 + SUITS + 1 + len(Counts) + 1 + len(Bonus) + SIDES
"""Numbers that describe a card: present, cost, base, suit, per, counts, shield, bonus, streets (words are one-hot)."""
LOT_FROM, LOT_TO = 2 + RESOURCES, CARD - SIDES
"""Those of them that matter once the card lies in the city: suit to bonus."""
PRINTED = WORKER_CARDS * (RESOURCES + ROW) + CHARACTERS
"""Numbers that observations show as printed: the worker cards' resources and prices, the characters' points."""

STEPS = {Side.N: (0, -1), Side.E: (1, 0), Side.S: (0, 1), Side.W: (-1, 0)}


class Table(NamedTuple):
    """[B8] Columns (odd, the square in the middle) and lines."""

    columns: int
    lines: int

    def cell(self, column: int, line: int) -> int:
        """The number of a cell, NOWHERE outside the table."""
        inside = abs(column) <= self.columns // 2 and 0 <= line < self.lines
        return line * self.columns + column + self.columns // 2 if inside else NOWHERE

    def place(self, cell: int) -> tuple[int, int]:
        """(column, line) of a cell."""
        line, column = divmod(int(cell), self.columns)
        return column - self.columns // 2, line


@dataclass(frozen=True)
class Box(DefensiveCopy):
    """A card set made ready for n players at a table: `record[0]` is what compiled code gets as `box`."""

    cards: CardSet
    players: int
    table: Table
    max_rounds: int
    layout: Layout = field(repr=False)
    record: np.ndarray = field(compare=False, repr=False)

    @property
    def games(self) -> np.dtype:
        """The dtype of a game of this box."""
        return state_dtype(*_capacity(self.table, self.layout.slots))


def _capacity(table: Table, slots: int) -> tuple[int, int]:
    """The cells and slots that records have room for.

    Tables up to the default one share one record type, larger ones of up to twice as many cells the next: machine code
    is compiled for each type, and numba never frees any.
    """
    cells = DEFAULT_CELLS
    while cells < table.columns * table.lines:
        cells *= 2
    return cells, slots


@cache
def box_dtype(cells: int, slots: int) -> np.dtype:
    """The record of all that is fixed."""
    actions = Layout(cells, 1, slots).size
    kinds, cards = len(SPANS), BUILDINGS + 1
    formats = {
        "players": "i2", "columns": "i2", "lines": "i2", "max_rounds": "i2", "actions": "i2",
        "start": ("i2", kinds), "factor": ("i2", (kinds, PARTS)),
        "kind": ("i1", actions), "part": ("i2", (actions, PARTS)),
        "suit": ("i1", cards), "base_value": ("i1", cards), "per": ("i1", cards), "counts": ("i1", cards),
        "shield": ("i1", cards), "bonus": ("i1", cards), "cost": ("i1", (cards, RESOURCES)),
        "streets": ("u1", (cards, SIDES)), "clash": ("u1", cards), "presses": ("u1", (cards, SIDES)),
        "shown": ("i1", WORKER_CARDS), "takes": ("u1", (WORKER_CARDS, RESOURCES)), "price": ("i1", (WORKER_CARDS, ROW)),
        "described": ("u1", (cards + 1, CARD)), "printed": ("u1", PRINTED),
        "guild": ("i1", CHARACTERS), "points": ("i1", CHARACTERS), "square_points": "i1",
        "upper_slot": "i1", "slot_price": ("i1", slots),
        "middle": "i2", "column": ("i2", cells), "line": ("i2", cells), "neighbour": ("i2", (cells, SIDES)),
    }  # fmt: skip
    plain = np.dtype({"names": list(formats), "formats": list(formats.values())}, align=True)
    return np.dtype((np.record, plain))


def pack(cards: CardSet, players: int, table: tuple[int, int], max_rounds: int) -> Box:
    """A card set, a number of players and a table as one record; the arguments have been checked."""
    place = Table(*table)
    slots = max(len(prices) for prices in cards.slots.values())
    layout = Layout(place.columns, place.lines, slots)
    record = np.zeros(1, box_dtype(*_capacity(place, slots)))
    box = record[0]
    box.players, box.columns, box.lines = players, place.columns, place.lines
    box.max_rounds, box.actions = max_rounds, layout.size
    _pack_layout(box, layout)
    _pack_cards(box, cards)
    _describe_cards(box)
    prices = cards.slots[players]
    box.upper_slot, box.slot_price[: len(prices)] = len(prices) - 1, prices
    _pack_table(box, place)
    return Box(cards, players, place, max_rounds, layout, record)


def _pack_layout(box: np.record, layout: Layout) -> None:
    parts = np.array(layout.parts)
    box.start[:] = layout.starts[:-1]
    box.factor[:] = [layout.factors(span) for span in SPANS]
    box.kind[: len(parts)] = parts[:, 0]
    box.part[: len(parts)] = parts[:, 1:]


def _pack_cards(box: np.record, cards: CardSet) -> None:
    """The square is one more card, without suit, value and cost."""
    for name in ("suit", "per", "counts", "shield", "bonus", "cost", "streets"):
        box[name][:BUILDINGS] = getattr(cards, name)
    box.base_value[:BUILDINGS] = cards.base
    box.suit[SQUARE] = box.counts[SQUARE] = NOTHING
    box.shield[SQUARE], box.bonus[SQUARE] = cards.square_shield, cards.square_bonus
    box.streets[SQUARE] = cards.square_streets
    street, houses = 1 << np.arange(SIDES), 1 << np.arange(SIDES, 2 * SIDES)
    box.clash[:] = np.where(box.streets, houses, street).sum(axis=1)
    opposite = [(side + 2) % SIDES for side in Side]
    box.presses[:] = np.where(box.streets, street[opposite], houses[opposite])
    box.shown[:], box.takes[:], box.price[:] = cards.worker_coins, cards.worker_resources, cards.worker_prices
    box.guild[:], box.points[:], box.square_points = cards.guild, cards.points, cards.square_points


def _describe_cards(box: np.record) -> None:
    """Cards by what they do, as learners see them; the last row of buildings, NOTHING's, stays zero."""
    suit, counts = np.eye(SUITS + 1, SUITS)[box.suit], np.eye(len(Counts) + 1, len(Counts))[box.counts]
    columns = [box.cost, box.base_value, suit, box.per, counts, box.shield, np.eye(len(Bonus))[box.bonus], box.streets]
    present = np.ones((BUILDINGS + 1, 1))
    box.described[:-1] = np.hstack([present, *(column.reshape(BUILDINGS + 1, -1) for column in columns)])
    box.printed[:] = np.concatenate([box.takes.ravel(), box.price.ravel(), box.points])


def _pack_table(box: np.record, table: Table) -> None:
    box.middle = table.cell(0, 0)
    for cell in range(table.columns * table.lines):
        column, line = table.place(cell)
        box.column[cell], box.line[cell] = column, line
        box.neighbour[cell] = [table.cell(column + right, line + down) for right, down in STEPS.values()]
