"""The settings of a game of Old Town: players, deck and the setting of P6, checked in one place."""

import os
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypedDict, cast

import numpy as np

from oddville_env.core.checked import put_checked, whole_number
from oddville_env.core.errors import SettingError, shown
from oddville_env.oldtown.cards import Deck, base_deck, load_deck
from oddville_env.oldtown.rules.box import Box, pack
from oddville_env.oldtown.rules.state import SEATS, TWO_PLAYERS

PLAYERS = range(TWO_PLAYERS, SEATS + 1)

Cards = Deck | str | os.PathLike[str] | None


class Keywords(TypedDict, total=False):
    """The settings that environments take as keywords beside `players`."""

    lone_confirm: bool
    deck: Cards


@dataclass(frozen=True)
class OldTownSettings:
    """The settings of a game; equal ones are equal values, and share one box.

    Args:
        players: The number of players: 2, 3 or 4.
        lone_confirm: Allow a confirming card to be played alone (P6).
        deck: A deck, its file, or None for the base deck.

    Raises:
        SettingError: For a wrong setting.
        DeckError: For a broken deck.
    """

    players: int = 3
    lone_confirm: bool = False
    deck: Cards = None

    def __post_init__(self) -> None:
        if not isinstance(self.lone_confirm, bool | np.bool_):
            raise SettingError(f"lone_confirm must be True or False, not {shown(self.lone_confirm)}")
        put_checked(
            self,
            players=whole_number("players", self.players, PLAYERS[0], PLAYERS[-1]),
            lone_confirm=bool(self.lone_confirm),
            deck=read_deck(self.deck),
        )


def make_box(*settings: Any, **keywords: Any) -> Box:
    """The box for a game with the settings that `OldTownSettings` takes; equal settings share one box."""
    return box_of(OldTownSettings(*settings, **keywords))


@lru_cache(maxsize=64)
def box_of(settings: OldTownSettings) -> Box:
    """The box for a game with these settings."""
    return pack(cast(Deck, settings.deck), settings.players, settings.lone_confirm)


def read_deck(deck: object) -> Deck:
    """A deck, the one in a file, or the package's where there is none; raises SettingError and DeckError."""
    if deck is None:
        return base_deck()
    if isinstance(deck, str | os.PathLike):
        return load_deck(deck)
    if not isinstance(deck, Deck):
        raise SettingError(f"deck must be a deck or its file, not {shown(deck)}")
    return deck
