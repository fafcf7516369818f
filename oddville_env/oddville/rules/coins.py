"""Chapter P: coins are cards of the deck, coin side up."""

from oddville_env.core.compiled.jit import kernel
from oddville_env.oddville.cards.words import NOTHING

from .state import BUILDINGS, MOST_COINS


@kernel
def top_card(game):
    """[P1 P5] Take the deck's top card; there always is one."""
    assert game.deck_size > 0
    card = game.deck[game.deck_top]
    game.deck[game.deck_top] = NOTHING
    game.deck_top = (game.deck_top + 1) % BUILDINGS
    game.deck_size -= 1
    return card


@kernel
def reveal(box, game, card):
    """[K1] A card lies face up, and is known for ever after."""
    game.unseen[box.suit[card]] -= not game.card_seen[card]
    game.card_seen[card] = True


@kernel
def put_on_top(game, card):
    """[P3] A card becomes the deck's top card."""
    game.deck_top = (game.deck_top - 1) % BUILDINGS
    game.deck[game.deck_top] = card
    game.deck_size += 1


@kernel
def put_under(game, card):
    """[L2] A card becomes the deck's last card, coin side up."""
    game.deck[(game.deck_top + game.deck_size) % BUILDINGS] = card
    game.deck_size += 1


@kernel
def gain(game, seat, number):
    """[P1 P2 L1] A seat draws coins from the deck, but only what it can keep."""
    for _ in range(min(number, MOST_COINS - game.coins[seat])):
        game.coin[seat, game.coins[seat]] = top_card(game)
        game.coins[seat] += 1


@kernel
def take_last_coin(game, seat):
    """[P3] Take the coin that a seat gained last."""
    game.coins[seat] -= 1
    card = game.coin[seat, game.coins[seat]]
    game.coin[seat, game.coins[seat]] = NOTHING
    return card


@kernel
def put_back(game, seat, price):
    """[P3] Coins are put on top of the deck one by one, the last gained first."""
    for _ in range(price):
        put_on_top(game, take_last_coin(game, seat))
