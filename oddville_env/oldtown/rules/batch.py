"""The doors of compiled code for Python: each takes the box and the games as arrays of records, and an index.

Passing one record costs ten times more than passing the array that it lies in.
"""

import numpy as np

from oddville_env.core.jit import kernel

from . import chance, hidden, play, setup, turn
from .state import Phase, Stream
from .worlds import WORLD

BLOCK = 32  # ids that are counted at once


@kernel
def shuffle(boxes, games, index, seed):
    """[S3 S4] Deal the cards and choose the first seat as the seed (uint64) decides."""
    setup.shuffle(boxes[0], games[index], seed)


@kernel
def lay_table(boxes, games, index, mask):
    """[S1-S5] Lay out a game from its deal and first seat, and mark its legal moves: mask [A] bool.

    Returns the seat to move.
    """
    setup.lay_table(boxes[0], games[index])
    turn.legal(boxes[0], games[index], mask)
    return games[index].to_move


@kernel
def legal(boxes, games, index, mask):
    """All legal moves of a game: mask [A] bool; in phase show its main phase is judged anew."""
    if games[index].phase == Phase.SHOW:
        turn.judge_anew(boxes[0], games[index], mask)
    turn.legal(boxes[0], games[index], mask)


@kernel
def step(boxes, games, index, action, mask):
    """Play one legal move and mark the next legal ones: mask [A] bool. Returns the seat to move, NOBODY at the end."""
    turn.step(boxes[0], games[index], action, mask)
    return games[index].to_move


@kernel
def scores(boxes, games, index, out):
    """[E3] Every seat's score: out [P] int."""
    turn.scores(boxes[0], games[index], out)


@kernel
def following_seed(seed):
    """The seed (uint64) of the game that is dealt after this one where none is given."""
    return chance.scatter(seed + chance.INCREMENT)


@kernel
def ranks(boxes, games, index, points, out):
    """[E4] Ranks from 1, equals sharing the better one: points [P] int -> out [P] int."""
    turn.ranks(boxes[0], points, out)


@kernel
def sample_unseen(boxes, games, index, seat, seed, mask):
    """[K1-K3] Deal anew, from a seed (uint64), what a seat cannot know, and mark the legal moves: mask [A] bool."""
    hidden.sample_unseen(boxes[0], games[index], seat, seed)
    turn.legal(boxes[0], games[index], mask)


@kernel
def canonicalize_hidden(boxes, games, index, seat):
    """[K1 K2] Blank all that a seat cannot know: games that it cannot tell apart become equal."""
    hidden.canonicalize_hidden(boxes[0], games[index], seat)


@kernel
def nth_move(mask, number):
    """The id of the number-th legal move, from 0: whole blocks of the mask are counted first."""
    start = 0
    while start + BLOCK <= mask.size:
        words = 0
        for action in range(start, start + BLOCK):
            words += mask[action]
        if number < words:
            break
        number -= words
        start += BLOCK
    for action in range(start, mask.size):
        number -= mask[action]
        if number < 0:
            return action
    return mask.size


@kernel
def random_move(mask, seed, index):
    """A uniformly random legal move: draw `index` of a seed (uint64)."""
    words = 0
    for action in range(mask.size):
        words += mask[action]
    return nth_move(mask, move_number(seed, index, words))


@kernel
def move_number(seed, index, words):
    """Which of so many legal moves a random player takes: draw `index` of a seed (uint64)."""
    return chance.draw(seed, chance.event_of(Stream.MOVE, 0), index, words)


@kernel
def at_the_table(seed, index, number):
    """Who sits where around a game, and with which luck: a number in 0..number-1, draw `index` of the game's seed."""
    return chance.draw(seed, chance.event_of(Stream.TABLE, 0), index, number)


@kernel
def play_randomly(boxes, games, index, seed, mask):
    """Play a game to its end with uniformly random legal moves; the number of decisions."""
    turn.legal(boxes[0], games[index], mask)
    decisions = 0
    while games[index].legal_count > 0:
        number = move_number(seed, decisions, games[index].legal_count)
        turn.step(boxes[0], games[index], nth_move(mask, number), mask)
        decisions += 1
    return decisions


@kernel
def perft(boxes, games, masks, at):
    """The number of lines of legal moves that lead from games[at] to the last of games [D], with its luck as dealt.

    masks [D, A] bool holds the legal moves of games[at] at `at`; everything behind it is overwritten.
    """
    lines = 0
    for action in range(masks.shape[1]):
        if masks[at, action]:
            if at + 1 == games.size - 1:
                lines += 1
            else:
                games[at + 1] = games[at]
                turn.step(boxes[0], games[at + 1], action, masks[at + 1])
                lines += perft(boxes, games, masks, at + 1)
    return lines


@kernel
def close_board(games, index):
    """[W3] Take every token off that is in no world."""
    play.close_board(games[index], np.zeros(1, WORLD))
