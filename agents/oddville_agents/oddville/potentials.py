"""Potentials of dense rewards by what agents know of OddVille: `OddVilleEnv(potential=win_chance)`."""

from functools import cache

import numpy as np

from oddville_agents.oddville.value.evaluator import make_evaluator, values
from oddville_agents.oddville.value.formula import projects
from oddville_agents.oddville.value.formula.values import expected_gain
from oddville_agents.oddville.value.formula.weights import weight_set
from oddville_agents.oddville.value.network import network_of
from oddville_env.core.compiled.jit import kernel
from oddville_env.envs.potentials import Positions
from oddville_env.envs.rewards import margin_of
from oddville_env.oddville.rules import scoring


@cache
def _evaluator(players: int) -> np.ndarray:
    return make_evaluator(weight_set("search", players), network_of("learned"))


@kernel
def chances(boxes, games, evaluators, out):
    """Every seat's chance to win, by evaluators [1]: out [B, P]."""
    for index in range(games.size):
        values(boxes[0], games[index], evaluators[0], out[index])


def win_chance(positions: Positions) -> np.ndarray:
    """Returns every seat's chance to win by the value of `champion`: float64 [B, P], rows sum to 1."""
    out = np.zeros((len(positions.games), positions.box.players))
    chances(positions.box.record, positions.games, _evaluator(positions.box.players), out)
    return out


@kernel
def expected_points(boxes, games, weights, out):
    """The score and the expected gain of every seat, by weights [1]: out [B, P]."""
    box = boxes[0]
    for index in range(games.size):
        end = projects.end_of_game(box, games[index], weights[0])
        for seat in range(box.players):
            gain = expected_gain(box, games[index], seat, end, weights[0])
            out[index, seat] = scoring.score(box, games[index], seat) + gain


def expected_margin(positions: Positions) -> np.ndarray:
    """Returns the margin in the points that `greedy` expects of every seat: float64 [B, P]."""
    points = np.zeros((len(positions.games), positions.box.players))
    expected_points(positions.box.record, positions.games, weight_set("tuned", positions.box.players), points)
    return margin_of(points)
