"""Lookahead beyond the own turn: all rivals' replies, and the own move after them, behind close moves.

    value of a move = FIRST x chance behind the move + (1 - FIRST) x chance where the turn that begins with it ends
    value of a close move = KEPT x that + (1 - KEPT) x chance behind the rivals' best turns and an own move after them

The TRIED best moves are played on to the end of the turn. In the main phase those with a value close to the best one
are compared by what follows. What a move reveals stays covered, but a card's suit is counted as seen: so hidden cards
must be in canonical order, and nothing hidden is read.

A dearer worker is looked at where the cheapest one is good, and a reply or a later move where its like (`moves.py`) was
good before. With more than two players, whose lookahead is longer, fewer moves are compared and looked at: see
`Effort`. A builder's window [C11] counts as one of the rivals' turns.
"""

from typing import NamedTuple

import numpy as np

from oddville_agents.oddville.value import features
from oddville_agents.oddville.value.evaluator import (
    TRIED,
    TurnScratch,
    corrected_values,
    formula_values,
    make_scratch,
    start_group,
    try_move,
)
from oddville_agents.oddville.value.evaluator import values_beside as chances_of
from oddville_agents.oddville.value.formula.values import step_covered
from oddville_agents.oddville.value.moves import LIKES, is_dearer, keep_liked, later_moves, like_of, note_likes
from oddville_env.core.compiled.jit import kernel
from oddville_env.oddville.cards.words import NOBODY, NOTHING
from oddville_env.oddville.rules.actions import Kind, encode
from oddville_env.oddville.rules.box import Box
from oddville_env.oddville.rules.state import SEATS, Phase

NEAR = 0.1  # moves that are this much worse one move ahead are not played on
FIRST = 0.3  # weight of the chance one move ahead
KEPT = 0.3  # weight of a close move's value beside what follows
WORKERS = 0.01  # a dearer worker is looked at where the cheapest one is within this of the best move


class Effort(NamedTuple):
    """How much is looked at, by chances."""

    compared: int = 4  # moves that are compared by what follows them, at most
    close: float = 0.03  # they are within this of the best one
    replies: float = 0.01  # replies are looked at whose like was within this of the best one behind the best move
    further: float = np.inf  # further moves of the reply's turn, alike, by their number in the turn
    later: float = 0.06  # own moves after the replies, alike, by their values now
    worse: float = np.inf  # played on, moves that are this much worse by the formula are not looked at


MANY = Effort(compared=3, close=0.02, replies=0.0, further=0.01, later=0.03, worse=0.03)
"""The effort with more than two players."""


class ReplyScratch(NamedTuple):
    """Memory of the lookahead."""

    turn: TurnScratch  # its first mask and game are those of a move that is tried
    ends: np.ndarray  # [TRIED] games: where the turn ends behind each move, and a reply that is played
    mask: np.ndarray  # bool [A]
    moves: np.ndarray  # int64 [2, A]: moves now, and later
    values: np.ndarray  # float64 [2, A]: the mover's chances now, and later
    liked: np.ndarray  # float64 [SEATS, NOTED, LIKES]: the best value of like moves, inf where there is none: own ones
    # now in [0, 0], those behind the best move by the rival (how many seats on) and the number of its move
    noted: np.ndarray  # int64 [SEATS]: how many moves of each reply have their values in `liked`
    effort: Effort


NOTED = 4  # moves of a turn whose values are noted


def make_reply_scratch(box: Box) -> ReplyScratch:
    """Scratch for games of this box."""
    size = box.layout.size
    moves, values, liked = np.zeros((2, size), np.int64), np.zeros((2, size)), np.zeros((SEATS, NOTED, LIKES))
    games, mask = np.zeros(TRIED, box.games), np.zeros(size, np.bool_)
    noted, effort = np.zeros(SEATS, np.int64), Effort() if box.players == 2 else MANY
    return ReplyScratch(make_scratch(box), games, mask, moves, values, liked, noted, effort)


@kernel
def look(boxes, games, index, moves, count, worse, evaluators, scratch, values):
    """Write the chances of the seat to move behind the first moves; returns the index of the best one.

    Moves that are so much worse by the formula than one before are not looked at: their chance is -inf.
    """
    mover, best, most = games[index].to_move, 0, -np.inf
    for at in range(count):
        try_move(boxes[0], games, index, moves[at], scratch.turn)
        if worse == np.inf:
            values[at] = chance_of(boxes[0], scratch.turn.after[0], mover, evaluators, scratch)
        else:
            values[at], most = chance_unless_worse(boxes[0], mover, most, worse, evaluators, scratch)
        if values[at] > values[best]:
            best = at
    return best


@kernel
def chance_unless_worse(box, seat, most, worse, evaluators, scratch):
    """The chance of a seat behind the move that is tried, and the largest one by the formula so far."""
    game, chances, evaluator = scratch.turn.after[0], scratch.turn.chances, evaluators[0]
    if not evaluator.has_base or game.phase == Phase.OVER:
        return chance_of(box, game, seat, evaluators, scratch), most
    features.look(box, game, evaluator)
    formula_values(box, evaluator, chances)
    plain = chances[seat]
    if plain <= most - worse:
        return -np.inf, most
    corrected_values(box, evaluator, chances)
    return chances[seat], max(plain, most)


@kernel
def chance_of(box, game, seat, evaluators, scratch):
    """The chance of a seat."""
    chances_of(box, game, evaluators[0], scratch.turn.chances)
    return scratch.turn.chances[seat]


@kernel
def step_on(box, game, action, mask):
    """Play a move and end the turn if it may end then: whether it goes on, and whether it was ended so."""
    mover = game.to_move
    step_covered(box, game, action, mask)
    if game.to_move != mover or game.phase != Phase.END:
        return game.to_move == mover, False
    step_covered(box, game, encode(box, Kind.DONE, 0, 0, 0), mask)
    return False, True


@kernel
def play_on(boxes, games, index, action, value, evaluators, scratch):
    """Play a move and the mover's best ones to the end of its turn, where it ends the turn as soon as it may.

    Returns the mover's chance there, first `value`; NaN where it is not known.
    """
    box, game, moves = boxes[0], games[index], scratch.moves[1]
    goes_on, is_ended = step_on(box, game, action, scratch.mask)
    while goes_on:
        count = later_moves(box, game, scratch.mask, moves, evaluators[0])
        if count == 0:
            break
        best = look(boxes, games, index, moves, count, scratch.effort.worse, evaluators, scratch, scratch.values[1])
        value = scratch.values[1, best]
        goes_on, is_ended = step_on(box, game, moves[best], scratch.mask)
    return np.nan if is_ended else value


@kernel
def list_liked(boxes, at, liked, margin, evaluators, scratch):
    """List the moves from ends[at] whose like was good; returns how many."""
    box, game, moves = boxes[0], scratch.ends[at], scratch.moves[1]
    count = later_moves(box, game, scratch.mask, moves, evaluators[0])
    return keep_liked(box, game, moves, count, liked, margin)


@kernel
def best_of_reply(boxes, at, step, number, is_first, evaluators, scratch):
    """The best move from ends[at], NOTHING where there is none.

    It is the move of this `number` in the turn of the rival that is `step` turns ahead. Behind the best own move
    (`is_first`) all moves are looked at and their values noted, behind others those whose like was good.
    """
    games, moves, values, effort = scratch.ends, scratch.moves[1], scratch.values[1], scratch.effort
    liked, margin = scratch.liked[step, min(number, NOTED - 1)], np.inf
    if number < scratch.noted[step]:
        margin = effort.further if number > 0 else effort.replies
    count, best = list_liked(boxes, at, liked, margin, evaluators, scratch), 0
    if is_first or count > 1:
        best = look(boxes, games, at, moves, count, effort.worse, evaluators, scratch, values)
    if is_first and number < NOTED:
        note_likes(boxes[0], games[at], moves, count, values, liked)
        scratch.noted[step] = number + 1
    return moves[best] if count > 0 else NOTHING


@kernel
def play_reply(boxes, at, step, is_first, evaluators, scratch):
    """Play the best turn of the seat to move in ends[at] to where it may end; False where it has no move."""
    number, goes_on = 0, True
    while goes_on:
        action = best_of_reply(boxes, at, step, number, is_first, evaluators, scratch)
        if action == NOTHING:
            return number > 0
        number += 1
        goes_on, _ = step_on(boxes[0], scratch.ends[at], action, scratch.mask)
    return True


@kernel
def value_behind_replies(boxes, at, seat, is_first, evaluators, scratch):
    """The seat's chance behind the best turns of all rivals from ends[at] and, at its turn, its own best move."""
    game = scratch.ends[at]
    for step in range(1, boxes[0].players):
        is_rival = game.to_move != seat and game.to_move != NOBODY
        if not is_rival or not play_reply(boxes, at, step, is_first, evaluators, scratch):
            break
    if game.to_move == seat:
        moves, values = scratch.moves[1], scratch.values[1]
        count = list_liked(boxes, at, scratch.liked[0, 0], scratch.effort.later, evaluators, scratch)
        best = look(boxes, scratch.ends, at, moves, count, scratch.effort.worse, evaluators, scratch, values)
        if count > 0:
            return values[best]
    return chance_of(boxes[0], game, seat, evaluators, scratch)


@kernel
def look_at_all(boxes, games, index, mask, evaluators, scratch):
    """Look at the legal moves, dearer workers only where the cheapest one is good; returns how many are looked at."""
    box, count, moves, values, liked = boxes[0], 0, scratch.moves[0], scratch.values[0], scratch.liked[0, 0]
    dearer = mask.size
    for action in range(mask.size):
        if mask[action] and is_dearer(box, mask, action):
            dearer -= 1
            moves[dearer] = action
        elif mask[action]:
            moves[count] = action
            count += 1
    most, first = values[look(boxes, games, index, moves, count, np.inf, evaluators, scratch, values)], count
    note_likes(box, games[index], moves, count, values, liked)
    for action in moves[dearer:]:
        if liked[like_of(box, games[index], action)] >= most - WORKERS:
            moves[count] = action
            count += 1
    look(boxes, games, index, moves[first:], count - first, np.inf, evaluators, scratch, values[first:])
    return count


@kernel
def best_move_by_replies(boxes, games, index, mask, evaluators, scratch):
    """The id of the best move by the lookahead, the first of equals that it looks at."""
    seat, values = games[index].to_move, scratch.values[0]
    start_group(evaluators[0])
    count = look_at_all(boxes, games, index, mask, evaluators, scratch)
    most = values[:count].max()
    tried, worth = np.zeros(TRIED, np.int64), np.full(TRIED, -np.inf)
    for rank in range(min(TRIED, count)):
        best = values[:count].argmax()
        if values[best] < most - NEAR:
            break
        tried[rank] = scratch.moves[0, best]
        end = end_of_turn(boxes, games, index, rank, tried[rank], values[best], evaluators, scratch)
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
    value = play_on(boxes, scratch.ends, rank, action, value, evaluators, scratch)
    if np.isnan(value):
        return chance_of(boxes[0], scratch.ends[rank], games[index].to_move, evaluators, scratch)
    return value


@kernel
def best_by_replies(boxes, seat, worth, evaluators, scratch):
    """The best of the close moves by what follows them; without a close one the best by `worth`."""
    first = worth.argmax()
    least, chosen, highest = worth[first] - scratch.effort.close, first, -np.inf
    if (worth >= least).sum() == 1:
        return first
    scratch.noted[:] = 0
    for _ in range(scratch.effort.compared):
        best = worth.argmax()
        if worth[best] < least:
            break
        value, worth[best] = worth[best], -np.inf
        if scratch.ends[best].to_move != seat:
            behind = value_behind_replies(boxes, best, seat, best == first, evaluators, scratch)
            value = KEPT * value + (1 - KEPT) * behind
        if value > highest:
            chosen, highest = best, value
    return chosen
