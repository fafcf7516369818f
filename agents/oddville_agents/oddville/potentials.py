"""Potentials of dense rewards by what agents know of OddVille: `OddVilleEnv(potential="win_chance")`."""

from functools import cache

import numpy as np

from oddville_agents.oddville.value.evaluator import make_evaluator, values
from oddville_agents.oddville.value.formula.values import seat_values
from oddville_agents.oddville.value.formula.weights import weight_set
from oddville_agents.oddville.value.network import network_of
from oddville_env.envs.potentials import Positions, Potential, by_seat
from oddville_env.envs.rewards import margin_of


@cache
def _evaluator(players: int) -> np.ndarray:
    return make_evaluator(weight_set("search", players), network_of("learned"))


def win_chance(positions: Positions) -> np.ndarray:
    """Returns every seat's chance to win by the network `learned`: float64 [B, P], rows sum to 1."""
    return by_seat(values)(positions, _evaluator(positions.box.players))


def expected_margin(positions: Positions) -> np.ndarray:
    """Returns the margin in the points that `greedy` expects of every seat: float64 [B, P]."""
    return margin_of(by_seat(seat_values)(positions, weight_set("tuned", positions.box.players)))


POTENTIALS: dict[str, Potential] = {"win_chance": win_chance, "expected_margin": expected_margin}
"""By the names that environments take."""
