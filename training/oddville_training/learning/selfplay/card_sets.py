"""The card sets that a run learns with: `base`, `drawn:SEED`, `drawn:FIRST-LAST`, or folders."""

import re
from collections.abc import Iterator
from functools import cache

from oddville_env.core.errors import SettingError
from oddville_env.oddville.cards import CardSet, base_cards, draw_cards, load_cards

DRAWN = "drawn:"


@cache
def card_sets(names: tuple[str, ...]) -> list[CardSet]:
    """The sets, in order; raises CardError and SettingError."""
    return [cards for name in names for cards in _sets(name)]


def _sets(name: str) -> Iterator[CardSet]:
    if name == "base":
        yield base_cards()
    elif not name.startswith(DRAWN):
        yield load_cards(name)
    else:
        found = re.fullmatch(r"(\d{1,9})(?:-(\d{1,9}))?", name.removeprefix(DRAWN))
        if found is None:
            raise SettingError(f"drawn card sets are named drawn:SEED or drawn:FIRST-LAST, not {name!r}")
        first = int(found[1])
        for seed in range(first, int(found[2] or first) + 1):
            yield draw_cards(seed)
