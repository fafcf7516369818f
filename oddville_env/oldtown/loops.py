"""The loops over many games of Old Town, and the kernels over one record that they are made of."""

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts.loops import Kernels, make_loops
from oddville_env.oldtown.rules import batch, setup, turn
from oddville_env.oldtown.rules.actions import Kind, encode
from oddville_env.oldtown.rules.state import STACKS, Phase


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
        sample_unseen=batch.sample_unseen,
        note_chance=note_chance,
        turns_up=turns_up,
        advance=turn.advance,
    )
)
