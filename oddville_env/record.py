"""The record of a game: everything random and every word, as RULES.md's record format has it."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from oddville_env.cards.words import Character, Suit
from oddville_env.errors import RecordError, SettingError
from oddville_env.rules.state import BUILDINGS, GUILDS
from oddville_env.settings import whole_number

FORMAT = "oddville-record"
VERSION = 1
GUILD_WORDS = Suit.words()[:GUILDS]
FIELDS = {
    "format": str, "version": int, "players": int, "table": list, "max_rounds": int, "first": int, "deck": list,
    "piles": dict, "reshuffles": list, "moves": list, "scores": list, "ranks": list, "trigger": int, "truncated": bool,
}  # fmt: skip
RESULTS = ("scores", "ranks", "trigger")
"""Null in the record of a game that is not over; the trigger also where there is none."""
KINDS = {str: "a text", int: "a whole number", list: "a list", dict: "an object", bool: "true or false"}


class Deal(NamedTuple):
    """A hidden order: what is random in a game, but for what is None."""

    deck: tuple[int, ...] | None = None
    piles: Mapping[str, tuple[str, ...]] | None = None
    first: int | None = None
    reshuffles: tuple[tuple[str, ...], ...] = ()


def parse_line(line: str) -> dict[str, Any]:
    """The record in a line of JSON; raises RecordError."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"this is not JSON ({error}): the record may have been cut off") from None
    return check(record)


def check(record: object) -> dict[str, Any]:
    """The record itself, with every field of the kind that it should be; raises RecordError."""
    if not isinstance(record, dict):
        raise RecordError(f"a record is a JSON object, not {_kind(record)}")
    if record.get("format") != FORMAT:
        raise RecordError(f"field format: expected {FORMAT!r}, not {record.get('format')!r}")
    if record.get("version") != VERSION:
        raise RecordError(f"field version: this is version {record.get('version')!r}, expected {VERSION}")
    for name, kind in FIELDS.items():
        if name not in record:
            raise RecordError(f"field {name} is missing")
        value = record[name]
        fits = isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
        if not fits and not (value is None and name in RESULTS):
            raise RecordError(f"field {name}: expected {KINDS[kind]}, not {_kind(value)}")
    for number, word in enumerate(record["moves"], 1):
        if not isinstance(word, str):
            raise RecordError(f"field moves: move {number} is not a text but {_kind(word)}")
    return record


def _kind(value: object) -> str:
    return next((text for kind, text in KINDS.items() if type(value) is kind), f"{value!r}"[:40])


def check_deal(players: int, deal: Deal, guild_of: Mapping[str, str]) -> Deal:
    """A hidden order for n players, checked against the cards: guild_of names every character's guild.

    Raises SettingError.
    """
    deck, piles, first, reshuffles = deal
    return Deal(
        None if deck is None else _deck(deck),
        None if piles is None else _piles(players, piles, guild_of),
        None if first is None else whole_number("first", first, 0, players - 1),
        tuple(_reshuffle(number, pile, guild_of) for number, pile in enumerate(_sequence("reshuffles", reshuffles), 1)),
    )


def _sequence(name: str, value: object) -> Sequence[Any]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise SettingError(f"{name} must be a list, not {value!r}")
    return value


def _deck(deck: object) -> tuple[int, ...]:
    """[S5] All 64 ids, top first."""
    cards = [whole_number("deck's card", card, 0, BUILDINGS - 1) for card in _sequence("deck", deck)]
    missing = sorted(set(range(BUILDINGS)) - set(cards))
    if missing or len(cards) != BUILDINGS:
        raise SettingError(f"deck must hold each of the {BUILDINGS} cards once, it lacks {missing or 'none, but repeats'}")
    return tuple(cards)


def _piles(players: int, piles: object, guild_of: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """[S4] For each guild its characters, top first: one fewer than players."""
    if not isinstance(piles, Mapping) or set(piles) != set(GUILD_WORDS):
        raise SettingError(f"piles must name the guilds {', '.join(GUILD_WORDS)}, not {piles!r}")
    return {guild: _pile(f"piles, guild {guild}", guild, piles[guild], guild_of, players - 1) for guild in GUILD_WORDS}


def _pile(where: str, guild: str, pile: object, guild_of: Mapping[str, str], size: int | None) -> tuple[str, ...]:
    names = _sequence(where, pile)
    members = [name for name, its in guild_of.items() if its == guild]
    for name in names:
        if name not in members:
            raise SettingError(f"{where}: expected characters of the guild ({', '.join(members)}), not {name!r}")
    if len(set(names)) != len(names):
        raise SettingError(f"{where}: a character is named twice")
    if size is not None and len(names) != size:
        raise SettingError(f"{where}: expected {size} characters, not {len(names)}")
    return tuple(names)


def _reshuffle(number: int, pile: object, guild_of: Mapping[str, str]) -> tuple[str, ...]:
    """[G2] A whole new pile, top first."""
    where = f"reshuffle {number}"
    names = _sequence(where, pile)
    if not names or names[0] not in Character.words():
        raise SettingError(f"{where}: expected a list of characters, not {pile!r}")
    return _pile(where, guild_of[names[0]], names, guild_of, None)
