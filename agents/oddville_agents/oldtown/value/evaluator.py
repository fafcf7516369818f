"""Every seat's chance to win, by what it sees itself.

    values(seat) = sigmoid(log_odds(seat)) / sum of the same over all seats

When the game is over it is the seat's part of the win [E4].

One-ply search by the learned value.

    move = argmax over legal moves of: the mover's log odds of winning behind the move, by what it sees there

So plays TD-Gammon (Tesauro 1995).
"""

import math
from collections.abc import Mapping

import numpy as np

from oddville_agents.oldtown.greedy import end_turn, show, try_move
from oddville_agents.oldtown.heuristic.features import POOLS
from oddville_agents.oldtown.value.network import ALL, CARD_VALUES, DIGEST, NETWORK, SIZE, look, odds
from oddville_agents.policies.graph import Graph, dense, tensors_of_value
from oddville_agents.tensors import aligned_record, names_of
from oddville_env.core.compiled.jit import kernel
from oddville_env.core.game.view import View
from oddville_env.oldtown.cards.words import BUILDINGS, CARDS, LOTS, NOBODY, NOTHING
from oddville_env.oldtown.rules import play, turn, worlds
from oddville_env.oldtown.rules.actions import Kind
from oddville_env.oldtown.rules.state import PAIR

EVALUATOR = aligned_record(
    ("seen", "f4", (SIZE,)),
    ("tally", "i8", (POOLS, CARD_VALUES)),
    ("board", worlds.WORLD),
    *NETWORK,
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
    look(box, game, seat, evaluator)
    return float(odds(evaluator))


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


@kernel
def odds_after_move(box, game, action, evaluator, after):
    """The mover's log odds of winning after a move: after [3] STATE is working memory."""
    seat, kind = game.to_move, box.kind[action]
    if kind == Kind.SHOW:
        return odds_after_show(box, game, box.part[action, 0], evaluator, after)
    try_move(box, game, action, after)
    return log_odds(box, after[0], seat, evaluator)


@kernel
def odds_after_show(box, game, card, evaluator, after):
    """[Q] The log odds after the best pair with this card, and after the removal of the best token."""
    if game.shown != NOTHING:
        show(game, game.shown, card, after)
        return odds_after_removal(box, game.to_move, evaluator, after)
    best, partner = -np.inf, NOTHING
    for other in range(card + 1, CARDS):
        if game.counting & play.bit(other) != 0:
            show(game, card, other, after)
            end_turn(box, after[0])
            odds = log_odds(box, after[0], game.to_move, evaluator)
            if odds > best:
                best, partner = odds, other
    if partner == NOTHING:
        return best
    show(game, card, partner, after)
    return odds_after_removal(box, game.to_move, evaluator, after)


@kernel
def odds_after_removal(box, seat, evaluator, after):
    """[Q3] The log odds in after[0] without the best token, or as it is where there is none."""
    best = -np.inf
    for building in range(BUILDINGS):
        lots = int(after[0].sets[building])
        if worlds.count(lots) > 1:
            for lot in range(LOTS):
                if lots >> lot & 1:
                    after[1] = after[0]
                    play.apply_removal(after[1], building, lot)
                    turn.end_action(box, after[1], PAIR)
                    best = max(best, log_odds(box, after[1], seat, evaluator))
    if best == -np.inf:
        end_turn(box, after[0])
        best = log_odds(box, after[0], seat, evaluator)
    return best


@kernel
def odds_after_moves(boxes, games, index, mask, evaluators, after, odds):
    """The log odds after every legal move: mask [A] bool, odds [A] float, which is left alone elsewhere."""
    for action in range(mask.size):
        if mask[action]:
            odds[action] = odds_after_move(boxes[0], games[index], action, evaluators[0], after)


@kernel
def best_move(boxes, games, index, mask, evaluators, after):
    """The legal move with the best odds, the first of equals: mask [A] bool, after [3] STATE."""
    best, most = NOTHING, -np.inf
    for action in range(mask.size):
        if mask[action]:
            if games[index].legal_count == 1:
                return action
            odds = odds_after_move(boxes[0], games[index], action, evaluators[0], after)
            if odds > most or best == NOTHING:
                best, most = action, odds
    return best


OPERATIONS = f"""
value (float[B, {SIZE}] seen) => (float[B] odds) {{
    {dense("first", "seen", "net_first")}
    {dense("second", "first", "net_second")}
    third = MatMul(second, net_third_weight)
    plain = MatMul(seen, net_plain_weight)
    both = Add(third, plain)
    odds = Add(both, net_bias)
}}
"""


def value_graph(tensors: Mapping[str, np.ndarray]) -> Graph:
    """The graph of a value network's tensors."""
    return Graph(OPERATIONS, tensors_of_value(tensors), {"layout": DIGEST, "seen": names_of(ALL)})


def inputs_of(view: View) -> np.ndarray:
    """The network's inputs of a game that is not over, for the seat to move: float32 [SIZE]."""
    evaluator = make_evaluator({})
    look(view.box.record[0], view.state[0], view.seat, evaluator[0])
    seen: np.ndarray = evaluator["seen"][0].copy()
    return seen
