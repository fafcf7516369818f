"""The opponents of a learning seat, found by their specs at run time."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from oddville_env.core.errors import SettingError
from oddville_env.core.game.game_type import GameType
from oddville_env.core.parts.chance import seating_draw
from oddville_env.core.system.lazy_packages import find_agents

SEEDS = 2**31

Opponent = Any
"""An agent's spec, a function of (observation, mask), or an Agent."""
Opponents = Any
"""One Opponent for all seats, or a sequence of them."""


def seat_of(seed: np.uint64, players: int) -> int:
    """The learning seat of a game with this seed, where none is fixed."""
    return int(seating_draw(seed, 0, players))


def opponent_seed(seed: np.uint64, place: int) -> int:
    """The seed of the own chance of the opponent that sits `place` seats clockwise from the learning one."""
    return int(seating_draw(seed, place, SEEDS))


def make_opponents(game_type: GameType, opponents: Opponents, number: int) -> list[Any]:
    """An agent for each of `number` other seats. Raises SettingError and AgentError."""
    several = isinstance(opponents, Sequence) and not isinstance(opponents, str)
    specs: list[Opponent] = list(opponents) if several else [opponents] * number
    if len(specs) != number:
        raise SettingError(f"opponents must be one agent or {number}, one for each other seat, not {len(specs)}")
    make_agent, copy_of = find_agents().make_agent, find_agents("player").copy_of
    agents = [make_agent(spec, game_type.name) for spec in specs]
    return [copy_of(agent) if agent in agents[:place] else agent for place, agent in enumerate(agents)]


def make_players(game_type: GameType, opponents: Opponents, number: int) -> list[Any]:
    """The same, each as a `Player` for one table."""
    player = find_agents().Player
    return [player(agent) for agent in make_opponents(game_type, opponents, number)]


def make_batch_players(game_type: GameType, opponents: Opponents, number: int, tables: int) -> list[Any]:
    """The same, each as a `BatchPlayer` for so many tables."""
    player = find_agents().BatchPlayer
    return [player(agent, tables) for agent in make_opponents(game_type, opponents, number)]
