"""The card sets that a run learns with: `base`, `drawn:SEED`, `drawn:FIRST-LAST`, or folders."""

import re
from collections.abc import Iterator
from functools import cache

from oddville_env.core.errors import SettingError, shown
from oddville_env.oddville.cards import CardSet, base_cards, draw_cards, load_cards

DRAWN = "drawn:"
MOST_SETS = 10_000  # which are drawn in a few seconds


@cache
def card_sets(names: tuple[str, ...]) -> list[CardSet]:
    """The sets, in order; raises CardError and SettingError."""
    amount = sum(len(_drawn(name)) if name.startswith(DRAWN) else 1 for name in names)
    if amount > MOST_SETS:
        raise SettingError(f"cards names {amount:,} card sets, expected at most {MOST_SETS:,}")
    return [cards for name in names for cards in _sets(name)]


def _drawn(name: str) -> range:
    """The seeds of card sets that are drawn; raises SettingError."""
    found = re.fullmatch(r"([0-9]{1,9})(?:-([0-9]{1,9}))?", name.removeprefix(DRAWN))
    seeds = range(int(found[1]), int(found[2] or found[1]) + 1) if found else range(0)
    if not seeds:
        raise SettingError(f"drawn card sets are named drawn:SEED or drawn:FIRST-LAST, not {shown(name)}")
    return seeds


def _sets(name: str) -> Iterator[CardSet]:
    if name == "base":
        yield base_cards()
    elif not name.startswith(DRAWN):
        yield load_cards(name)
    else:
        yield from map(draw_cards, _drawn(name))
