"""Potentials of dense rewards by what agents know of Old Town: `OldTownEnv(potential=win_chance)`."""

from functools import cache

import numpy as np

from oddville_agents.oldtown.value.evaluator import make_evaluator, values
from oddville_agents.oldtown.value.network import network_of
from oddville_env.core.compiled.jit import kernel
from oddville_env.envs.potentials import Positions


@cache
def _evaluator() -> np.ndarray:
    return make_evaluator(network_of("learned"))


@kernel
def chances(boxes, games, evaluators, out):
    """Every seat's chance to win, by evaluators [1]: out [B, P]."""
    for index in range(games.size):
        values(boxes[0], games[index], evaluators[0], out[index])


def win_chance(positions: Positions) -> np.ndarray:
    """Returns every seat's chance to win by the value of `champion`: float64 [B, P], rows sum to 1."""
    out = np.zeros((len(positions.games), positions.box.players))
    chances(positions.box.record, positions.games, _evaluator(), out)
    return out
