"""Every seat's chance to win: by the formula alone, or by the formula and the network that corrects it.

    values = softmax over seats of: log odds by the formula + correction by the network

The formula alone is that of `greedy`.
"""

import math
from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np

from oddville_agents.networks.value_files import aligned_record
from oddville_agents.oddville.value.formula import values as formula
from oddville_agents.oddville.value.formula.appraisal import PLACES
from oddville_agents.oddville.value.formula.weights import WEIGHT_RECORD
from oddville_agents.oddville.value.network import features, forward
from oddville_agents.oddville.value.network.files import Architecture, widened, widest
from oddville_env.core.compiled.jit import kernel
from oddville_env.oddville.rules import scoring
from oddville_env.oddville.rules.state import Phase


@cache
def evaluator_record(architecture: Architecture) -> np.dtype:
    """Return the record of weights, network and working memory that `values` takes, one for each thread.

    Kernels are compiled for each architecture, with its widths as constants.
    """
    return aligned_record(
        ("weights", WEIGHT_RECORD),
        ("learned", "?"),  # the network corrects the formula
        ("log_turn", "f8"),  # the logarithm of the weight `turn`
        *features.NUMBERS,
        *PLACES,
        *forward.network_fields(architecture),
    )


def make_evaluator(weights: np.ndarray, tensors: Mapping[str, np.ndarray] | None = None) -> np.ndarray:
    """Return an evaluator [1] of weights [1], and of a network if its tensors are given."""
    return make_evaluators(weights, (tensors,))


def make_evaluators(weights: np.ndarray, networks: Sequence[Mapping[str, np.ndarray] | None]) -> np.ndarray:
    """Return the evaluators [K] of weights [1] and of K networks, None for the formula alone.

    They share one record: narrower networks are padded with zeros, which changes no bit of their values.
    """
    architecture = widest([tensors for tensors in networks if tensors is not None])
    evaluators = np.zeros(len(networks), evaluator_record(architecture))
    evaluators["weights"] = weights
    evaluators["log_turn"] = math.log(weights["turn"][0])
    for evaluator, tensors in zip(evaluators, networks, strict=True):
        if tensors is not None:
            evaluator["learned"] = True
            for name, tensor in widened(tensors, architecture).items():
                evaluator[f"net_{name}"] = tensor
    return evaluators


@kernel
def values(box, game, evaluator, out):
    """Write every seat's chance to win, out [P] float, summing to 1; after the end 1 for the winner."""
    if not evaluator.learned:
        formula.values(box, game, evaluator.weights, out)
    elif game.phase == Phase.OVER:
        out[:] = 0.0
        out[scoring.winner(box, game)] = 1.0
    else:
        forward.clear_base(evaluator)
        learned_values(box, game, evaluator, out)


@kernel
def start_group(evaluator):
    """Begin a group of similar positions; the first one becomes the base of the others."""
    evaluator.has_base = False


@kernel
def values_beside(box, game, evaluator, out):
    """Write `values` of a position of a group, computed from its difference to the base."""
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
