"""The observations of a proof, as values and as sentences; lots and buildings as a sentence names them."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import cache
from typing import Any, NamedTuple

from oddville_env.oldtown.cards import Deck
from oddville_env.oldtown.describe import joined, one_of


class Sight(StrEnum):
    """The kinds of what a proof sees."""

    CLUE = "clue"
    """An A or B card leaves its building some lots."""
    RELATION = "relation"
    """A C card, with one of some own buildings, leaves lots."""
    NEEDS_OWN = "needs_own"
    """A C card is true with one of some own buildings only."""
    NO_OWN = "no_own"
    """A C card can be true for no own building."""
    GROUP = "group"
    """As many buildings as lots take these lots from all others."""
    CROWD = "crowd"
    """Buildings have fewer lots than they are."""
    TOGETHER = "together"
    """A fact that the tokens and a card give at once."""
    SUPPOSED_OWN = "supposed_own"
    SUPPOSED_LOT = "supposed_lot"
    SOLVED = "solved"


class Left(NamedTuple):
    """The lots, as a mask, that are left to a building."""

    building: int
    lots: int


class Seen(NamedTuple):
    """An observation: its kind, and what of these it is about; lots and each set of own buildings as masks."""

    kind: Sight
    card: int = 0
    buildings: tuple[int, ...] = ()
    others: tuple[int, ...] = ()
    lots: int = 0
    owns: tuple[int, ...] = ()


@cache
def bits(mask: int) -> tuple[int, ...]:
    """The numbers of a mask, from 0."""
    return tuple(number for number in range(mask.bit_length()) if mask >> number & 1)


@cache
def lots_of(lots: int, word: str = "or") -> str:
    """Lots in a sentence, from 1: `4, 8, 12 or 16`."""
    return one_of(bits(lots), word)


def capital(text: str) -> str:
    """A sentence begins with a capital letter."""
    return text[:1].upper() + text[1:]


def names(deck: Deck, buildings: Sequence[int], word: str = "and") -> str:
    """Buildings in a sentence."""
    return joined([f"the {deck.buildings[building].name}" for building in buildings], word)


def _owns(deck: Deck, owns: Sequence[int]) -> str:
    return joined([names(deck, bits(own)) for own in owns], "or")


def _card(seen: Seen, deck: Deck) -> str:
    """The card, without the bracket that closes behind what it says."""
    return f"Card {seen.card} ({deck.cards[seen.card - 1].text}"


def _needs_own(seen: Seen, deck: Deck) -> str:
    so = f", so the own buildings are {_owns(deck, seen.owns)}" if seen.owns else ""
    return f"{_card(seen, deck)}) needs {names(deck, seen.buildings, 'or')} as an own building{so}"


def _group(seen: Seen, deck: Deck) -> str:
    many = len(seen.buildings) > 1
    needed = f"{'need lots' if many else 'needs lot'} {lots_of(seen.lots, 'and')}"
    return f"{capital(names(deck, seen.buildings))} {needed}: that leaves "


def _solved(seen: Seen, deck: Deck) -> str:
    owns = f", with {_owns(deck, seen.owns)} as own buildings" if seen.owns else ""
    return f"Every building has its lot: this is a solution{owns}"


SAID: dict[Sight, Callable[[Seen, Deck], str]] = {
    Sight.CLUE: lambda seen, deck: f"{_card(seen, deck)}) leaves ".replace(" ()", ""),
    Sight.RELATION: lambda seen, deck: f"{_card(seen, deck)}, with {names(deck, seen.buildings, 'or')}) leaves ",
    Sight.NEEDS_OWN: _needs_own,
    Sight.NO_OWN: lambda seen, deck: f"{_card(seen, deck)}) can be true for no own building: that cannot be",
    Sight.GROUP: _group,
    Sight.CROWD: lambda seen, deck: (
        f"{capital(names(deck, seen.buildings))} have no lot{'s' * (seen.lots.bit_count() > 1)} "
        f"but {lots_of(seen.lots, 'and')}: that cannot be"
    ),
    Sight.TOGETHER: lambda seen, deck: "All of this together leaves ",
    Sight.SUPPOSED_OWN: lambda seen, deck: (
        f"Suppose {names(deck, seen.buildings)} is an own building"
        + (f", but not {names(deck, seen.others, 'or')}" if seen.others else "")
    ),
    Sight.SUPPOSED_LOT: lambda seen, deck: f"Suppose {names(deck, seen.buildings)} stood on lot {lots_of(seen.lots)}",
    Sight.SOLVED: _solved,
}
"""The sentence of each kind; what it leaves follows."""


def sentence(seen: Seen, left: Sequence[Left], deck: Deck) -> str:
    """An observation, and what it leaves, as a sentence."""
    parts = [f"{names(deck, [each.building])} on {lots_of(each.lots)}" for each in left]
    return f"{SAID[seen.kind](seen, deck)}{joined(parts, 'and') if parts else ''}."


def plain(seen: Seen, left: Sequence[Left], deck: Deck) -> dict[str, Any]:
    """The same in plain values: cards by number, lots from 1, buildings by their keys."""

    def keys(buildings: Sequence[int]) -> list[str]:
        return [deck.keys[building] for building in buildings]

    return {
        "kind": str(seen.kind),
        "card": seen.card or None,
        "buildings": keys(seen.buildings),
        "others": keys(seen.others),
        "lots": [lot + 1 for lot in bits(seen.lots)],
        "owns": [keys(bits(own)) for own in seen.owns],
        "left": plain_left(left, deck),
    }


def plain_left(left: Sequence[Left], deck: Deck) -> list[dict[str, Any]]:
    """The lots that are left to buildings, in plain values."""
    return [{"building": deck.keys[building], "lots": [lot + 1 for lot in bits(lots)]} for building, lots in left]
