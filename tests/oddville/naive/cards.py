"""The card set as plain Python: the five csv tables of a folder, read with the csv module and nothing else."""

import csv
from dataclasses import dataclass
from pathlib import Path

BASE = Path(__file__).resolve().parents[3] / "oddville_env/oddville/cards/base"
RESOURCES = ("wood", "clay", "stone", "crystal")
GUILDS = ("mask", "rooster", "bells", "lily")


@dataclass(frozen=True)
class Building:
    """A card of the city. The square is one too: without suit and cost, its points are its base."""

    suit: str
    base: int
    per: int
    counts: str
    shield: int
    cost: list[str]
    bonus: list[str]
    streets: str


@dataclass(frozen=True)
class Worker:
    """A worker card: the coins and the resources it shows, and its price for each position of the row."""

    coins: int
    resources: list[str]
    prices: list[int]


@dataclass(frozen=True)
class Character:
    """A character: its guild and its points."""

    guild: str
    points: int


@dataclass(frozen=True)
class CardSet:
    """All five tables. `slots`: the prices of a resource's slots by number of players; the last one is the upper."""

    buildings: dict[int, Building]
    workers: dict[int, Worker]
    characters: dict[str, Character]
    slots: dict[int, list[int]]
    square: Building


def load_cards(folder: Path = BASE) -> CardSet:
    """Read the set of a folder."""
    return CardSet(
        buildings={int(row["id"]): _building(row) for row in _rows(folder / "buildings.csv")},
        workers={int(row["worker"]): _worker(row) for row in _rows(folder / "workers.csv")},
        characters={
            row["character"]: Character(row["guild"], int(row["points"])) for row in _rows(folder / "characters.csv")
        },
        slots={int(row["players"]): _slots(row["slots"]) for row in _rows(folder / "board.csv")},
        square=_square(_rows(folder / "square.csv")[0]),
    )


def _rows(file: Path) -> list[dict[str, str]]:
    with file.open(newline="", encoding="utf-8") as text:
        return list(csv.DictReader(text))


def _building(row: dict[str, str]) -> Building:
    base, per, shield = (int(row[name]) for name in ("base", "per", "shield"))
    cost, bonus = row["cost"].split(), row["bonus"].split()
    return Building(row["suit"], base, per, row["counts"], shield, cost, bonus, row["streets"])


def _square(row: dict[str, str]) -> Building:
    points, shield = int(row["points"]), int(row["shield"])
    return Building("", points, 0, "", shield, [], row["bonus"].split(), row["streets"])


def _worker(row: dict[str, str]) -> Worker:
    return Worker(int(row["coins"]), row["resources"].split(), [int(price) for price in row["prices"].split()])


def _slots(text: str) -> list[int]:
    """[S3] The prices in the order of the slots' numbers; the star marks the upper slot, which is always the last."""
    return [int(slot.rstrip("*")) for slot in text.split()]
