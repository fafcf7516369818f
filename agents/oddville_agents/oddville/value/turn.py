"""One-ply search with a value for every seat, and along the best moves to the end of the turn.

    best_move = argmax over legal moves of: the mover's chance to win behind the move (value/evaluator.py)
    best_move_of_turn = the same among the TRIED best moves, each followed by the mover's best moves until its turn ends

It looks neither beyond the turn nor at anything hidden.
"""

from typing import NamedTuple

import numpy as np

from oddville_agents.oddville.value.evaluator import start_group, values_beside
from oddville_agents.oddville.value.formula.values import step_covered
from oddville_env.core.compiled.jit import kernel
from oddville_env.oddville.cards.words import NOTHING
from oddville_env.oddville.rules import hidden
from oddville_env.oddville.rules.actions import Kind
from oddville_env.oddville.rules.box import Box
from oddville_env.oddville.rules.state import SEATS

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
        values_after_moves(boxes, scratch.after, 1, mask, evaluators, scratch, scratch.values[1])
        action = scratch.values[1].argmax()
        value = scratch.values[1, action]
    return value
