"""The entry points of Old Town's compiled rules for Python, in the form of `core.parts.entries`."""

import numpy as np

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts.entries import make_entries

from . import clues, hidden, play, setup, turn, worlds
from .worlds import WORLD


@kernel
def sample_unseen(boxes, games, index, seat, seed):
    """[K1-K3] Deal anew, from a seed (uint64), what a seat cannot know; NOBODY: what no seat knows."""
    hidden.sample_unseen(boxes[0], games[index], seat, seed)


@kernel
def canonicalize_hidden(boxes, games, index, seat):
    """[K1 K2] Blank all that a seat cannot know: games that it cannot tell apart become equal."""
    hidden.canonicalize_hidden(boxes[0], games[index], seat)


@kernel
def verdict(boxes, games, index, card, own):
    """[P1] The Verdict on a card now, with an own building, which an A card does not ask for."""
    return _verdict(boxes[0], games[index], np.zeros(1, WORLD), card, own)


@kernel
def _verdict(box, game, board, card, own):
    """The same; board [1] WORLD is working memory, which the caller keeps alive."""
    worlds.look(game, board[0])
    return clues.judge(box, game, board[0], card, own)


@kernel
def close_board(games, index):
    """[W3] Take every token off that is in no world."""
    play.close_board(games[index], np.zeros(1, WORLD))


shuffle, lay_table, legal, step, perft, canonical_copies = make_entries(
    setup.shuffle, setup.lay_table, turn.legal_anew, turn.step, canonicalize_hidden
)
