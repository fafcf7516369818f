"""Chapters S and B: the deal, the choice of buildings, and the places that cards come from."""

import numpy as np

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts import chance
from oddville_env.oldtown.cards.words import A_CARDS, B_CARDS, BUILDINGS, C_CARDS, CARDS, NOTHING

from . import play
from .actions import Kind, allow
from .state import HAND, HAND_A, MOST_MINE, OWN_A, STACKS, Stack, Stream, event_of, reset


@kernel
def shuffle(box, game, seed):
    """[S3 S4] Deal every card to a place, and choose the first seat, as the seed (uint64) decides."""
    game.seed = seed
    game.first = chance.draw(seed, event_of(Stream.FIRST, 0), 0, box.players)
    cards = np.arange(CARDS)
    a, c, b = cards[:A_CARDS], cards[A_CARDS : A_CARDS + C_CARDS], cards[A_CARDS + C_CARDS :]
    chance.shuffle(a, A_CARDS, seed, event_of(Stream.DECK_A, 0))
    chance.shuffle(c, C_CARDS, seed, event_of(Stream.DECK_C, 0))
    chance.shuffle(b, B_CARDS, seed, event_of(Stream.DECK_B, 0))
    hands_a, hands_c = box.players * HAND_A, box.players * (HAND - HAND_A)
    for seat in range(box.players):
        lay(game, HAND * seat, a, HAND_A * seat, HAND_A)
        lay(game, HAND * seat + HAND_A, c, (HAND - HAND_A) * seat, HAND - HAND_A)
    deal_own(box, game, a[hands_a:], c[hands_c:], seed)
    stacks = box.players if box.own_size > 0 else 0
    own_a, own_c = stacks * OWN_A, stacks * (box.own_size - OWN_A)
    deal_common(box, game, a[hands_a + own_a :], b, c[hands_c + own_c :], seed)
    for seat in range(box.players):  # within a hand, and out of the game, the order means nothing: it is the cards' one
        sort_part(game, HAND * seat, HAND * seat + HAND)
    sort_part(game, box.out_place, CARDS)


@kernel
def lay(game, place, cards, start, number):
    """Cards from `start` on, to places from `place` on."""
    for each in range(number):
        game.deal[place + each] = cards[start + each]


@kernel
def deal_own(box, game, a, c, seed):
    """[S3] Each own stack, shuffled."""
    if box.own_size > 0:
        for seat in range(box.players):
            place, own_c = own_place(box, seat), box.own_size - OWN_A
            lay(game, place, a, OWN_A * seat, OWN_A)
            lay(game, place + OWN_A, c, own_c * seat, own_c)
            event = event_of(Stream.STACK, 1 + seat)
            chance.shuffle(game.deal[place : place + box.own_size], box.own_size, seed, event)


@kernel
def deal_common(box, game, a, b, c, seed):
    """[S3] The common stack, shuffled, and what is left out of the game."""
    place = box.common_place
    lay(game, place, b, 0, B_CARDS)
    lay(game, place + B_CARDS, a, 0, box.common_a)
    lay(game, place + B_CARDS + box.common_a, c, 0, box.common_c)
    event = event_of(Stream.STACK, 0)
    chance.shuffle(game.deal[place : place + box.common_size], box.common_size, seed, event)
    place += box.common_size
    lay(game, place, a, box.common_a, a.size - box.common_a)
    lay(game, place + a.size - box.common_a, c, box.common_c, c.size - box.common_c)


@kernel
def sort_part(game, low, high):
    """The cards on some places in the order of their numbers."""
    for last in range(low + 1, high):
        for place in range(last, low, -1):
            here, before = game.deal[place], game.deal[place - 1]
            game.deal[place], game.deal[place - 1] = max(here, before), min(here, before)


@kernel
def own_place(box, seat):
    """The first place of a seat's own stack."""
    return box.own_place + seat * box.own_size


@kernel
def lay_table(box, game):
    """[S1-S5] Lay out a game from its deal and first seat: hands are taken, all else is as `FIELDS` has it."""
    reset(game)
    game.to_move = game.first
    game.common = box.common_size
    for seat in range(box.players):
        game.own[seat] = box.own_size
        for place in range(HAND * seat, HAND * seat + HAND):
            take_card(game, seat, place)


@kernel
def take_card(game, seat, place):
    """A card comes into a hand."""
    game.holder[place], game.order[place] = seat, game.taken[seat]
    game.taken[seat] += 1
    game.hand_size[seat] += 1
    if game.deal[place] != NOTHING:
        game.hand[seat] |= play.bit(game.deal[place])


@kernel
def stack_size(game, stack):
    """[D2] Cards that the seat to move may draw from a stack."""
    return game.common if stack == Stack.COMMON else game.own[game.to_move]


@kernel
def draw_card(box, game, stack):
    """[D1] The seat to move takes the top card of a stack."""
    seat = game.to_move
    if stack == Stack.COMMON:
        place = box.common_place + box.common_size - game.common
        game.common -= 1
    else:
        place = own_place(box, seat) + box.own_size - game.own[seat]
        game.own[seat] -= 1
    take_card(game, seat, place)


@kernel
def legal_draws(box, game, mask):
    """[D2 T3] Every stack that has a card."""
    for stack in range(STACKS):
        if stack_size(game, stack) > 0:
            allow(box, game, mask, Kind.DRAW, stack)


@kernel
def mine_size(game, seat):
    """[B1] The number of a seat's own buildings."""
    size = 0
    for choice in range(MOST_MINE):
        size += game.mine[seat, choice] != NOTHING
    return size


@kernel
def must_take(box, game):
    """[B2] The seat to move takes a building: below two, and near the end only with none."""
    size, supply = mine_size(game, game.to_move), np.count_nonzero(game.supply)
    if supply <= box.players:
        return supply > 0 and size == 0
    return size < MOST_MINE


@kernel
def legal_takes(box, game, mask):
    """[S5 B2] Any building in supply."""
    for building in range(BUILDINGS):
        if game.supply[building]:
            allow(box, game, mask, Kind.TAKE, building)


@kernel
def take_building(game, building):
    """[S5 B2] A tile comes before the seat to move."""
    seat = game.to_move
    game.mine[seat, mine_size(game, seat)] = building
    game.supply[building] = 0
