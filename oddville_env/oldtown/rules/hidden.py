"""Chapter K: what a seat cannot know, put into canonical order or dealt anew.

Hidden is only which card lies on which place of the deal. So `canonicalize_hidden` blanks the places that a seat has
not seen, and `sample_unseen` does so first and then deals: nothing it does can depend on what the seat cannot know.
"""

import numpy as np

from oddville_env.core.compiled.arrays import overwrite
from oddville_env.core.compiled.jit import kernel
from oddville_env.oldtown.cards.words import CARDS, NOBODY, NOTHING

from . import play, redeal, worlds
from .state import STUCKS, Phase


@kernel
def note_stuck(game):
    """[K3] The seat to move shows that no card of its hand can be used now; of many times the last ones are kept."""
    number = game.stucks
    if number == STUCKS:
        forget_first_stuck(game)
        number -= 1
    game.stucks = number + 1
    game.stuck_seat[number] = game.to_move
    game.stuck_taken[number] = game.taken[game.to_move]
    game.stuck_plays[number] = game.plays
    overwrite(game.stuck_mine[number], game.mine[game.to_move])
    overwrite(game.stuck_sets[number], game.sets)


@kernel
def forget_first_stuck(game):
    """Make room for one more."""
    for number in range(1, STUCKS):
        game.stuck_seat[number - 1] = game.stuck_seat[number]
        game.stuck_taken[number - 1] = game.stuck_taken[number]
        game.stuck_plays[number - 1] = game.stuck_plays[number]
        overwrite(game.stuck_mine[number - 1], game.stuck_mine[number])
        overwrite(game.stuck_sets[number - 1], game.stuck_sets[number])


@kernel
def canonicalize_hidden(box, game, seat):
    """[K1 K2] Blank all that a seat cannot know: games that it cannot tell apart become equal."""
    game.seed = 0
    if game.to_move != seat and seat != NOBODY:
        game.legal_count = game.counting = 0
    for place in range(CARDS):
        if not has_seen(game, seat, place) and not is_open(game, game.deal[place]):
            game.deal[place] = NOTHING
    for other in range(box.players):
        if other != seat and seat != NOBODY:
            game.hand[other] = 0


@kernel
def has_seen(game, seat, place):
    """[K1] A seat took the card of a place; where the seat is NOBODY, some seat did."""
    return game.holder[place] != NOBODY if seat == NOBODY else game.holder[place] == seat


@kernel
def is_open(game, card):
    """In a game that began in its middle, a played card's place tells nothing: it stays."""
    if not game.from_deal:
        for number in range(game.plays):
            if game.played[number] == card:
                return True
    return False


@kernel
def sample_unseen(box, game, seat, seed):
    """[K1-K3] Deal anew, from a seed (uint64), what a seat cannot know, with all chance to come."""
    canonicalize_hidden(box, game, seat)
    redeal.redeal(box, game, seat, seed)
    fill_hands(box, game, seat)
    if game.to_move != seat and game.phase == Phase.SHOW:
        play.judge_hand(box, game, np.zeros(1, worlds.WORLD), np.zeros(box.kind.size, np.bool_))
    game.seed = seed


@kernel
def fill_hands(box, game, seat):
    """The other hands are what their seats have taken and not played."""
    for place in range(CARDS):
        if game.holder[place] != NOBODY and game.holder[place] != seat:
            game.hand[game.holder[place]] |= play.bit(game.deal[place])
    for number in range(game.plays):
        if game.played_by[number] != seat:
            game.hand[game.played_by[number]] &= ~play.bit(game.played[number])
