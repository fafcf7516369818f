"""Chapter K: the types of the cards in a mixed pile, an own stack with two players or the common stack with three.

Every order of a pile's types is as likely as there are ways to choose, for each card that was played, one of the places
of its type that its player had taken by then [S3 K1]. A seat's places are followed in the order of taking: the ways
depend on nothing but how many A and C cards were among them (dynamic programming).
"""

import numpy as np

from oddville_env.core.compiled.jit import kernel
from oddville_env.oldtown.cards.words import B_CARDS, NOBODY, NOTHING, CardType

from . import drafts, evidence
from .state import COMMON_A, COMMON_C, HAND, HAND_A, HOLDINGS, OWN_A, OWN_STACK, SEATS

NUMBERS = max(OWN_A, OWN_STACK - OWN_A, COMMON_A, COMMON_C) + 1  # of A or of C cards in a mixed pile, 0 among them
WAYS = (SEATS, HOLDINGS + 1, NUMBERS, NUMBERS)
"""The shape of the ways: by seat, cards taken from the pile, A and C cards among them."""


@kernel
def is_mixed(box):
    """[S3] Whether there are piles whose places hold cards of any type."""
    return box.own_size > 0 or box.common_a > 0


@kernel
def bounds(box, seat):
    """[S3] The first place of the mixed pile that a seat takes from, and the one behind its last."""
    if box.own_size > 0:
        low = box.own_place + seat * box.own_size
        return low, low + box.own_size
    return np.int64(box.common_place), np.int64(box.out_place)


@kernel
def quota_of(box, game, seat, quota):
    """[S3] How many cards of each type the blank places of a seat's mixed pile hold: quota [TYPES]."""
    if box.own_size > 0:
        quota[CardType.A], quota[CardType.B], quota[CardType.C] = OWN_A, 0, box.own_size - OWN_A
    else:
        quota[CardType.A], quota[CardType.B], quota[CardType.C] = box.common_a, B_CARDS, box.common_c
    low, high = bounds(box, seat)
    for place in range(low, high):
        if game.deal[place] != NOTHING:
            quota[box.card_type[game.deal[place]]] -= 1


@kernel
def of_seat(box, seat):
    """[S3] The number of a seat's mixed pile: each has its own with two players, all one with three."""
    return seat if box.own_size > 0 else 0


@kernel
def holds(box, seat, place):
    """[S3] Whether a place is one of the mixed pile that a seat takes from."""
    low, high = bounds(box, seat)
    return is_mixed(box) and low <= place < high


@kernel
def count_all(box, game, viewer, lies, ways, taken):
    """The ways of all seats [SEATS, ...], and how many cards each took from its pile [SEATS]; none for the viewer."""
    for seat in range(box.players):
        if seat == viewer or viewer == NOBODY:
            ways[seat, 0] = 0.0
            ways[seat, 0, 0, 0] = 1.0
        else:
            taken[seat] = count(box, game, seat, lies, ways[seat])


@kernel
def count(box, game, seat, lies, ways):
    """[S3 K1] The ways in which the first cards that a seat took from its pile are so many A and C cards.

    ways float64 [k, a, c] by the cards taken; returns how many it took. `lies` is the set of cards on known places.
    """
    low, high = bounds(box, seat)
    used = np.zeros(evidence.TYPES, np.int64)
    ways[0] = 0.0
    ways[0, 0, 0] = 1.0
    taken = number = 0
    for place in range(low, high):
        if game.holder[place] == seat:
            number = heed_plays(box, game, seat, lies, number, game.order[place], used, taken, ways[taken])
            take(box, ways[taken], ways[taken + 1])
            taken += 1
    heed_plays(box, game, seat, lies, number, HOLDINGS, used, taken, ways[taken])
    return taken


@kernel
def take(box, before, after):
    """One more card: the ways before it, by its type."""
    for a in range(NUMBERS):
        for c in range(NUMBERS):
            ways = before[a, c] if box.common_a > 0 else 0.0
            ways += before[a - 1, c] if a > 0 else 0.0
            ways += before[a, c - 1] if c > 0 else 0.0
            after[a, c] = ways


@kernel
def heed_plays(box, game, seat, lies, number, order, used, taken, ways):
    """[K1] Multiply the ways [a, c] by the places that each card can have come from that the seat played before it took
    its card number `order`; returns the number of the first play after that.
    """
    while number < evidence.plays(game):
        card, player, after = evidence.play(game, number)
        if player == seat and after > order:
            break
        if player == seat and lies & evidence.bit(card) == 0:
            kind = box.card_type[card]
            if kind != CardType.B or box.common_a > 0:
                for a in range(NUMBERS):
                    for c in range(NUMBERS):
                        ways[a, c] *= max(places_of(kind, taken, a, c) - used[kind], 0)
                used[kind] += 1
        number += 1
    return number


@kernel
def places_of(kind, taken, a, c):
    """[S3] The places of a type that a seat has taken: those of its hand, and those among its `taken` ones."""
    if kind == CardType.A:
        return HAND_A + a
    return HAND - HAND_A + c if kind == CardType.C else taken - a - c


@kernel
def orders(size, a, c):
    """The orders of so many types, a and c of them A and C: a multinomial coefficient."""
    number = 1.0
    for each in range(a):
        number *= (size - each) / (each + 1)
    for each in range(c):
        number *= (size - a - each) / (each + 1)
    return number


@kernel
def draw_kinds(box, game, first, last, taken, ways, kinds, quota, seed, drawn):
    """[S3 K1] Draw the types of the blank places that seats first..last-1 took from their pile: kinds [CARDS].

    quota [TYPES]: how many cards of each type the pile's blank places hold; what lies on these is taken off. Returns
    the numbers drawn so far.
    """
    low, high = bounds(box, first)
    untaken = 0
    for place in range(low, high):
        untaken += game.holder[place] == NOBODY and game.deal[place] == NOTHING
    tails = np.zeros((SEATS + 1, NUMBERS, NUMBERS))
    for a in range(quota[CardType.A] + 1):
        for c in range(quota[CardType.C] + 1):
            tails[last, a, c] = orders(untaken, a, c) if a + c <= untaken else 0.0
    for seat in range(last - 1, first, -1):
        convolve(ways[seat, taken[seat]], tails[seat + 1], tails[seat], quota)
    for seat in range(first, last):
        drawn = draw_numbers(game, seat, low, high, taken[seat], ways[seat], tails[seat + 1], kinds, quota, seed, drawn)
    return drawn


@kernel
def convolve(ways, tail, out, quota):
    """The ways [a, c] of one seat and of all that follow together, for as many cards as the quota allows."""
    for own_a in range(quota[CardType.A] + 1):
        for own_c in range(quota[CardType.C] + 1):
            if ways[own_a, own_c] > 0.0:
                for a in range(own_a, quota[CardType.A] + 1):
                    for c in range(own_c, quota[CardType.C] + 1):
                        out[a, c] += ways[own_a, own_c] * tail[a - own_a, c - own_c]


@kernel
def draw_numbers(game, seat, low, high, taken, ways, tail, kinds, quota, seed, drawn):
    """How many A and C cards a seat took from its pile, and where they lay."""
    total = 0.0
    for a in range(quota[CardType.A] + 1):
        for c in range(quota[CardType.C] + 1):
            total += ways[taken, a, c] * tail[quota[CardType.A] - a, quota[CardType.C] - c]
    left, own_a, own_c = drafts.part(seed, drawn) * total, 0, 0
    drawn += 1
    for a in range(quota[CardType.A] + 1):
        for c in range(quota[CardType.C] + 1):
            share = ways[taken, a, c] * tail[quota[CardType.A] - a, quota[CardType.C] - c]
            if left >= 0.0 and share > 0.0:
                own_a, own_c = a, c
            left -= share
    for place in range(high - 1, low - 1, -1):
        if game.holder[place] == seat and game.deal[place] == NOTHING:
            taken -= 1
            kind = draw_kind(ways[taken], own_a, own_c, drafts.part(seed, drawn))
            drawn += 1
            own_a -= kind == CardType.A
            own_c -= kind == CardType.C
            kinds[place] = kind
            quota[kind] -= 1
    return drawn


@kernel
def draw_kind(before, a, c, part):
    """The type of the last of the cards among which a and c are A and C, by the ways before it; `part` in 0..1."""
    a_ways = before[a - 1, c] if a > 0 else 0.0
    c_ways = before[a, c - 1] if c > 0 else 0.0
    number = part * (a_ways + c_ways + before[a, c])
    if number < a_ways:
        return CardType.A
    return CardType.C if number < a_ways + c_ways or before[a, c] == 0.0 else CardType.B
