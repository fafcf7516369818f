"""The card sets that a run learns with: `base`, `drawn:SEED`, `drawn:FIRST-LAST`, or folders."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from oddville_env.core.disk.reading import kept_by_file
from oddville_env.core.errors import SettingError, shown
from oddville_env.oddville.cards import CardSet, base_cards, draw_cards, load_cards

DRAWN = "drawn:"
MOST_DRAWN = 10_000  # sets of one name


def card_sets(names: tuple[str, ...]) -> list[CardSet]:
    """The sets, in order; raises CardError and SettingError."""
    return [cards for name in names for cards in _sets(name)]


def _sets(name: str) -> Iterator[CardSet]:
    if name == "base":
        yield base_cards()
    elif not name.startswith(DRAWN):
        yield _in_folder(Path(name))
    else:
        found = re.fullmatch(r"(\d{1,9})(?:-(\d{1,9}))?", name.removeprefix(DRAWN), re.ASCII)
        if found is None:
            raise SettingError(f"drawn card sets are named drawn:SEED or drawn:FIRST-LAST, not {shown(name)}")
        seeds = range(int(found[1]), int(found[2] or found[1]) + 1)
        if not 0 < len(seeds) <= MOST_DRAWN:
            raise SettingError(f"{shown(name)} must name 1 to {MOST_DRAWN} card sets, the first seed first")
        yield from map(_drawn, seeds)


_in_folder = kept_by_file(load_cards)
_drawn = cache(draw_cards)
