"""What is best in a turn: the positions behind its moves, imagined and judged; behind the best the turn is played on.

It does not look beyond the turn, nor at anything hidden.
"""

from typing import NamedTuple

import numpy as np

from oddville_agents.oddville.value.evaluator import forget_base, values_beside
from oddville_agents.oddville.value.formula.prospects import imagine
from oddville_env.core.jit import kernel
from oddville_env.oddville.cards.words import NOTHING
from oddville_env.oddville.rules import hidden
from oddville_env.oddville.rules.actions import Kind
from oddville_env.oddville.rules.box import Box
from oddville_env.oddville.rules.state import SEATS

TRIED = 4  # moves behind which the turn is played on


class Head(NamedTuple):
    """Where moves are played in the head: scratch of one who plays."""

    imagined: np.ndarray  # [3] games: behind a move, in the turn that is played on, and there one move before
    masks: np.ndarray  # bool [2, A]: scratch, and the legal moves in the turn that is played on
    chances: np.ndarray  # float64 [P]
    worths: np.ndarray  # float64 [2, A]: of moves now, and in the turn that is played on


def make_head(box: Box) -> Head:
    """A head for this box."""
    actions = box.layout.size
    return Head(np.zeros(3, box.games), np.zeros((2, actions), np.bool_), np.zeros(SEATS), np.zeros((2, actions)))


@kernel
def best_move(boxes, games, index, mask, evaluators, head):
    """The id of the move behind which the seat to move has the best chances, the first of equals."""
    judge_moves(boxes, games, index, mask, evaluators, head, head.worths[0])
    return head.worths[0].argmax()


@kernel
def best_move_of_turn(boxes, games, index, mask, evaluators, head):
    """The same, with the turn played on behind the moves that it likes best."""
    judge_moves(boxes, games, index, mask, evaluators, head, head.worths[0])
    best, best_worth = NOTHING, -np.inf
    for _ in range(TRIED):
        action = head.worths[0].argmax()
        if head.worths[0, action] == -np.inf:
            break
        worth = worth_of_turn(boxes, games, index, action, evaluators, head)
        head.worths[0, action] = -np.inf
        if worth > best_worth:
            best, best_worth = action, worth
    return best


@kernel
def judge_moves(boxes, games, index, mask, evaluators, head, worths):
    """The mover's chances behind each legal move, worths [A]; -inf for other moves."""
    box, seat = boxes[0], games[index].to_move
    forget_base(evaluators[0])
    for action in range(mask.size):
        worths[action] = -np.inf
        if mask[action]:
            play_in_head(box, games, index, action, head)
            values_beside(box, head.imagined[0], evaluators[0], head.chances)
            worths[action] = head.chances[seat]


@kernel
def play_in_head(box, games, index, action, head):
    """Any move, behind which the first imagined game then is; a flip only shows something, so it changes nothing."""
    head.imagined[0] = games[index]
    head.imagined[0].seed = 0
    if box.kind[action] != Kind.FLIP:
        imagine(box, head.imagined[0], action, head.masks[0])


@kernel
def worth_of_turn(boxes, games, index, action, evaluators, head):
    """The mover's chances where its turn ends, or something comes to light, if it plays its best moves on from one."""
    box, seat, worth = boxes[0], games[index].to_move, head.worths[0, action]
    game, before, mask = head.imagined[1], head.imagined[2], head.masks[1]
    head.imagined[1] = games[index]
    game.seed = 0
    while box.kind[action] != Kind.FLIP:
        head.imagined[2] = head.imagined[1]
        imagine(box, game, action, mask)
        if game.to_move != seat or hidden.is_revealing(before, game):
            break
        judge_moves(boxes, head.imagined, 1, mask, evaluators, head, head.worths[1])
        action = head.worths[1].argmax()
        worth = head.worths[1, action]
    return worth
