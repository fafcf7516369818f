"""The global state for centralised critics: `features` as seat 0 sees it, then all that seats cannot see."""

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts.pieces import Piece, state_encoders
from oddville_env.oddville.loops import LOOPS
from oddville_env.oddville.observation import FORMS
from oddville_env.oddville.rules.state import BUILDINGS, CHARACTERS, GUILDS, IN_GUILD, MOST_COINS, SEATS

HIDDEN = (
    Piece("seen", (BUILDINGS,), 1, "by card: it has lain face up"),
    Piece("deck_order", (BUILDINGS,), BUILDINGS, "by card: its place in the deck, 1 on top; 0 elsewhere"),
    Piece("coin_order", (SEATS, BUILDINGS), MOST_COINS, "by card: its place in a seat's coins, oldest 1; 0 elsewhere"),
    Piece("pile_order", (CHARACTERS,), IN_GUILD, "by character: its place in its pile, 1 on top; 0 elsewhere"),
)


@kernel
def put_hidden(box, game, out, at):
    """HIDDEN; what was there is 0."""
    for card in range(BUILDINGS):
        out[at + card] = game.card_seen[card]
    deck = at + BUILDINGS
    for place in range(game.deck_size):
        out[deck + int(game.deck[(game.deck_top + place) % BUILDINGS])] = place + 1
    coins = deck + BUILDINGS
    for seat in range(box.players):
        for place in range(game.coins[seat]):
            out[coins + seat * BUILDINGS + int(game.coin[seat, place])] = place + 1
    piles = coins + SEATS * BUILDINGS
    for guild in range(GUILDS):
        for place in range(game.pile_size[guild]):
            out[piles + int(game.pile[guild, game.pile_size[guild] - 1 - place])] = place + 1


state_encoder = state_encoders(FORMS["features"], HIDDEN, put_hidden, LOOPS)
