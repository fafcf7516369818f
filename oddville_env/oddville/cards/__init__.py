"""Card sets: what is printed on the components, read from five csv tables and checked."""

import csv
import functools
import hashlib
import io
import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from oddville_env.core.checked import path_of
from oddville_env.core.disk.files import write_whole
from oddville_env.core.errors import shown_path
from oddville_env.core.parts.values import ByDigest
from oddville_env.oddville.cards.sheet import CardError, Problem, Sheet, SheetForm
from oddville_env.oddville.cards.tables import TABLES
from oddville_env.oddville.cards.words import BUILDINGS, NOBODY, NOTHING, Bonus, Character, Counts, Resource, Side, Suit

__all__ = [
    "BASE", "NAMED", "NOBODY", "NOTHING", "Bonus", "CardError", "CardSet", "Character", "Counts", "Problem", "Resource",
    "Side", "Suit", "base_cards", "draw_cards", "load_cards", "summary", "write_cards",
]  # fmt: skip


BASE = Path(__file__).parent / "base"
"""The folder of the card set that comes with the package."""

MINI_KINDS = (2, 4, 8, 14, 17, 23, 27, 28, 33, 38, 41, 43, 50, 51, 53, 58)
"""Buildings of the base set by id: three of each guild and four diamonds, with every formula and every bonus."""

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
        content = {each.name: getattr(self, each.name) for each in fields(self) if each.name not in ("name", "digest")}
        for value in content.values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)
        text = json.dumps(content, sort_keys=True, default=np.ndarray.tolist)
        object.__setattr__(self, "digest", hashlib.sha256(text.encode()).hexdigest())

    def __reduce__(self) -> tuple[type["CardSet"], tuple[Any, ...]]:
        """Copies and pickles are made anew, because an array forgets on the way that it is read-only."""
        return CardSet, tuple(getattr(self, each.name) for each in fields(self) if each.init)


def load_cards(path: str | os.PathLike[str]) -> CardSet:
    """The card set in a folder that holds buildings.csv, workers.csv, characters.csv, board.csv and square.csv.

    `base` and `mini` are the sets of the package, unless a folder of that name holds one of these tables. Raises
    CardError, with every problem of all five tables, where the folder holds no card set, and SettingError.
    """
    path_of("the folder of a card set", path)
    name, folder = os.fspath(path), Path(os.path.abspath(path))
    if name in NAMED and not any((folder / table.file).exists() for table in TABLES):
        return NAMED[name]()
    if not os.path.isdir(path):
        expected = f"there is no such folder; sets of the package are {' and '.join(NAMED)}"
        raise CardError([Problem(shown_path(path), None, None, expected)])
    sheets = [Sheet(folder, table) for table in TABLES]
    problems = [problem for sheet in sheets for problem in sheet.problems]
    if problems:
        raise CardError(problems)
    return _card_set(folder.name, *sheets)


@functools.cache
def base_cards() -> CardSet:
    """The card set that comes with the package."""
    return load_cards(BASE)


@functools.cache
def mini_cards() -> CardSet:
    """The card set of OddVille Mini: four copies of each of 16 buildings of the base set; the rest is as there."""
    base, kinds = base_cards(), np.repeat(MINI_KINDS, BUILDINGS // len(MINI_KINDS))
    columns = [name for name in TABLES[0].columns if name != TABLES[0].key]
    return replace(base, name="mini", **{name: getattr(base, name)[kinds] for name in columns})


NAMED = {"base": base_cards, "mini": mini_cards}
"""The card sets of the package."""


def _card_set(name: str, buildings: Sheet, workers: Sheet, characters: Sheet, board: Sheet, square: Sheet) -> CardSet:
    found: dict[str, Any] = {"slots": dict(zip(board.column("players"), board.column("slots"), strict=True))}
    for sheet in (buildings, workers, characters):
        for column in list(sheet.table.columns)[1:]:
            values = np.array(sheet.column(column))
            found[sheet.table.prefix + column] = values if values.dtype == np.bool_ else values.astype(np.int8)
    found |= {square.table.prefix + column: square.column(column)[0] for column in square.table.columns}
    found |= {"square_bonus": Bonus(found["square_bonus"]), "square_streets": np.array(found["square_streets"])}
    return CardSet(name=name, **found)


def write_cards(cards: CardSet, folder: Path) -> None:
    """Write the tables, each whole or not at all."""
    for name, content in files_of(cards).items():
        write_whole(folder / name, content)


def files_of(cards: CardSet) -> dict[str, bytes]:
    """The tables, by the names of their files."""
    return {table.file: _text(table, _rows(cards, table)).encode() for table in TABLES}


def _rows(cards: CardSet, table: SheetForm) -> Iterable[Sequence[Any]]:
    names = [table.prefix + column for column in table.columns]
    if table.file == "board.csv":
        return cards.slots.items()
    if table.file == "square.csv":
        return [[getattr(cards, name) for name in names]]
    values = zip(*(getattr(cards, name) for name in names[1:]), strict=True)
    return [(number, *row) for number, row in enumerate(values, table.file == "workers.csv")]


def _text(table: SheetForm, rows: Iterable[Sequence[Any]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.columns)
    for row in rows:
        writer.writerow([column.write(value) for column, value in zip(table.columns.values(), row, strict=True)])
    return text.getvalue()


def summary(cards: CardSet) -> dict[str, dict[str, int]]:
    """The number of buildings of each suit, formula, bonus, cost and number of streets.

    `cost` counts buildings by how many resources they take, `resources` adds up what all of them take of each.
    """
    return {
        "suit": {suit.word: int(np.sum(cards.suit == suit)) for suit in Suit},
        "counts": {
            **{counts.word: int(np.sum(cards.counts == counts)) for counts in Counts},
            "nothing": int(np.sum(cards.counts == NOTHING)),
        },
        "bonus": {bonus.word: int(np.sum(cards.bonus == bonus)) for bonus in Bonus},
        "cost": _sizes(cards.cost.sum(axis=1)),
        "resources": {resource.word: int(cards.cost[:, resource].sum()) for resource in Resource},
        "streets": _sizes(cards.streets.sum(axis=1)),
    }


def _sizes(sizes: npt.NDArray[np.integer[Any]]) -> dict[str, int]:
    """Each number, from 1 to the largest, with how often it comes up."""
    return {str(size): int(np.sum(sizes == size)) for size in range(1, int(sizes.max()) + 1)}


MOST_OF_ONE = 2  # of a resource in one cost, as in the base set


def draw_cards(seed: int) -> CardSet:
    """A card set drawn at random, as well balanced as the base set; equal seeds draw equal sets.

    Drawn are which resources a building costs, at most two of the same, its bonus and its streets, the guilds of the
    cards that count rows or columns, and which guild a character belongs to. Values, sizes of costs and guilds, and how
    often each bonus, pattern of streets and resource occurs stay.
    """
    base, rng = base_cards(), np.random.default_rng(seed)
    suit, counts_lines = base.suit.copy(), (base.counts == Counts.ROW) | (base.counts == Counts.COLUMN)
    suit[counts_lines] = rng.permutation(suit[counts_lines])
    return replace(
        base,
        name=f"drawn-{seed}",
        suit=suit,
        cost=_costs(base, rng),
        bonus=rng.permutation(base.bonus),
        streets=rng.permutation(base.streets),
        guild=rng.permutation(base.guild),
    )


def _costs(base: CardSet, rng: np.random.Generator) -> np.ndarray:
    """All resources of all costs are shuffled, then those of cards that ask too much of one are dealt again."""
    sizes = base.cost.sum(1)
    owners = np.repeat(np.arange(len(sizes)), sizes)
    tokens = rng.permutation(np.repeat(np.tile(np.arange(len(Resource)), len(sizes)), base.cost.reshape(-1)))
    while True:
        cost = np.zeros_like(base.cost)
        np.add.at(cost, (owners, tokens), 1)
        wrong = cost.max(1) > MOST_OF_ONE
        if not wrong.any():
            return cost
        places = np.flatnonzero(wrong[owners])
        some = np.union1d(places, rng.choice(len(tokens), len(places), replace=False))
        tokens[some] = rng.permutation(tokens[some])
