"""The opponents of a learning seat, found by their specs at run time."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from oddville_env.core.checked import whole_number
from oddville_env.core.errors import SettingError
from oddville_env.core.game.game_type import GameType
from oddville_env.core.parts.chance import seating_draw
from oddville_env.core.system.lazy_packages import find_agents

SEEDS = 2**31

Opponent = Any
"""An agent's spec, a function of (observation, mask), or an Agent."""
Opponents = Any
"""One Opponent for all seats, or a sequence of them."""


def fixed_seat(seat: int | None, players: int) -> int | None:
    """The learning seat that was asked for; raises SettingError."""
    return None if seat is None else whole_number("seat", seat, 0, players - 1)


def seat_of(seed: np.uint64, players: int) -> int:
    """The learning seat of a game with this seed, where none is fixed."""
    return int(seating_draw(seed, 0, players))


def opponent_seed(seed: np.uint64, distance: int) -> int:
    """The seed of the own chance of the opponent that sits `distance` seats clockwise from the learning one."""
    return int(seating_draw(seed, distance, SEEDS))


def make_opponents(game_type: GameType, opponents: Opponents, number: int, tables: int | None = None) -> list[Any]:
    """A `Player` for each of `number` other seats, or a `BatchPlayer` for so many tables.

    Raises SettingError and AgentError.
    """
    several = isinstance(opponents, Sequence) and not isinstance(opponents, str)
    specs: list[Opponent] = list(opponents) if several else [opponents] * number
    if len(specs) != number:
        raise SettingError(f"opponents must be one agent or {number}, one for each other seat, not {len(specs)}")
    home, copy_of = find_agents(), find_agents("player").copy_of
    agents = [home.make_agent(spec, game_type.name) for spec in specs]
    own = [copy_of(agent) if agent in agents[:index] else agent for index, agent in enumerate(agents)]
    return [home.Player(agent) if tables is None else home.BatchPlayer(agent, tables) for agent in own]
