"""The settings of a game of OddVille: players, table, limit of rounds and card set, checked in one place."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypedDict, cast

import numpy as np

from oddville_env.core.checked import put_checked, whole_number
from oddville_env.core.errors import SettingError, shown
from oddville_env.oddville.cards import CardSet, base_cards, load_cards
from oddville_env.oddville.cards.words import PLAYERS
from oddville_env.oddville.rules.box import Box, pack
from oddville_env.oddville.rules.state import DEFAULT_TABLE

MAX_ROUNDS = 100
LONGEST_SIDE = 99  # of a table; ids are 16-bit numbers
MOST_ROUNDS = 30_000  # rounds are 16-bit numbers

Cards = CardSet | str | os.PathLike[str] | None


class Keywords(TypedDict, total=False):
    """The settings that environments take as keywords beside `players`."""

    table: Sequence[int]
    max_rounds: int
    cards: Cards


@dataclass(frozen=True)
class OddVilleSettings:
    """The settings of a game; equal ones are equal values, and share one box.

    Args:
        players: The number of players: 2, 3 or 4.
        table: [columns, lines] of the table; columns are odd (B8).
        max_rounds: The limit of rounds, at which a game is truncated (E4).
        cards: A card set, its folder, or None for the base set.

    Raises:
        SettingError: For a wrong setting.
        CardError: For a broken card set.
    """

    players: int = 2
    table: Sequence[int] = DEFAULT_TABLE
    max_rounds: int = MAX_ROUNDS
    cards: Cards = None

    def __post_init__(self) -> None:
        put_checked(
            self,
            players=whole_number("players", self.players, PLAYERS[0], PLAYERS[-1]),
            max_rounds=whole_number("max_rounds", self.max_rounds, 1, MOST_ROUNDS),
            cards=_card_set(self.cards),
            table=_table(self.table),
        )


def make_box(*settings: Any, **keywords: Any) -> Box:
    """The box for a game with the settings that `OddVilleSettings` takes; equal settings share one box."""
    return box_of(OddVilleSettings(*settings, **keywords))


@lru_cache(maxsize=64)
def box_of(settings: OddVilleSettings) -> Box:
    """The box for a game with these settings."""
    cards, table = cast(CardSet, settings.cards), cast(tuple[int, int], settings.table)
    return pack(cards, settings.players, table, settings.max_rounds)


def _card_set(cards: object) -> CardSet:
    if isinstance(cards, str | os.PathLike):
        return load_cards(cards)
    if not isinstance(cards, CardSet | None):
        raise SettingError(f"cards must be a card set or its folder, not {shown(cards)}")
    return cards or base_cards()


def _table(table: Sequence[int]) -> tuple[int, int]:
    """[B8] Columns, an odd number, and lines."""
    if isinstance(table, str) or not isinstance(table, Sequence | np.ndarray) or len(table) != 2:
        raise SettingError(f"table must be [columns, lines], not {shown(table)}")
    columns = whole_number("table's number of columns", table[0], 1, LONGEST_SIDE)
    lines = whole_number("table's number of lines", table[1], 1, LONGEST_SIDE)
    if columns % 2 == 0:
        raise SettingError(f"table's number of columns must be odd, the square lies in the middle, not {columns}")
    return columns, lines
