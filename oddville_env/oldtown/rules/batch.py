"""The doors of compiled code for Python: each takes the box and the games as arrays of records, and an index.

Passing one record costs ten times more than passing the array that it lies in.
"""

import numpy as np

from oddville_env.core.jit import kernel
from oddville_env.core.parts.loops import random_player
from oddville_env.core.parts.perft import line_counter

from . import clues, hidden, play, setup, turn, worlds
from .state import Phase
from .worlds import WORLD


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
def ranks(boxes, games, index, points, out):
    """[E4] Ranks from 1, equals sharing the better one: points [P] int -> out [P] int."""
    turn.ranks(boxes[0], points, out)


@kernel
def sample_unseen(boxes, games, index, seat, seed):
    """[K1-K3] Deal anew, from a seed (uint64), what a seat cannot know; NOBODY: what no seat knows."""
    hidden.sample_unseen(boxes[0], games[index], seat, seed)


@kernel
def canonicalize_hidden(boxes, games, index, seat):
    """[K1 K2] Blank all that a seat cannot know: games that it cannot tell apart become equal."""
    hidden.canonicalize_hidden(boxes[0], games[index], seat)


@kernel
def canonical_copies(boxes, games, tables, out):
    """[K1 K2] The games at tables [T], each as `canonicalize_hidden` leaves it for its seat to move: out [T]."""
    for place in range(tables.size):
        out[place] = games[tables[place]]
        hidden.canonicalize_hidden(boxes[0], out[place], out[place].to_move)


@kernel
def verdict(boxes, games, index, card, own):
    """[P1] What a card is now, a Verdict, with an own building, which an A card does not ask for."""
    board = np.zeros(1, WORLD)
    worlds.look(games[index], board[0])
    return clues.judge(boxes[0], games[index], board[0], card, own)


@kernel
def close_board(games, index):
    """[W3] Take every token off that is in no world."""
    play.close_board(games[index], np.zeros(1, WORLD))


play_randomly = random_player(turn.legal, turn.step)
perft = line_counter(turn.step)
