"""Settings of a game, and what follows from them."""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from oddville_env.core.checked import whole_number
from oddville_env.core.parts.values import DefensiveCopy

from .rules import PLAYERS, STATE, WORDS

BOX = np.dtype((np.record, [("players", "i2")]))


class Layout(NamedTuple):
    """The numbering of moves."""

    size: int = len(WORDS)
    digest: str = "kuhn-1"


LAYOUT = Layout()


@dataclass(frozen=True)
class Settings:
    """Kuhn poker is for two. Raises SettingError."""

    players: int = PLAYERS

    def __post_init__(self) -> None:
        whole_number("players", self.players, PLAYERS, PLAYERS)


@dataclass(frozen=True)
class Box(DefensiveCopy):
    """What is fixed for a game. Compiled code gets `record[0]` as `box`."""

    players: int = PLAYERS
    layout: Layout = LAYOUT
    cards: None = None
    games: np.dtype = STATE
    record: np.ndarray = field(default_factory=lambda: np.array([(PLAYERS,)], BOX).view(np.recarray), compare=False)


@lru_cache(maxsize=1)
def box_of(settings: Settings) -> Box:
    """Return the box for a game with these settings."""
    return Box()
