"""A folder with five csv tables becomes a card set: checked, read-only numpy tables under the rulebook's names."""

import functools
import hashlib
import json
import os
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from oddville_env.core.checked.settings import path_of
from oddville_env.core.errors import shown_path
from oddville_env.core.parts.values import ByDigest
from oddville_env.oddville.cards.sheet import CardError, Problem, Sheet
from oddville_env.oddville.cards.tables import TABLES
from oddville_env.oddville.cards.words import Bonus

BASE = Path(__file__).parent / "base"
"""The folder of the card set that comes with the package."""
OF_BUILDINGS = ("suit", "base", "per", "counts", "shield", "cost", "bonus")
OF_CHARACTERS = ("guild", "points")
"""Columns of the tables that are fields of a card set."""

Numbers = npt.NDArray[np.int8]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CardSet(ByDigest):
    """All that is printed on the components of a box; two card sets are equal when their digests are.

    Shapes: C = 64 buildings by id, R = 4 resources, W = 4 worker cards (card 1 at index 0), 12 characters in the order
    of `Character`. Streets are in the order of `Side`: north, east, south, west. All arrays are read-only.
    """

    name: str
    """The folder's name."""
    suit: Numbers
    """int8[C], a `Suit`."""
    base: Numbers
    """int8[C], [V1] what the building is worth before it counts anything."""
    per: Numbers
    """int8[C], [V1] what each counted thing adds; 0 exactly where `counts` is NOTHING."""
    counts: Numbers
    """int8[C], [V1] a `Counts`, or NOTHING."""
    shield: Numbers
    """int8[C], [V1] the shields that its neighbours may count."""
    cost: Numbers
    """int8[C, R], [B1] workers to take off each resource."""
    bonus: Numbers
    """int8[C], [N] a `Bonus`."""
    streets: Flags
    """bool[C, 4], [B3] the sides that a street leaves by."""
    worker_coins: Numbers
    """int8[W], [W2] the coins that the worker card shows."""
    worker_resources: Flags
    """bool[W, R], [W3] the resources that it shows."""
    worker_prices: Numbers
    """int8[W, 6], [W4] its price for each position of the row, far left first."""
    guild: Numbers
    """int8[12], [S4] the guild of each character, a `Suit` below DIAMOND."""
    points: Numbers
    """int8[12], [C] the points of each character."""
    slots: dict[int, tuple[int, ...]]
    """[S3] For 2, 3 and 4 players the prices of a resource's slots, cheapest first, the upper slot last."""
    square_points: int
    """[V2] The points of the square for each seat with a worker on it."""
    square_bonus: Bonus
    """[B5] The bonus of the square for a building that a street joins to it."""
    square_shield: int
    """[V1] The shields that its neighbours may count."""
    square_streets: Flags
    """bool[4], [B3] the sides that a street leaves by."""
    digest: str = field(init=False)
    """sha256 of the values, in hex: the same for the same cards, however their tables are written down."""

    def __post_init__(self) -> None:
        """Make the arrays read-only and take the digest of all values but the name."""
        content: dict[str, Any] = {}
        for each in fields(self):
            if each.name not in ("name", "digest"):
                value = getattr(self, each.name)
                content[each.name] = value
                if isinstance(value, np.ndarray):
                    value.setflags(write=False)
                    content[each.name] = value.tolist()
        text = json.dumps(content, sort_keys=True)
        object.__setattr__(self, "digest", hashlib.sha256(text.encode()).hexdigest())

    def __reduce__(self) -> tuple[type["CardSet"], tuple[Any, ...]]:
        """Copies and pickles are made anew, because an array forgets on the way that it is read-only."""
        return CardSet, tuple(getattr(self, each.name) for each in fields(self) if each.init)


def load_cards(path: str | os.PathLike[str]) -> CardSet:
    """The card set in a folder that holds buildings.csv, workers.csv, characters.csv, board.csv and square.csv.

    Raises CardError, with every problem of all five tables, where the folder holds no card set, and SettingError.
    """
    path_of("the folder of a card set", path)
    if not os.path.isdir(path):
        raise CardError([Problem(shown_path(path), None, None, "there is no such folder")])
    folder = Path(os.path.abspath(path))
    sheets = [Sheet(folder, table) for table in TABLES]
    problems = [problem for sheet in sheets for problem in sheet.problems]
    if problems:
        raise CardError(problems)
    return _card_set(folder.name, *sheets)


@functools.cache
def base_cards() -> CardSet:
    """The card set that comes with the package."""
    return load_cards(BASE)


def _card_set(name: str, buildings: Sheet, workers: Sheet, characters: Sheet, board: Sheet, square: Sheet) -> CardSet:
    (points,), (bonus,), (shield,) = (square.column(name) for name in ("points", "bonus", "shield"))
    return CardSet(
        name=name,
        **{column: _numbers(buildings, column) for column in OF_BUILDINGS},
        streets=_flags(buildings, "streets"),
        worker_coins=_numbers(workers, "coins"),
        worker_resources=_flags(workers, "resources"),
        worker_prices=_numbers(workers, "prices"),
        **{column: _numbers(characters, column) for column in OF_CHARACTERS},
        slots=dict(zip(board.column("players"), board.column("slots"), strict=True)),
        square_points=points,
        square_bonus=Bonus(bonus),
        square_shield=shield,
        square_streets=_flags(square, "streets")[0],
    )


def _numbers(sheet: Sheet, column: str) -> Numbers:
    return np.array(sheet.column(column), np.int8)


def _flags(sheet: Sheet, column: str) -> Flags:
    return np.array(sheet.column(column), np.bool_)
