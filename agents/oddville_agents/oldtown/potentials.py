"""Potentials of dense rewards by what agents know of Old Town: `OldTownEnv(potential="win_chance")`."""

from functools import cache

import numpy as np

from oddville_agents.oldtown.value.evaluator import make_evaluator, values
from oddville_agents.oldtown.value.network import network_of
from oddville_env.envs.potentials import Positions, Potential, by_seat


@cache
def _evaluator() -> np.ndarray:
    return make_evaluator(network_of("learned"))


def win_chance(positions: Positions) -> np.ndarray:
    """Returns every seat's chance to win by the value of `champion`: float64 [B, P], rows sum to 1."""
    return by_seat(values)(positions, _evaluator())


POTENTIALS: dict[str, Potential] = {"win_chance": win_chance}
"""By the names that environments take."""
