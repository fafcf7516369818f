"""What a game is played with, checked: players, table, limit of rounds, card set and seed."""

import os
from collections.abc import Sequence
from functools import lru_cache
from numbers import Integral

import numpy as np

from oddville_env.core.errors import SettingError, shown
from oddville_env.oddville.cards import CardSet, base_cards, load_cards
from oddville_env.oddville.rules.box import Box, pack
from oddville_env.oddville.rules.state import DEFAULT_TABLE, SEATS

MAX_ROUNDS = 100
LONGEST_SIDE = 99  # of a table; ids are 16-bit numbers
MOST_ROUNDS = 30_000  # rounds are 16-bit numbers

Cards = CardSet | str | os.PathLike[str] | None


def make_box(
    players: int = 2, table: Sequence[int] = DEFAULT_TABLE, max_rounds: int = MAX_ROUNDS, cards: Cards = None
) -> Box:
    """The box for a game with these settings; equal settings share one box. Raises SettingError, CardError."""
    players = whole_number("players", players, 2, SEATS)
    max_rounds = whole_number("max_rounds", max_rounds, 1, MOST_ROUNDS)
    if cards is None:
        cards = base_cards()
    elif isinstance(cards, str | os.PathLike):
        cards = load_cards(cards)
    elif not isinstance(cards, CardSet):
        raise SettingError(f"cards must be a card set or its folder, not {shown(cards)}")
    return _box(cards, players, _table(table), max_rounds)


@lru_cache(maxsize=64)
def _box(cards: CardSet, players: int, table: tuple[int, int], max_rounds: int) -> Box:
    return pack(cards, players, table, max_rounds)


def whole_number(name: str, value: object, low: int, high: int | None = None) -> int:
    """The value of a setting that is a whole number in low..high; raises SettingError."""
    expected = f"a whole number from {low} to {high}" if high is not None else f"a whole number of at least {low}"
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise SettingError(f"{name} must be {expected}, not {shown(value)}")
    number = int(value)
    if number < low or (high is not None and number > high):
        raise SettingError(f"{name} must be {expected}, not {shown(value)}")
    return number


def _table(table: Sequence[int]) -> tuple[int, int]:
    """[B8] Columns, an odd number, and lines."""
    if isinstance(table, str) or not isinstance(table, Sequence | np.ndarray) or len(table) != 2:
        raise SettingError(f"table must be [columns, lines], not {shown(table)}")
    columns = whole_number("table's number of columns", table[0], 1, LONGEST_SIDE)
    lines = whole_number("table's number of lines", table[1], 1, LONGEST_SIDE)
    if columns % 2 == 0:
        raise SettingError(f"table's number of columns must be odd, the square lies in the middle, not {columns}")
    return columns, lines


def check_seed(seed: object) -> int:
    """The seed itself, or a fresh one where there is none; raises SettingError."""
    if seed is None:
        return int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
    if not isinstance(seed, Integral) or isinstance(seed, bool) or int(seed) < 0:
        raise SettingError(f"seed must be a whole number of at least 0, or None, not {shown(seed)}")
    return int(seed)


def game_seeds(seed: int, number: int = 1) -> np.ndarray:
    """Seeds of games, uint64 [number]: the first ones are the same for any number."""
    return np.random.SeedSequence(seed).generate_state(number, np.uint64)
