"""What several tests of environments share."""

from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest

import oddville_env
from oddville_env import oddville_v0, oldtown_v0
from support.helpers import random_move


class Made(NamedTuple):
    """The environments of a game: PettingZoo's module, one learning seat, one in each of many games, all seats."""

    aec: ModuleType
    single: Any
    seats: Any
    all_seats: Any


GAMES = {
    "oddville": Made(
        oddville_v0, oddville_env.OddVilleEnv, oddville_env.OddVilleSeatVectorEnv, oddville_env.OddVilleSelfPlayEnv
    ),
    "oldtown": Made(
        oldtown_v0, oddville_env.OldTownEnv, oddville_env.OldTownSeatVectorEnv, oddville_env.OldTownSelfPlayEnv
    ),
}

every_game = pytest.mark.parametrize("name", GAMES)
every_number = pytest.mark.parametrize("players", [2, 3, 4])


def played(env: Any, seed: int = 0, **reset: Any) -> Any:
    """The environment before every move of a random player, and when all agents are done."""
    env.reset(seed=seed, **reset)
    rng = np.random.default_rng(seed)
    while not any((*env.terminations.values(), *env.truncations.values())):
        yield env
        env.step(random_move(env.unwrapped.live, rng))
    yield env


def at_end(env: Any, seed: int = 0) -> Any:
    """The environment when all agents are done."""
    return list(played(env, seed))[-1]
