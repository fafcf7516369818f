"""Which cards of Old Town a message names, and which a seat has seen."""

import re
from typing import Any

PUBLIC_FACTS = ("cards", "names")
"""What a table tells of all cards and buildings: the deck, which everybody knows."""
LISTS = ("hand", "played", "common", "own")  # lists of cards in a position; of what is hidden they are numbers
NAMED = re.compile(r"plan-(\d+)|hand:\d+:(\d+)|(?:play|show):(\d+)|[Cc]ard (\d+)")


def cards_in(value: Any, field: str = "") -> set[int]:
    """All cards that a message names, wherever: in spots, drawings, words, sentences, numbers and lists."""
    if isinstance(value, dict):
        parts = [cards_in(part, name) for name, part in value.items() if name not in PUBLIC_FACTS]
        return set().union(*parts)
    if isinstance(value, list):
        own = {part for part in value if isinstance(part, int)} if field in LISTS else set()
        return own.union(*(cards_in(part, field) for part in value if not isinstance(part, int)))
    if isinstance(value, str):
        return {int(number) for found in NAMED.findall(value) for number in found if number}
    return {value} if field == "card" and type(value) is int else set()


def known_to(game: Any, seat: int | None) -> set[int]:
    """The cards that a seat (or who has none) has seen: its own hand, and what was played or shown."""
    position = game.position()
    own = set() if seat is None else set(position["seats"][seat]["hand"])
    return own | set(position["played"]) | ({position["shown"]} - {None})
