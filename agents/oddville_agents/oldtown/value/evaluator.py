"""Every seat's chance to win, by what it sees itself.

    values(seat) = sigmoid(log_odds(seat)) / sum of the same over all seats

When the game is over it is the seat's part of the win [E4].
"""

import math
from collections.abc import Mapping

import numpy as np

from oddville_agents.networks.value_files import aligned_record
from oddville_agents.oldtown.heuristic.features import POOLS
from oddville_agents.oldtown.value import features, network
from oddville_agents.oldtown.value.network import CARD_VALUES, SIZE
from oddville_env.core.compiled.jit import kernel
from oddville_env.oldtown.cards.words import NOBODY
from oddville_env.oldtown.rules import worlds

EVALUATOR = aligned_record(
    ("seen", "f4", (SIZE,)),
    ("tally", "i8", (POOLS, CARD_VALUES)),
    ("board", worlds.WORLD),
    *network.NETWORK,
)
"""A network and its scratch: one for each thread."""


def make_evaluator(tensors: Mapping[str, np.ndarray]) -> np.ndarray:
    """An evaluator [1] of a network's tensors."""
    evaluator = np.zeros(1, EVALUATOR)
    for name, tensor in tensors.items():
        evaluator[f"net_{name}"][0] = tensor
    return evaluator


@kernel
def log_odds(box, game, seat, evaluator):
    """A seat's log odds of winning; of a game that is over as sure as can be."""
    if game.to_move == NOBODY:
        return math.log(1e-6 + share_of_win(box, game, seat)) - math.log(1e-6 + 1.0 - share_of_win(box, game, seat))
    features.look(box, game, seat, evaluator)
    return float(network.odds(evaluator))


@kernel
def share_of_win(box, game, seat):
    """[E4] The seat's part of the win when the game is over: equals share it."""
    most, winners = game.score[: box.players].max(), 0
    for other in range(box.players):
        winners += game.score[other] == most
    return 1.0 / winners if game.score[seat] == most else 0.0


@kernel
def values(box, game, evaluator, out):
    """Every seat's chance to win, each from what it sees, made to sum to 1: out [P]."""
    total = 0.0
    for seat in range(box.players):
        if game.to_move == NOBODY:
            out[seat] = share_of_win(box, game, seat)
        else:
            out[seat] = 1.0 / (1.0 + math.exp(-log_odds(box, game, seat, evaluator)))
        total += out[seat]
    for seat in range(box.players):
        out[seat] /= total
