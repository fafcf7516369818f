"""What a game is played with, checked: players, deck, the setting of P6, and seed."""

import os
from functools import lru_cache
from numbers import Integral

import numpy as np

from oddville_env.core.errors import SettingError
from oddville_env.oldtown.cards import Deck, base_deck, load_deck
from oddville_env.oldtown.rules.box import Box, pack
from oddville_env.oldtown.rules.state import SEATS, TWO_PLAYERS

Cards = Deck | str | os.PathLike[str] | None


def make_box(players: int = 3, lone_confirm: bool = False, deck: Cards = None) -> Box:
    """The box for a game with these settings; equal settings share one box. Raises SettingError, DeckError."""
    players = whole_number("players", players, TWO_PLAYERS, SEATS)
    if not isinstance(lone_confirm, bool | np.bool_):
        raise SettingError(f"lone_confirm must be True or False, not {lone_confirm!r}")
    return _box(read_deck(deck), players, bool(lone_confirm))


def read_deck(deck: Cards) -> Deck:
    """A deck, the one in a file, or the package's where there is none; raises DeckError."""
    if deck is None:
        return base_deck()
    return deck if isinstance(deck, Deck) else load_deck(deck)


@lru_cache(maxsize=64)
def _box(deck: Deck, players: int, lone_confirm: bool) -> Box:
    return pack(deck, players, lone_confirm)


def whole_number(name: str, value: object, low: int, high: int | None = None) -> int:
    """The value of a setting that is a whole number in low..high; raises SettingError."""
    expected = f"a whole number from {low} to {high}" if high is not None else f"a whole number of at least {low}"
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise SettingError(f"{name} must be {expected}, not {value!r}")
    number = int(value)
    if number < low or (high is not None and number > high):
        raise SettingError(f"{name} must be {expected}, not {value!r}")
    return number


def check_seed(seed: object) -> int:
    """The seed itself, or a fresh one where there is none; raises SettingError."""
    if seed is None:
        return int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
    return whole_number("seed", seed, 0)


def game_seeds(seed: int, number: int = 1) -> np.ndarray:
    """Seeds of games, uint64 [number]: the first ones are the same for any number."""
    return np.random.SeedSequence(seed).generate_state(number, np.uint64)
