"""Decks: what is printed on the components, read from `deck.json` and checked."""

import hashlib
import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

from oddville_env.core.checked import ValueKind, anything, different, faults, label, one_of, path_of, several, whole
from oddville_env.core.disk.reading import read_json
from oddville_env.core.errors import ProblemsError, shown
from oddville_env.core.parts.values import ByDigest
from oddville_env.oldtown.cards.words import A_LOTS, B_LOTS, BUILDINGS, CARDS, LOTS, NOTHING, TYPE_OF, CardType

BASE = Path(__file__).parent / "base" / "deck.json"
LONGEST_TEXT = 200  # letters
MOST_LETTERS = 40  # of a key or a name

KEY = ValueKind(
    f"small letters and single underscores, at most {MOST_LETTERS}",
    lambda key: isinstance(key, str) and len(key) <= MOST_LETTERS and re.fullmatch("[a-z]+(_[a-z]+)*", key) is not None,
)
LOT, NUMBER = whole(1, LOTS), whole(1, CARDS)
PAIR = ValueKind(
    f"two different lots from 1 to {LOTS}", lambda pair: isinstance(pair, list) and different(LOT, 2, 2).holds(pair)
)
PAIRS = ValueKind(
    "a list of different pairs of lots, at least one",
    lambda pairs: several(PAIR, 1, LOTS * LOTS).holds(pairs) and len(set(map(tuple, pairs))) == len(pairs),
    PAIR,
)
"""[S2] The pairs of lots of a C card."""
LIST = ValueKind("a list", lambda value: isinstance(value, list))
DECK = {"buildings": LIST, "cards": LIST, "note": anything()}


class DeckError(ProblemsError):
    """A file that is no deck; `problems` holds a sentence for every mistake."""


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
    return deck_of(read_json(path, "a deck", DeckError), path.stem if path.parent.name != "base" else "base")


@cache
def base_deck() -> Deck:
    """The deck that comes with the package."""
    return load_deck(BASE)


def deck_of(plain: Any, name: str = "deck") -> Deck:
    """The deck that plain JSON says; raises DeckError with every mistake in it."""
    problems = faults("the deck", plain, DECK, optional=("note",))
    if problems or (problems := list(_mistakes(plain))):
        raise DeckError(problems)
    buildings = tuple(Building(each["key"], each["name"]) for each in plain["buildings"])
    keys = [building.key for building in buildings]
    cards = sorted(plain["cards"], key=lambda card: int(card["card"]))
    return Deck(name, buildings, tuple(_card(card, keys) for card in cards))


def _mistakes(plain: Any) -> Iterator[str]:
    """[S2] The mistakes in single buildings and cards, then what is there twice or not at all."""
    buildings, cards, numbers = plain["buildings"][:BUILDINGS], plain["cards"], []
    keys = [each["key"] for each in buildings if isinstance(each, Mapping) and KEY.holds(each.get("key"))]
    for name, size in (("buildings", BUILDINGS), ("cards", CARDS)):
        if len(plain[name]) != size:
            yield f"{name}: expected {size}, found {len(plain[name])}"
    for place, building in enumerate(buildings, 1):
        yield from faults(f"building {place}", building, {"key": KEY, "name": label(MOST_LETTERS)})
    for place, card in enumerate(cards, 1):
        number: Any = card.get("card") if isinstance(card, Mapping) else None
        if NUMBER.holds(number):
            numbers.append(number)
            yield from faults(f"card {number}", card, _kinds(TYPE_OF[number - 1], keys))
        else:
            yield f"card at place {place}: expected an object whose card is {NUMBER.expected}, found {shown(card)}"
    yield from (f"two buildings have the key {key!r}" for key, times in Counter(keys).items() if times > 1)
    for number in range(1, CARDS + 1) if len(numbers) == CARDS else ():
        if (times := numbers.count(number)) != 1:
            yield f"card {number}: {'no card has' if times == 0 else f'{times} cards have'} this number"


def _kinds(kind: CardType, keys: Sequence[str]) -> dict[str, ValueKind]:
    """[S2] The fields of a card."""
    head = {"card": NUMBER, "type": one_of(kind.name)}
    if kind == CardType.A:
        return {**head, "building": one_of(*keys), "lots": different(LOT, A_LOTS, A_LOTS)}
    if kind == CardType.B:
        return {**head, "region": label(LONGEST_TEXT), "lots": different(LOT, B_LOTS[-1], B_LOTS[0])}
    return {**head, "building": one_of(*keys), "relation": label(LONGEST_TEXT), "pairs": PAIRS}


def _card(plain: Mapping[str, Any], keys: list[str]) -> Card:
    lots = tuple(sorted(lot - 1 for lot in plain.get("lots", ())))
    pairs = tuple(sorted((first - 1, second - 1) for first, second in plain.get("pairs", ())))
    building = keys.index(plain["building"]) if "building" in plain else NOTHING
    return Card(TYPE_OF[plain["card"] - 1], building, lots, pairs, plain.get("relation", plain.get("region", "")))


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
