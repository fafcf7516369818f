"""Encodings of rows [T, D], for networks with attention: a row for each card, seat and other thing of a game.

Rows of a kind stand side by side, and so many of them that all things of the kind find a place. A row that is not there
is zero. The first columns mean the same in all rows; columns behind them belong to the kind.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts.pieces import FULL, Piece

PRESENT, KIND, SEAT = 0, 1, 2
"""Columns of all rows: that it is there, the number of its kind from 1, and from SEAT on a one for each seat that has
it, the observer first."""


class Rows(NamedTuple):
    """The rows of one kind: how many, what their numbers are divided by, by column (1 elsewhere), and a text."""

    number: int
    text: str
    units: Mapping[int, int] = {}


def row_pieces(width: int, kinds: Mapping[str, Rows]) -> tuple[Piece, ...]:
    """A piece [rows, D] for each kind by its name; D is the width."""
    return tuple(
        Piece(name, (rows.number, width), FULL, rows.text, -FULL, tuple(rows.units.get(at, 1) for at in range(width)))
        for name, rows in kinds.items()
    )


def starts(kinds: Mapping[str, Rows]) -> tuple[int, ...]:
    """The first row of each kind."""
    numbers = [rows.number for rows in kinds.values()]
    return tuple(sum(numbers[:kind]) for kind in range(len(numbers)))


def row_writer(width: int) -> Any:
    """The kernel row_of(out, number, kind) of an encoding: it begins a row of out [N], and returns it as [D]."""

    @kernel
    def row_of(out, number, kind):
        """A row that is there."""
        row = out[number * width : (number + 1) * width]
        row[PRESENT], row[KIND] = 1, kind + 1
        return row

    return row_of


def spread(first: int, *units: int) -> dict[int, int]:
    """Units of neighbouring columns, the first of them at `first`."""
    return dict(enumerate(units, first))
