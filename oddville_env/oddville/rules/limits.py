"""Chapter L: two held buildings, and the discard of a third."""

from oddville_env.core.compiled.jit import kernel
from oddville_env.oddville.cards.words import NOTHING

from . import coins
from .actions import Kind, allow
from .state import HELD, MOST_HELD, Phase


@kernel
def hold(box, game, seat, card):
    """A building becomes the last of a seat's held ones, face up."""
    game.held[seat, game.holding[seat]] = card
    game.holding[seat] += 1
    coins.reveal(box, game, card)


@kernel
def let_go(game, seat, index):
    """Take a held building away; the younger ones move up."""
    card = game.held[seat, index]
    game.holding[seat] -= 1
    for younger in range(index, game.holding[seat]):
        game.held[seat, younger] = game.held[seat, younger + 1]
    game.held[seat, game.holding[seat]] = NOTHING
    return card


@kernel
def too_many(game):
    """[L2 T6] The seat to move holds three buildings."""
    return game.holding[game.to_move] > MOST_HELD


@kernel
def interrupt(game):
    """[L2 T6] One of the three must be discarded at once; then the phase continues."""
    game.resume = game.phase
    game.phase = Phase.DISCARD


@kernel
def legal_discard(box, game, mask):
    """[L2] Any of the three."""
    for index in range(HELD):
        allow(box, game, mask, Kind.DROP, index)


@kernel
def apply_discard(game, index):
    """[L2] The card goes to the bottom of the deck; the interrupted phase returns."""
    coins.put_under(game, let_go(game, game.to_move, index))
    game.phase = game.resume
    game.resume = NOTHING
