"""A card set as a folder with five csv tables, which `load_cards` reads, and as counts for checking a real box."""

import csv
import io
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from oddville_env.core.disk.files import atomic_write
from oddville_env.oddville.cards.loader import CardSet
from oddville_env.oddville.cards.tables import TABLES
from oddville_env.oddville.cards.words import NOTHING, Bonus, Character, Counts, Resource, Side, Suit


def write_cards(cards: CardSet, folder: Path) -> None:
    """Write the tables, each whole or not at all."""
    for name, content in files_of(cards).items():
        with atomic_write(folder / name, "wb") as file:
            file.write(content)


def files_of(cards: CardSet) -> dict[str, bytes]:
    """The tables, by the names of their files."""
    rows = {
        "buildings.csv": [_building(cards, card) for card in range(len(cards.suit))],
        "workers.csv": [_worker(cards, worker) for worker in range(len(cards.worker_coins))],
        "characters.csv": [
            (each.word, Suit(int(cards.guild[each])).word, int(cards.points[each])) for each in Character
        ],
        "board.csv": [(players, f"{_numbers(prices)}*") for players, prices in cards.slots.items()],
        "square.csv": [
            (cards.square_points, cards.square_bonus.word, cards.square_shield, _streets(cards.square_streets))
        ],
    }
    return {table.file: _text([tuple(table.columns), *rows[table.file]]).encode() for table in TABLES}


def _text(rows: Iterable[tuple[Any, ...]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _building(cards: CardSet, card: int) -> tuple[Any, ...]:
    counts = int(cards.counts[card])
    return (
        card,
        Suit(int(cards.suit[card])).word,
        int(cards.base[card]),
        int(cards.per[card]),
        "" if counts == NOTHING else Counts(counts).word,
        int(cards.shield[card]),
        " ".join(each.word for each in Resource for _ in range(int(cards.cost[card, each]))),
        Bonus(int(cards.bonus[card])).word,
        _streets(cards.streets[card]),
    )


def _worker(cards: CardSet, worker: int) -> tuple[Any, ...]:
    shown = " ".join(each.word for each in Resource if cards.worker_resources[worker, each])
    return worker + 1, int(cards.worker_coins[worker]), shown, _numbers(cards.worker_prices[worker])


def _numbers(numbers: Iterable[Any]) -> str:
    return " ".join(str(int(each)) for each in numbers)


def _streets(streets: Any) -> str:
    return "".join(side.name for side in Side if streets[side])


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
