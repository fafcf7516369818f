"""The components (S1, S2): buildings and cards, as `deck.json` has them."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Lots = frozenset[int]

ALL_LOTS: Lots = frozenset(range(1, 17))  # S1
TOKENS = 5  # S1
MOST_STANDING = 16  # S1


@dataclass(frozen=True)
class Card:
    """[S2] A card: A has a building and lots, B has lots, C has a building and pairs of lots."""

    number: int
    type: str
    building: str | None
    lots: Lots
    pairs: frozenset[tuple[int, int]]


class Deck:
    """What is printed: the keys of the buildings in their order, and the cards by number."""

    def __init__(self, printed: dict[str, Any]) -> None:
        """[S1, S2] Read the parsed file."""
        self.buildings: list[str] = [building["key"] for building in printed["buildings"]]
        self.cards: dict[int, Card] = {}
        for entry in printed["cards"]:
            self.cards[entry["card"]] = Card(
                number=entry["card"],
                type=entry["type"],
                building=entry.get("building"),
                lots=frozenset(entry.get("lots", [])),
                pairs=frozenset((here, there) for here, there in entry.get("pairs", [])),
            )

    def numbers(self, *types: str) -> list[int]:
        """The cards of these types, in order."""
        return [number for number, card in sorted(self.cards.items()) if card.type in types]

    def in_order(self, keys: list[str]) -> list[str]:
        """The same buildings in the order of the deck."""
        return [key for key in self.buildings if key in keys]


BASE = Path(__file__).resolve().parents[3] / "oddville_env/oldtown/cards/base/deck.json"
DECK = Deck(json.loads(BASE.read_text(encoding="utf-8")))
