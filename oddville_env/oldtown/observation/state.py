"""The global state for centralised critics: `features` as seat 0 sees it, then all that some seats cannot see."""

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts.pieces import Piece, state_encoders
from oddville_env.oldtown.cards.words import CARDS
from oddville_env.oldtown.loops import LOOPS
from oddville_env.oldtown.observation import FORMS
from oddville_env.oldtown.rules import play, setup
from oddville_env.oldtown.rules.state import OWN_STACK, SEATS

HIDDEN = (
    Piece("hands", (SEATS, CARDS), 1, "each seat's cards by their numbers"),
    Piece("own_order", (SEATS, CARDS), OWN_STACK, "by card: its place in a seat's own stack, 1 on top; 0 elsewhere"),
    Piece("common_order", (CARDS,), CARDS, "by card: its place in the common stack, 1 on top; 0 elsewhere"),
)


@kernel
def put_hidden(box, game, out, at):
    """HIDDEN; what was there is 0."""
    own = at + SEATS * CARDS
    common = own + SEATS * CARDS
    for seat in range(box.players):
        for card in range(CARDS):
            out[at + seat * CARDS + card] = (game.hand[seat] & play.bit(card)) != 0
        top = setup.own_place(box, seat) + box.own_size - game.own[seat]
        put_order(game, top, game.own[seat], out, own + seat * CARDS)
    put_order(game, box.out_place - game.common, game.common, out, common)


@kernel
def put_order(game, top, left, out, at):
    """The places, from 1, of the cards that a stack still has; top: the place of the deal of the first of them."""
    for place in range(left):
        out[at + int(game.deal[top + place])] = place + 1


state_encoder = state_encoders(FORMS["features"], HIDDEN, put_hidden, LOOPS)
