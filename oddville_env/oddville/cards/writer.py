"""A card set as a folder with five csv tables: what `load_cards` reads."""

import csv
import io
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from oddville_env.core.disk.files import written_whole
from oddville_env.oddville.cards.loader import CardSet
from oddville_env.oddville.cards.tables import TABLES
from oddville_env.oddville.cards.words import NOTHING, Bonus, Character, Counts, Resource, Side, Suit


def write_cards(cards: CardSet, folder: Path) -> None:
    """Write the tables, each whole or not at all."""
    for name, content in files_of(cards).items():
        with written_whole(folder / name, "wb") as file:
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
