"""Lookahead beyond the own turn: the next seat's reply, and the own move after it, behind close moves.

    value of a move = FIRST x chance behind the move + (1 - FIRST) x chance where the turn that begins with it ends
    value of a close move = KEPT x that + (1 - KEPT) x chance behind the next seat's best turn

With two players the mover's best move follows that turn.
The TRIED best moves are played on to the end of the turn. In the main phase those with a value within CLOSE of the best
one are compared by what follows. What a move reveals stays covered, so nothing hidden is read.
"""

from typing import NamedTuple

import numpy as np

from oddville_agents.oddville.value.evaluator import TRIED, TurnScratch, make_scratch, start_group, try_move
from oddville_agents.oddville.value.evaluator import values_beside as chances_of
from oddville_agents.oddville.value.formula import appraisal
from oddville_agents.oddville.value.formula.values import step_covered
from oddville_env.core.compiled.jit import kernel
from oddville_env.oddville.cards.words import NOTHING
from oddville_env.oddville.rules import turn
from oddville_env.oddville.rules.actions import Kind, encode
from oddville_env.oddville.rules.box import Box
from oddville_env.oddville.rules.state import MOST_HELD, WORKER_CARDS, Phase

NEAR = 0.1  # moves that are this much worse one move ahead are not played on
FIRST = 0.3  # weight of the chance one move ahead
CLOSE = 0.02  # moves of nearly equal value
KEPT = 0.3  # weight of a close move's value beside what follows
COMPARED = 3  # of them at most
REPLIES = 2  # replies to the best move that are tried behind the others


class ReplyScratch(NamedTuple):
    """Memory of the lookahead."""

    turn: TurnScratch  # its first mask and game are those of a move that is tried
    ends: np.ndarray  # [TRIED + 1] games: where the turn ends behind each move, and a reply that is played
    mask: np.ndarray  # bool [A]
    moves: np.ndarray  # int64 [2, A]: moves now, and later
    values: np.ndarray  # float64 [3, A]: the mover's chances now, and later; chances of the seat that looks ahead
    replies: np.ndarray  # int64 [REPLIES]: the best ones to the best move


def make_reply_scratch(box: Box) -> ReplyScratch:
    """Scratch for games of this box."""
    size = box.layout.size
    moves, values = np.zeros((2, size), np.int64), np.zeros((3, size))
    turn_scratch, ends = make_scratch(box), np.zeros(TRIED + 1, box.games)
    return ReplyScratch(turn_scratch, ends, np.zeros(size, np.bool_), moves, values, np.zeros(REPLIES, np.int64))


@kernel
def look(boxes, games, index, moves, count, seat, evaluators, scratch, values, chances):
    """Write the chances of the seat to move and of `seat` behind the first moves; returns the best one's place."""
    mover, best = games[index].to_move, 0
    for place in range(count):
        try_move(boxes[0], games, index, moves[place], scratch.turn)
        chances_of(boxes[0], scratch.turn.after[0], evaluators[0], scratch.turn.chances)
        values[place], chances[place] = scratch.turn.chances[mover], scratch.turn.chances[seat]
        if values[place] > values[best]:
            best = place
    return best


@kernel
def is_dearer(box, mask, action):
    """Another worker card does the same for fewer coins, brings more coins, or does as well with a lower number."""
    kind, worker, choice = box.kind[action], box.part[action, 0], box.part[action, 1]
    if kind != Kind.BUY and kind != Kind.TAKE and kind != Kind.COINS:
        return False
    for other in range(WORKER_CARDS):
        if other != worker and mask[encode(box, kind, other, choice, 0)]:
            saved = 0
            if kind == Kind.BUY:
                saved = box.price[worker, choice] - box.price[other, choice]
            elif kind == Kind.COINS:
                saved = box.shown[other] - box.shown[worker]
            if saved > 0 or (saved == 0 and other < worker):
                return True
    return False


@kernel
def list_builds(box, game, mask, moves, evaluator):
    """List for each held building that can be built its best cell by the formula; returns how many."""
    count, seat = 0, game.to_move
    for index in range(min(game.holding[seat], MOST_HELD)):
        card, most = game.held[seat, index], -np.inf
        for place in range(game.frontier_size):
            action = encode(box, Kind.BUILD, index, game.frontier[place], 0)
            if mask[action]:
                worth = appraisal.worth_of_cell(box, game, card, game.frontier[place], evaluator)
                worth += 2 * evaluator.gain[seat]
                if worth > most:
                    most, moves[count] = worth, action
        count += most > -np.inf
    return count


@kernel
def later_moves(box, game, mask, moves, evaluator):
    """List the moves that lookahead tries: no covered card, one cell a building, the cheapest workers; how many."""
    turn.legal(box, game, mask)
    count = list_builds(box, game, mask, moves, evaluator)
    for action in range(box.actions):
        kind = box.kind[action]
        if not mask[action] or kind == Kind.BUILD or kind == Kind.FLIP or is_dearer(box, mask, action):
            continue
        if (kind == Kind.BUY or kind == Kind.SWAP) and game.row[box.part[action, 1]] == NOTHING:
            continue
        moves[count] = action
        count += 1
    return count


@kernel
def play_on(boxes, games, index, action, value, seat, evaluators, scratch):
    """Play a move and the mover's best ones to the end of its turn; returns the chance of `seat`, first `value`."""
    box, game, mover = boxes[0], games[index], games[index].to_move
    moves, values, chances = scratch.moves[1], scratch.values[1], scratch.values[2]
    while True:
        step_covered(box, game, action, scratch.mask)
        if game.to_move != mover:
            return value
        count = later_moves(box, game, scratch.mask, moves, evaluators[0])
        if count == 0:
            return value
        best = look(boxes, games, index, moves, count, seat, evaluators, scratch, values, chances)
        action, value = moves[best], chances[best]


@kernel
def take_best(values, count):
    """The place of the largest of the first values, which becomes -inf."""
    best = values[:count].argmax()
    values[best] = -np.inf
    return best


@kernel
def note_replies(moves, values, count, replies):
    """Note the moves with the largest values."""
    for rank in range(min(count, replies.size)):
        replies[rank] = moves[take_best(values, count)]


@kernel
def keep_replies(moves, count, replies):
    """Keep those of the moves that are noted, if there are any; returns how many."""
    kept = 0
    for place in range(count):
        if (replies == moves[place]).any():
            moves[kept] = moves[place]
            kept += 1
    return kept if kept > 0 else count


@kernel
def value_behind_reply(boxes, at, value, seat, evaluators, scratch):
    """The seat's chance behind the best turn of the seat to move in ends[at] and, at its turn, its own best move."""
    box, games, is_first = boxes[0], scratch.ends, scratch.replies[0] == NOTHING
    moves, values, chances = scratch.moves[1], scratch.values[1], scratch.values[2]
    count = later_moves(box, games[at], scratch.mask, moves, evaluators[0])
    if count > 0:
        if not is_first:
            count = keep_replies(moves, count, scratch.replies)
        best = look(boxes, games, at, moves, count, seat, evaluators, scratch, values, chances)
        action, value = moves[best], chances[best]
        if is_first:
            note_replies(moves, values, count, scratch.replies)
        value = play_on(boxes, games, at, action, value, seat, evaluators, scratch)
    if games[at].to_move == seat:
        count = later_moves(box, games[at], scratch.mask, moves, evaluators[0])
        if count > 0:
            value = values[look(boxes, games, at, moves, count, seat, evaluators, scratch, values, chances)]
    return value


@kernel
def best_move_by_replies(boxes, games, index, mask, evaluators, scratch):
    """The id of the best move by the lookahead, the first of equals."""
    seat, count, moves, values = games[index].to_move, 0, scratch.moves[0], scratch.values[0]
    for action in range(mask.size):
        if mask[action]:
            moves[count] = action
            count += 1
    start_group(evaluators[0])
    most = values[look(boxes, games, index, moves, count, seat, evaluators, scratch, values, scratch.values[2])]
    tried, worth = np.zeros(TRIED, np.int64), np.full(TRIED, -np.inf)
    for rank in range(min(TRIED, count)):
        best = values[:count].argmax()
        if values[best] < most - NEAR:
            break
        tried[rank] = moves[best]
        end = end_of_turn(boxes, games, index, rank, moves[best], values[best], evaluators, scratch)
        worth[rank] = FIRST * values[best] + (1 - FIRST) * end
        values[best] = -np.inf
    if games[index].phase == Phase.MAIN:
        return tried[best_by_replies(boxes, seat, worth, evaluators, scratch)]
    return tried[worth.argmax()]


@kernel
def end_of_turn(boxes, games, index, rank, action, value, evaluators, scratch):
    """Play a move and the rest of the turn in ends[rank]; returns the mover's chance. A flip is not played."""
    scratch.ends[rank] = games[index]
    scratch.ends[rank].seed = 0
    if boxes[0].kind[action] == Kind.FLIP:
        return value
    return play_on(boxes, scratch.ends, rank, action, value, games[index].to_move, evaluators, scratch)


@kernel
def best_by_replies(boxes, seat, worth, evaluators, scratch):
    """The best of the close moves by what follows them; without a close one the best by `worth`."""
    first = worth.argmax()
    least, chosen, highest = worth[first] - CLOSE, first, -np.inf
    if (worth >= least).sum() == 1:
        return first
    scratch.replies[:] = NOTHING
    for _ in range(COMPARED):
        best = worth.argmax()
        if worth[best] < least:
            break
        value, worth[best] = worth[best], -np.inf
        if scratch.ends[best].to_move != seat:
            behind = value_behind_reply(boxes, best, value, seat, evaluators, scratch)
            value = KEPT * value + (1 - KEPT) * behind
        if value > highest:
            chosen, highest = best, value
    return chosen
