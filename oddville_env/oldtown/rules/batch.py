"""Old Town's compiled rules as Python calls them: entry points over one game, and loops over many."""

import numpy as np

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts.entries import make_entries
from oddville_env.core.parts.loops import Kernels, make_loops

from . import clues, hidden, play, setup, turn, worlds
from .actions import Kind, encode
from .state import STACKS, Phase
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


@kernel
def note_end(box, game, scores, ranks):
    """[E3 E4] The scores [P] and ranks [P] of a game that is over."""
    turn.scores(box, game, scores)
    turn.ranks(box, scores, ranks)


@kernel
def is_truncated(game):
    """[E2] Every game comes to its end."""
    return False


@kernel
def write_sources(box, game, seat, out):
    """[P7] A seat's points by what brought them."""
    for source in range(out.size):
        out[source] = game.earned[seat, source]


@kernel
def note_chance(box, game, note):
    """[K2] The only chance is the deal: there is nothing to note."""


@kernel
def turns_up(box, game, legal):
    """[D1 D3] A legal move may bring a card to the hand: it draws, or is an action after which there is one stack."""
    draws = encode(box, Kind.DRAW, 0, 0)
    for stack in range(STACKS):
        if legal[draws + stack]:
            return True
    acts = game.phase == Phase.MAIN or game.phase == Phase.SHOW or game.phase == Phase.REMOVE
    return acts and (game.common > 0) != (game.own[game.to_move] > 0)


LOOPS = make_loops(
    Kernels(
        shuffle=setup.shuffle,
        lay_table=setup.lay_table,
        note_end=note_end,
        write_sources=write_sources,
        legal=turn.legal,
        step=turn.step,
        is_truncated=is_truncated,
        sample_unseen=sample_unseen,
        note_chance=note_chance,
        turns_up=turns_up,
        advance=turn.advance,
    )
)
