"""Every seat's chance to win, by the formula of `greedy` and the network that corrects it, and one-ply search by it.

    values = softmax over seats of: log odds by the formula + correction by the network
    best_move = argmax over legal moves of: the mover's chance to win behind the move
    best_move_of_turn = the same among the TRIED best moves, each followed by the mover's best moves until its turn ends

The search looks neither beyond the turn nor at anything hidden.
"""

import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from oddville_agents.oddville.value import features, network
from oddville_agents.oddville.value.formula import values as formula
from oddville_agents.oddville.value.formula.appraisal import PLACES
from oddville_agents.oddville.value.formula.values import step_covered
from oddville_agents.oddville.value.formula.weights import WEIGHT_RECORD, weight_set
from oddville_agents.policies.graph import Graph, dense, tensors_of_value
from oddville_agents.tensors import names_of, record_of_lines, zeros_in_lines
from oddville_env.core.compiled.arrays import overwrite
from oddville_env.core.compiled.jit import kernel
from oddville_env.core.game.view import View
from oddville_env.oddville.cards.words import NOTHING
from oddville_env.oddville.rules import hidden, scoring, turn
from oddville_env.oddville.rules.actions import Kind
from oddville_env.oddville.rules.box import Box
from oddville_env.oddville.rules.state import SEATS, Phase


@cache
def evaluator_record(architecture: network.Architecture) -> np.dtype:
    """Return the record of weights, network and working memory that `values` takes, one for each thread.

    Kernels are compiled for each architecture, with its widths as constants.
    """
    return record_of_lines(
        *network.network_fields(architecture),  # first, so that its matrices begin with a LINE
        ("weights", WEIGHT_RECORD),
        ("learned", "?"),  # the network corrects the formula
        ("log_turn", "f8"),  # the logarithm of the weight `turn`
        *features.NUMBERS,
        *PLACES,
    )


def make_evaluator(weights: np.ndarray, tensors: Mapping[str, np.ndarray] | None = None) -> np.ndarray:
    """Return an evaluator [1] of weights [1], and of a network if its tensors are given."""
    return make_evaluators(weights, (tensors,))


def make_evaluators(weights: np.ndarray, networks: Sequence[Mapping[str, np.ndarray] | None]) -> np.ndarray:
    """Return the evaluators [K] of weights [1] and of K networks, None for the formula alone.

    They share one record: narrower networks are padded with zeros, which changes no bit of their values.
    """
    architecture = network.widest([tensors for tensors in networks if tensors is not None])
    evaluators = zeros_in_lines(len(networks), evaluator_record(architecture))
    evaluators["weights"] = weights
    evaluators["units"] = np.arange(architecture.first)
    evaluators["log_turn"] = math.log(weights["turn"][0])
    evaluators["discount_turns"] = evaluators["second_turns"] = np.nan
    for evaluator, tensors in zip(evaluators, networks, strict=True):
        if tensors is not None:
            evaluator["learned"] = True
            for name, tensor in network.widened(tensors, architecture).items():
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
        network.clear_base(evaluator)
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
        network.set_base(evaluator)


@kernel
def learned_values(box, game, evaluator, out):
    """The softmax of the corrected log odds."""
    features.look(box, game, evaluator)
    corrected_values(box, evaluator, out)


@kernel
def corrected_values(box, evaluator, out):
    """The softmax of the corrected log odds of the position that was looked at last."""
    overwrite(out[: box.players], evaluator.odds[: box.players])
    network.correct(box, evaluator, out)
    formula.softmax(box, out)


@kernel
def formula_values(box, evaluator, out):
    """The softmax of its log odds by the formula."""
    overwrite(out[: box.players], evaluator.odds[: box.players])
    formula.softmax(box, out)


TRIED = 4  # moves behind which the turn is played on


class TurnScratch(NamedTuple):
    """Memory in which moves are tried."""

    after: np.ndarray  # [3] games: behind a move, in the turn that is played on, and there one move before
    masks: np.ndarray  # bool [2, A]: scratch, and the legal moves in the turn that is played on
    chances: np.ndarray  # float64 [P]
    values: np.ndarray  # float64 [2, A]: of moves now, and in the turn that is played on


def make_scratch(box: Box) -> TurnScratch:
    """Scratch for games of this box."""
    actions = box.layout.size
    return TurnScratch(
        np.zeros(3, box.games), np.zeros((2, actions), np.bool_), np.zeros(SEATS), np.zeros((2, actions))
    )


@kernel
def best_move(boxes, games, index, mask, evaluators, scratch):
    """The id of the move behind which the seat to move has the best chances, the first of equals."""
    values_after_moves(boxes, games, index, mask, evaluators, scratch, scratch.values[0])
    return scratch.values[0].argmax()


@kernel
def best_move_of_turn(boxes, games, index, mask, evaluators, scratch):
    """The same, with the turn played on behind the best of them."""
    values_after_moves(boxes, games, index, mask, evaluators, scratch, scratch.values[0])
    best, most = NOTHING, -np.inf
    for _ in range(TRIED):
        action = scratch.values[0].argmax()
        if scratch.values[0, action] == -np.inf:
            break
        value = value_after_turn(boxes, games, index, action, evaluators, scratch)
        scratch.values[0, action] = -np.inf
        if value > most:
            best, most = action, value
    return best


@kernel
def values_after_moves(boxes, games, index, mask, evaluators, scratch, values):
    """The mover's chances behind each legal move, values [A]; -inf for other moves."""
    box, seat = boxes[0], games[index].to_move
    start_group(evaluators[0])
    for action in range(mask.size):
        values[action] = -np.inf
        if mask[action]:
            try_move(box, games, index, action, scratch)
            values_beside(box, scratch.after[0], evaluators[0], scratch.chances)
            values[action] = scratch.chances[seat]


@kernel
def chances_after_moves(boxes, games, index, mask, evaluators, scratch, chances):
    """Every seat's chances to win behind each legal move: chances float64 [A, P]."""
    box = boxes[0]
    start_group(evaluators[0])
    for action in range(mask.size):
        if mask[action]:
            try_move(box, games, index, action, scratch)
            values_beside(box, scratch.after[0], evaluators[0], scratch.chances)
            for seat in range(box.players):
                chances[action, seat] = scratch.chances[seat]


@kernel
def try_move(box, games, index, action, scratch):
    """Try a move: scratch.after[0] is the game behind it. A flip only shows something, so it changes nothing."""
    scratch.after[0] = games[index]
    scratch.after[0].seed = 0
    if box.kind[action] != Kind.FLIP:
        step_covered(box, scratch.after[0], action, scratch.masks[0])


@kernel
def value_after_turn(boxes, games, index, action, evaluators, scratch):
    """The mover's chances where its turn ends, or something comes to light, if it plays its best moves on from one."""
    box, seat, value = boxes[0], games[index].to_move, scratch.values[0, action]
    game, before, mask = scratch.after[1], scratch.after[2], scratch.masks[1]
    scratch.after[1] = games[index]
    game.seed = 0
    while box.kind[action] != Kind.FLIP:
        scratch.after[2] = scratch.after[1]
        step_covered(box, game, action, mask)
        if game.to_move != seat or hidden.is_revealing(before, game):
            break
        turn.legal(box, game, mask)
        values_after_moves(boxes, scratch.after, 1, mask, evaluators, scratch, scratch.values[1])
        action = scratch.values[1].argmax()
        value = scratch.values[1, action]
    return value


OPERATIONS = f"""
value (float[B, P, {network.OWN_SIZE}] own, float[B, {network.SHARED_SIZE}] shared) => (float[B, P] chances) {{
    made = MatMul(own, net_own_weight)
    itself, rival = Split <axis = 2, num_outputs = 2> (made)
    multiplied = MatMul(shared, net_shared_weight)
    table = Add(multiplied, net_first_bias)
    table_of_each = Unsqueeze(table, seats)
    rivals_of_all = ReduceSum <keepdims = 1> (rival, seats)
    rivals = Sub(rivals_of_all, rival)
    beside = Add(table_of_each, rivals)
    first_sum = Add(itself, beside)
    first = Relu(first_sum)
    {dense("second", "first", "net_second")}
    correction = MatMul(second, net_third_weight)
    odds = Gather <axis = 2> (own, log_odds)
    corrected = Add(odds, correction)
    chances = Softmax <axis = 1> (corrected)
}}
"""
"""P seats; each seat's first number is its log odds by the formula, which the network corrects."""


def value_graph(tensors: Mapping[str, np.ndarray]) -> Graph:
    """The graph of a value network's tensors."""
    indices = {"seats": np.array([1]), "log_odds": np.array(0)}
    about = {"layout": network.DIGEST, "own": names_of(network.OWN), "shared": names_of(network.SHARED)}
    return Graph(OPERATIONS, tensors_of_value(tensors) | indices, about)


def inputs_of(view: View) -> tuple[np.ndarray, np.ndarray]:
    """The network's inputs of a game that is not over: own float32 [P, OWN_SIZE], shared float32 [SHARED_SIZE]."""
    evaluator = make_evaluator(weight_set("search", view.players))
    evaluator["learned"] = True  # by a network of zeros, so that everything is looked at
    values(view.box.record[0], view.state[0], evaluator[0], np.zeros(SEATS))
    return evaluator["own"][0, : view.players].copy(), evaluator["shared"][0].copy()
