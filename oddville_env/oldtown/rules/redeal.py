"""Chapter K: a first deal to the places that a seat has not seen: played cards where they came from, then the rest."""

import numpy as np

from oddville_env.core.compiled.jit import kernel
from oddville_env.oldtown.cards.words import B_CARDS, CARDS, NOTHING, CardType

from . import chance, evidence, play, setup
from .evidence import BY, PLAYABLE, TYPES
from .state import HAND, HAND_A, OWN_A, Stream


@kernel
def place_played(box, game, seat, facts, masks):
    """[S3 K3] Put the cards that other seats played on places that these had taken by then: the earliest that fit.

    First those that a stuck hand cannot have held. False where a card found no place, which cannot be without masks.
    """
    found = True
    for late in range(2):
        for number in range(game.plays + (game.shown != NOTHING)):
            card = game.played[number] if number < game.plays else game.shown
            if facts[card, BY] != seat:
                earliest = not_before(game, facts, masks, card)
                if (earliest == 0) == (late == 1):
                    found = found and place_early(box, game, card, facts, earliest)
    return found


@kernel
def not_before(game, facts, masks, card):
    """[K3] The least number of cards that its player had taken before it took this one."""
    earliest = 0
    for number in range(game.stucks):
        if game.stuck_seat[number] == facts[card, BY] and masks[number, PLAYABLE] & play.bit(card) != 0:
            earliest = max(earliest, game.stuck_taken[number])
    return earliest


@kernel
def place_early(box, game, card, facts, earliest):
    """Put a card on the earliest blank place that takes its type and that its player took in time."""
    for place in range(box.out_place):
        fits = game.deal[place] == NOTHING and game.order[place] >= earliest
        if fits and evidence.may_lie(game, facts, place, card) and takes(box, place, card):
            game.deal[place] = card
            return True
    return False


@kernel
def takes(box, place, card):
    """[S3] A place's kind of stack holds cards of this type."""
    kind = box.card_type[card]
    if place < box.own_place:
        return kind == (CardType.A if place % HAND < HAND_A else CardType.C)
    if place < box.common_place:
        return kind != CardType.B
    if place < box.out_place:
        return kind == CardType.B or box.common_a > 0
    return kind != CardType.B


@kernel
def deal_rest(box, game, seed):
    """[S3] Cards that lie nowhere yet, in random order, to the blank places."""
    cards, left = np.zeros((TYPES, CARDS), np.int64), np.zeros(TYPES, np.int64)
    lies = np.zeros(CARDS, np.bool_)
    for place in range(CARDS):
        if game.deal[place] != NOTHING:
            lies[game.deal[place]] = True
    for card in range(CARDS):
        if not lies[card]:
            kind = box.card_type[card]
            cards[kind, left[kind]] = card
            left[kind] += 1
    for kind in range(TYPES):
        chance.shuffle(cards[kind], left[kind], seed, chance.event_of(Stream.SAMPLE, kind))
    for place in range(box.own_place):
        if game.deal[place] == NOTHING:
            put_next(game, place, cards, left, CardType.A if place % HAND < HAND_A else CardType.C)
    quota = np.zeros(TYPES, np.int64)
    if box.own_size > 0:
        for seat in range(box.players):
            quota[CardType.A], quota[CardType.B], quota[CardType.C] = OWN_A, 0, box.own_size - OWN_A
            low = setup.own_place(box, seat)
            fill(box, game, low, low + box.own_size, cards, left, quota, seed)
    quota[CardType.A], quota[CardType.B], quota[CardType.C] = box.common_a, B_CARDS, box.common_c
    fill(box, game, box.common_place, box.out_place, cards, left, quota, seed)
    for place in range(box.out_place, CARDS):
        if game.deal[place] == NOTHING:
            put_next(game, place, cards, left, CardType.A if left[CardType.A] > 0 else CardType.C)


@kernel
def put_next(game, place, cards, left, kind):
    """The next card of a type."""
    left[kind] -= 1
    game.deal[place] = cards[kind, left[kind]]


@kernel
def fill(box, game, low, high, cards, left, quota, seed):
    """[S3] Fill a pile's blank places so that it holds its quota [TYPES] of every type, in random order."""
    for place in range(low, high):
        if game.deal[place] != NOTHING:
            quota[box.card_type[game.deal[place]]] -= 1
    for place in range(low, high):
        if game.deal[place] == NOTHING:
            number = chance.draw(seed, chance.event_of(Stream.SAMPLE, TYPES), place, quota.sum())
            kind = 0
            while number >= quota[kind]:
                number -= quota[kind]
                kind += 1
            quota[kind] -= 1
            put_next(game, place, cards, left, kind)
