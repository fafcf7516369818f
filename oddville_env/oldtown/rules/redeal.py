"""Chapter K: deals anew, each that fits what all seats saw as likely as any other.

1. Types for the places of mixed piles that other seats took, by the number of ways to deal them (`piles`).
2. A place for each card that was played: any that is left, of its type, which its player had taken by then.
3. The other cards of each type, shuffled, to the places that are left.

A deal that contradicts a stuck hand [K3] or a shown card [Q2] is thrown away: what is kept is exactly uniform. Where
that takes too long, `guided` deals follow.
"""

import numpy as np

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts.chance import shuffle
from oddville_env.oldtown.cards.words import CARDS, NOTHING, CardType

from . import drafts, evidence, guided, piles, setup
from .state import HAND, SEATS

TRIES = 32  # deals that are thrown away before any is guided


@kernel
def redeal(box, game, viewer, seed):
    """[K1-K3] Fill the blank places of a canonical game."""
    deal_blank(box, game, viewer, np.zeros(1, drafts.DRAFT), np.empty(piles.WAYS), np.zeros(SEATS, np.int64), seed)


@kernel
def deal_blank(box, game, viewer, memory, ways, taken, seed):
    """The same; memory [1] DRAFT, ways and taken of `piles` are working memory, which the caller keeps alive."""
    draft = memory[0]
    drafts.survey(box, game, draft)
    if not game.from_deal:
        shuffle_unknown(game, draft, seed)
        return
    if piles.is_mixed(box):
        piles.count_all(box, game, viewer, draft.lies, ways, taken)
    if evidence.is_weighed(game, viewer):
        deal_weighed(box, game, viewer, draft, taken, ways, seed)
    else:
        deal_held(box, game, viewer, draft, taken, ways, seed)
    deal_rest(box, game, draft, seed)


@kernel
def deal_weighed(box, game, viewer, draft, taken, ways, seed):
    """[K3 Q2] A deal of what other seats took that fits what their hands could not do, or did."""
    masks, tries = evidence.stuck_hands(box, game, viewer, draft.lies), 0
    while tries < TRIES:
        deal_held(box, game, viewer, draft, taken, ways, seed)
        tries += 1
        if evidence.fits(game, viewer, draft.places, masks):
            return
    if not guided.resample(box, game, viewer, draft, masks, seed):
        deal_held(box, game, viewer, draft, taken, ways, seed)


@kernel
def shuffle_unknown(game, draft, seed):
    """[K2] In a game that began in its middle types tell nothing of places: unknown cards lie in any order.

    The first card of a pair is in the hand that shows it [Q2].
    """
    cards, size = np.zeros(CARDS, np.int64), 0
    for card in range(CARDS):
        if draft.lies & evidence.bit(card) == 0:
            cards[size] = card
            size += 1
    shuffle(cards, size, seed, evidence.SAMPLE)
    for number in range(size):
        game.deal[draft.free[number]] = cards[number]
    if game.shown != NOTHING and draft.lies & evidence.bit(game.shown) == 0:
        for one in range(CARDS):
            if game.deal[one] == game.shown:
                swap_into(game, draft, one)
                return


@kernel
def swap_into(game, draft, one):
    """A card changes places with one that the seat to move holds."""
    for number in range(draft.frees):
        two = draft.free[number]
        if game.holder[two] == game.to_move:
            game.deal[one], game.deal[two] = game.deal[two], game.deal[one]
            return


@kernel
def deal_held(box, game, viewer, draft, taken, ways, seed):
    """[S3 K1] Deal all that other seats took."""
    drafts.blank(game, draft)
    draw_kinds(box, game, viewer, draft, taken, ways, seed)
    for number in range(evidence.plays(game)):
        card, player, after = evidence.play(game, number)
        if draft.lies & evidence.bit(card) == 0:
            lay_played(box, game, draft, card, player, after, seed)
    for seat in range(box.players):
        for order in range(game.taken[seat]):
            place = draft.places[seat, order]
            if place != NOTHING and game.deal[place] == NOTHING:
                lay_any(game, draft, place, draft.kinds[place], seed)


@kernel
def draw_kinds(box, game, viewer, draft, taken, ways, seed):
    """[S3] The types of the places of mixed piles that other seats took."""
    quota, drawn = np.zeros(evidence.TYPES, np.int64), draft.drawn
    if box.own_size > 0:
        for seat in range(box.players):
            if seat != viewer:
                piles.quota_of(box, game, seat, quota)
                drawn = piles.draw_kinds(box, game, seat, seat + 1, taken, ways, draft.kinds, quota, seed, drawn)
    if box.common_a > 0:
        piles.quota_of(box, game, 0, quota)
        drawn = piles.draw_kinds(box, game, 0, box.players, taken, ways, draft.kinds, quota, seed, drawn)
    draft.drawn = drawn


@kernel
def lay_played(box, game, draft, card, player, after, seed):
    """[S3 K1] Put a played card on any place of its type that its player had taken."""
    fitting, chosen = 0, NOTHING
    for order in range(after):
        place = draft.places[player, order]
        if place != NOTHING and game.deal[place] == NOTHING and draft.kinds[place] == box.card_type[card]:
            fitting += 1
            if drafts.next_number(draft, seed, fitting) == 0:
                chosen = place
    game.deal[chosen] = card


@kernel
def lay_any(game, draft, place, kind, seed):
    """[S3] Put any card of a type on a place."""
    drafts.put(game, draft, place, kind, drafts.next_number(draft, seed, draft.left[kind]))


@kernel
def deal_rest(box, game, draft, seed):
    """[S3] The cards that are left, to the places that no seat took; those out of the game in the order of numbers."""
    quota = np.zeros(evidence.TYPES, np.int64)
    if box.own_size > 0:
        for seat in range(box.players):
            deal_pile(box, game, draft, seat, quota, seed)
    if box.common_a > 0:
        deal_pile(box, game, draft, 0, quota, seed)
    for place in range(box.common_place, box.out_place):
        if game.deal[place] == NOTHING:
            lay_any(game, draft, place, CardType.B, seed)
    lies = evidence.known_cards(game)
    place = np.int64(box.out_place)
    for card in range(CARDS):
        if lies & evidence.bit(card) == 0:
            game.deal[place] = card
            place += 1
    for seat in range(box.players):
        setup.sort_part(game, HAND * seat, HAND * seat + HAND)


@kernel
def deal_pile(box, game, draft, seat, quota, seed):
    """[S3] The rest of a seat's mixed pile, its types in random order."""
    piles.quota_of(box, game, seat, quota)
    low, high = piles.bounds(box, seat)
    for place in range(low, high):
        if game.deal[place] == NOTHING:
            kind, number = 0, drafts.next_number(draft, seed, quota.sum())
            while number >= quota[kind]:
                number -= quota[kind]
                kind += 1
            quota[kind] -= 1
            lay_any(game, draft, place, kind, seed)
