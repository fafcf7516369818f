"""What several tests of environments share."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from support.helpers import random_move

PLAYERS = (2, 3, 4)


every_number = pytest.mark.parametrize("players", PLAYERS)


every_encoding = pytest.mark.parametrize("encoding", ["features", "ids"])


def played(env: Any, seed: int = 0, **reset: Any) -> Iterator[Any]:
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
