"""Every seat's chance to win: by the formula alone, or by the formula and the network that corrects it.

    values = softmax over seats of: log odds by the formula + correction by the network

The formula alone is greedy's; the network says what has to be added to it.
"""

import math

import numpy as np

from oddville_agents.oddville.value.formula import places
from oddville_agents.oddville.value.formula import values as formula
from oddville_agents.oddville.value.formula.weights import WEIGHT_RECORD
from oddville_agents.oddville.value.network import features, forward
from oddville_agents.records import aligned_record
from oddville_env.core.jit import kernel
from oddville_env.oddville.rules import scoring
from oddville_env.oddville.rules.state import Phase

EVALUATOR = aligned_record(
    ("weights", WEIGHT_RECORD),
    ("learned", "?"),  # the network corrects the formula
    ("log_turn", "f8"),  # the logarithm of the weight `turn`
    *features.NUMBERS,
    *places.PLACES,
    *forward.NETWORK,
)
"""The record of weights, network and working memory that `values` takes: one for each thread."""


def make_evaluator(weights: np.ndarray, tensors: dict[str, np.ndarray] | None = None) -> np.ndarray:
    """An evaluator [1] of weights [1], and of a network if its tensors are given."""
    evaluator = np.zeros(1, EVALUATOR)
    evaluator["weights"] = weights
    evaluator["log_turn"] = math.log(weights["turn"][0])
    evaluator["learned"] = tensors is not None
    for name, tensor in (tensors or {}).items():
        evaluator[f"net_{name}"][0] = tensor
    return evaluator


@kernel
def values(box, game, evaluator, out):
    """Every seat's chance to win: out [P] float, in 0..1, summing to 1; when the game is over 1 for the winner."""
    if not evaluator.learned:
        formula.values(box, game, evaluator.weights, out)
    elif game.phase == Phase.OVER:
        out[:] = 0.0
        out[scoring.winner(box, game)] = 1.0
    else:
        forward.clear_base(evaluator)
        learned_values(box, game, evaluator, out)


@kernel
def forget_base(evaluator):
    """Begin a group of positions that are alike: the first of them becomes the base of the others."""
    evaluator.has_base = False


@kernel
def values_beside(box, game, evaluator, out):
    """`values` of positions that are alike; the first one after `forget_base` is the base of the others."""
    if not evaluator.learned or game.phase == Phase.OVER:
        values(box, game, evaluator, out)
    elif evaluator.has_base:
        learned_values(box, game, evaluator, out)
    else:
        values(box, game, evaluator, out)
        forward.set_base(evaluator)


@kernel
def learned_values(box, game, evaluator, out):
    """The softmax of the corrected log odds."""
    features.look(box, game, evaluator)
    for seat in range(box.players):
        out[seat] = evaluator.odds[seat]
    forward.correct(box, evaluator, out)
    formula.softmax(box, out)
