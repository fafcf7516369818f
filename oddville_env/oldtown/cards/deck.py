"""A deck of clue cards: `deck.json` read and checked into one frozen value."""

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

from oddville_env.core.checked.settings import path_of
from oddville_env.core.errors import shown
from oddville_env.core.parts.values import ByDigest
from oddville_env.oldtown.cards.checks import MOST_LETTERS, Checks, DeckError, read_json
from oddville_env.oldtown.cards.words import (
    A_LOTS,
    B_LOTS,
    BUILDINGS,
    CARDS,
    LOTS,
    NOTHING,
    TYPE_OF,
    CardType,
)

BASE = Path(__file__).parent / "base" / "deck.json"
FIELDS = {
    CardType.A: ("card", "type", "building", "lots"),
    CardType.C: ("card", "type", "building", "relation", "pairs"),
    CardType.B: ("card", "type", "region", "lots"),
}
LONGEST_TEXT = 200  # letters


class Building(NamedTuple):
    """A building: its key in words and JSON, and its name for people."""

    key: str
    name: str


class Card(NamedTuple):
    """A clue card; lots count from 0 here, and pairs are (lot of its building, lot of the own building)."""

    type: CardType
    building: int
    """The named building, NOTHING on a B card."""
    lots: tuple[int, ...]
    """Of A and B cards, ascending."""
    pairs: tuple[tuple[int, int], ...]
    """Of C cards, ascending."""
    text: str
    """The name of a C card's relation or of a B card's region."""


@dataclass(frozen=True, eq=False, repr=False)
class Deck(ByDigest):
    """[S1 S2] All that is printed on the components: buildings and cards in the order of their numbers."""

    name: str
    buildings: tuple[Building, ...]
    cards: tuple[Card, ...]
    digest: str = field(init=False)
    """sha256 of what matters to the rules, in hex: names do not change it."""

    def __post_init__(self) -> None:
        plain = [self.keys, [(card.type.name, card.building, card.lots, card.pairs) for card in self.cards]]
        object.__setattr__(self, "digest", hashlib.sha256(json.dumps(plain).encode()).hexdigest())

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The keys of the buildings, in the order of the deck."""
        return tuple(building.key for building in self.buildings)

    def index(self, key: str) -> int:
        """The number of a building, from 0."""
        return self.keys.index(key)


def load_deck(path: str | os.PathLike[str]) -> Deck:
    """The deck in a file; raises DeckError with every mistake in it, and SettingError."""
    path = path_of("the file of a deck", path)
    return deck_of(read_json(path), path.stem if path.parent.name != "base" else "base")


@cache
def base_deck() -> Deck:
    """The deck that comes with the package."""
    return load_deck(BASE)


def deck_of(plain: object, name: str = "deck") -> Deck:
    """The deck that plain JSON says; raises DeckError with every mistake in it."""
    checks = Checks()
    fields = checks.fields("the deck", plain, ("buildings", "cards"), optional=("note",))
    buildings = _buildings(checks, fields.get("buildings"))
    keys = [building.key for building in buildings]
    cards = _cards(checks, fields.get("cards"), keys)
    if checks.problems:
        raise DeckError(checks.problems)
    return Deck(name, tuple(buildings), tuple(cards[number] for number in range(1, CARDS + 1)))


def _buildings(checks: Checks, plain: object) -> list[Building]:
    found: list[Building] = []
    entries = checks.entries("buildings", plain)
    for number, entry in enumerate(entries[:BUILDINGS], 1):
        where = f"building {number}"
        fields = checks.fields(where, entry, ("key", "name"))
        key = checks.key(where, fields.get("key"))
        if key in [building.key for building in found]:
            checks.blame(where, f"key {key!r} is another building's too")
        found.append(Building(key, checks.text(where, "name", fields.get("name"), MOST_LETTERS)))
    if plain is not None and len(entries) != BUILDINGS:
        checks.blame("buildings", f"expected {BUILDINGS}, found {len(entries)}")
    return found


def _cards(checks: Checks, plain: object, keys: list[str]) -> dict[int, Card]:
    found: dict[int, Card] = {}
    entries = checks.entries("cards", plain)
    for place, entry in enumerate(entries, 1):
        if not isinstance(entry, Mapping):
            checks.blame(f"card at place {place}", f"expected an object, found {shown(entry)}")
            continue
        number = checks.number(f"card at place {place}", "card", entry.get("card"), 1, CARDS)
        if number == NOTHING:
            continue
        if number in found:
            checks.blame(f"card {number}", "two cards have this number")
        found[number] = _card(checks, f"card {number}", number, entry, keys)
    if plain is not None and len(entries) != CARDS:
        checks.blame("cards", f"expected {CARDS}, found {len(entries)}")
    for number in sorted(set(range(1, CARDS + 1)) - set(found)) if len(entries) == CARDS else ():
        checks.blame(f"card {number}", "no card has this number")
    return found


def _card(checks: Checks, where: str, number: int, entry: Mapping[str, Any], keys: list[str]) -> Card:
    kind = TYPE_OF[number - 1]
    fields = checks.fields(where, entry, FIELDS[kind])
    if "type" in fields and fields["type"] != kind.name:
        checks.blame(where, f"field type: expected {kind.name!r} for this number, found {shown(fields['type'])}")
    building, text = NOTHING, ""
    lots: tuple[int, ...] = ()
    pairs: tuple[tuple[int, int], ...] = ()
    if "building" in fields:
        building = checks.one_of(where, "building", fields["building"], keys)
    if "lots" in fields:
        lots = tuple(sorted(_lots(checks, where, fields["lots"], (A_LOTS,) if kind == CardType.A else B_LOTS)))
    if "pairs" in fields:
        pairs = tuple(sorted(_pairs(checks, where, fields["pairs"])))
    for name in ("relation", "region"):
        if name in fields:
            text = checks.text(where, name, fields[name], LONGEST_TEXT)
    return Card(kind, building, lots, pairs, text)


def _lots(checks: Checks, where: str, plain: object, sizes: tuple[int, ...]) -> Iterator[int]:
    """[S2] Lots of the town, each once, and as many as such a card has."""
    lots = [checks.number(where, "lots", lot, 1, LOTS) for lot in checks.entries(f"{where}, field lots", plain)]
    if len(set(lots)) != len(lots):
        checks.blame(where, "field lots: a lot stands twice")
    elif isinstance(plain, list) and len(lots) not in sizes:
        checks.blame(where, f"field lots: expected {' or '.join(map(str, sizes))} lots, found {len(lots)}")
    return (lot - 1 for lot in lots)


def _pairs(checks: Checks, where: str, plain: object) -> Iterator[tuple[int, int]]:
    """[S2] Ordered pairs of two lots, each once, and at least one."""
    pairs = []
    for pair in checks.entries(f"{where}, field pairs", plain):
        if not isinstance(pair, list) or len(pair) != 2:
            checks.blame(where, f"field pairs: expected two lots, found {shown(pair)}")
            continue
        first, second = (checks.number(where, "pairs", lot, 1, LOTS) for lot in pair)
        if first == second != NOTHING:
            checks.blame(where, f"field pairs: lot {first} is paired with itself")
        pairs.append((first, second))
    if len(set(pairs)) != len(pairs):
        checks.blame(where, "field pairs: a pair stands twice")
    if plain == []:
        checks.blame(where, "field pairs: the relation is empty, expected at least one pair of lots")
    return ((first - 1, second - 1) for first, second in pairs)


def summary(deck: Deck) -> dict[str, dict[str, int]]:
    """The number of cards of each type, building and lot, and of each number of pairs."""
    named = Counter(deck.keys[card.building] for card in deck.cards if card.building != NOTHING)
    lots = Counter(lot for card in deck.cards for lot in card.lots)
    pairs = Counter(len(card.pairs) for card in deck.cards if card.type == CardType.C)
    return {
        "type": {kind.name: sum(card.type == kind for card in deck.cards) for kind in CardType},
        "building": {key: named[key] for key in deck.keys},
        "lot": {str(lot + 1): lots[lot] for lot in range(LOTS)},
        "pairs": {str(number): pairs[number] for number in sorted(pairs)},
    }
