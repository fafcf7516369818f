"""Chapter K: deals anew, each that fits what all seats saw as likely as any other.

1. Types for the places of mixed piles, by the number of ways in which they can be dealt (`piles`).
2. A place for each card that was played: any that is left, of its type, which its player had taken by then.
3. The other cards of each type, shuffled, to the places that are left.

A deal that contradicts a stuck hand [K3] or a shown card [Q2] is thrown away: what is kept is exactly uniform. Where
that takes too long, deals are drawn by importance sampling: no card goes to a place where a stuck hand cannot have held
it, a deal's weight is the product of the parts of all choices that were left each time, and of the deals that fit one
is drawn by weight (sampling importance resampling, Rubin 1987).
"""

import numpy as np

from oddville_env.core.compiled.jit import kernel
from oddville_env.oldtown.cards.words import B_CARDS, CARDS, NOBODY, NOTHING, CardType

from . import chance, evidence, piles, setup
from .evidence import COUNTING, PLAYABLE, TYPES
from .state import HAND, HAND_A, HOLDINGS, OWN_A, SEATS

TRIES = 64  # deals that are thrown away before any is guided
GUIDED = 16  # guided deals that fit, of which one is kept
MOST_TRIES = 4096  # guided deals before one that does not quite fit is kept

FORMATS = {
    "kinds": ("i1", CARDS), "places": ("i1", (SEATS, HOLDINGS)), "pool": ("i1", (TYPES, CARDS)), "cards": ("i4", TYPES),
    "left": ("i4", TYPES), "free": ("i1", CARDS), "frees": "i4", "lies": "i8", "drawn": "i8",
}  # fmt: skip
DRAFT = np.dtype((np.record, np.dtype({"names": list(FORMATS), "formats": list(FORMATS.values())}, align=True)))
"""What the deals of one position share, and the working memory of one. kinds: the type of each place · places: those
of each seat in the order of taking · pool, cards: the cards of each type to deal, and their number; the first `left`
are still to be dealt · free, frees: the blank places, and their number · lies: the set of known cards · drawn: how many
numbers were drawn."""


@kernel
def redeal(box, game, viewer, seed):
    """[K1-K3] Fill the blank places of a canonical game."""
    drafts = np.zeros(1, DRAFT)
    draft = drafts[0]
    survey(box, game, draft)
    if not game.from_deal:
        shuffle_unknown(game, draft, seed)
        return
    ways = np.empty(piles.WAYS)
    taken = piles.count_all(box, game, viewer, draft.lies, ways)
    if evidence.is_weighed(game, viewer):
        masks = evidence.stuck_hands(box, game, viewer, draft.lies)
        found = False
        for _ in range(TRIES):
            if not found:
                found = try_deal(box, game, viewer, draft, masks[:0], taken, ways, seed) > 0.0
                found = found and evidence.fits(game, viewer, draft.places, masks)
        if not found:
            resample(box, game, viewer, draft, masks, taken, ways, seed)
    else:
        try_deal(box, game, viewer, draft, np.zeros((0, 2), np.int64), taken, ways, seed)
    deal_rest(box, game, draft, seed)


@kernel
def survey(box, game, draft):
    """Note what all deals of this position have in common."""
    draft.places[:] = NOTHING
    for place in range(CARDS):
        if game.deal[place] == NOTHING:
            draft.free[draft.frees] = place
            draft.frees += 1
        if game.holder[place] != NOBODY and game.order[place] != NOTHING:
            draft.places[game.holder[place], game.order[place]] = place
    draft.lies = evidence.known_cards(game)
    fixed = np.int64(draft.lies)
    for number in range(evidence.plays(game)):
        fixed |= evidence.bit(evidence.play(game, number)[0])
    for card in range(CARDS):
        if fixed & evidence.bit(card) == 0:
            kind = box.card_type[card]
            draft.pool[kind, draft.cards[kind]] = card
            draft.cards[kind] += 1
    for place in range(box.own_place):
        draft.kinds[place] = CardType.A if place % HAND < HAND_A else CardType.C
    for place in range(box.common_place, box.out_place):
        draft.kinds[place] = CardType.B


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
    chance.shuffle(cards, size, seed, evidence.SAMPLE)
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
def try_deal(box, game, viewer, draft, masks, taken, ways, seed):
    """A deal of all that other seats took; its weight, 0.0 where a card finds no place, 1.0 without masks [N, 2]."""
    for number in range(draft.frees):
        game.deal[draft.free[number]] = NOTHING
    for kind in range(TYPES):
        draft.left[kind] = draft.cards[kind]
    draw_kinds(box, game, viewer, draft, taken, ways, seed)
    weight, number = 1.0, 0
    while weight > 0.0 and number < evidence.plays(game):
        card, player, after = evidence.play(game, number)
        if draft.lies & evidence.bit(card) == 0:
            weight *= lay_played(box, game, draft, masks, card, player, after, seed)
        number += 1
    for seat in range(box.players):
        for order in range(game.taken[seat]):
            place = draft.places[seat, order]
            if weight > 0.0 and place != NOTHING and game.deal[place] == NOTHING:
                weight *= lay_any(game, draft, masks, place, seed)
    return weight


@kernel
def draw_kinds(box, game, viewer, draft, taken, ways, seed):
    """[S3] The types of the places of mixed piles."""
    quota = np.zeros(TYPES, np.int64)
    if box.own_size > 0:
        for seat in range(box.players):
            quota[CardType.A], quota[CardType.B], quota[CardType.C] = OWN_A, 0, box.own_size - OWN_A
            draw_pile(box, game, draft, seat, seat + 1, taken, ways, quota, seed)
    if box.common_a > 0:
        quota[CardType.A], quota[CardType.B], quota[CardType.C] = box.common_a, B_CARDS, box.common_c
        draw_pile(box, game, draft, 0, box.players, taken, ways, quota, seed)


@kernel
def draw_pile(box, game, draft, first, last, taken, ways, quota, seed):
    """[S3] The types of one mixed pile, without those of its known cards."""
    low, high = piles.bounds(box, first)
    for place in range(low, high):
        if game.deal[place] != NOTHING:
            quota[box.card_type[game.deal[place]]] -= 1
    draft.drawn = piles.draw_kinds(box, game, first, last, taken, ways, draft.kinds, quota, seed, draft.drawn)


@kernel
def next_number(draft, seed, number):
    """A random number in 0..number-1."""
    draft.drawn += 1
    return chance.draw(seed, evidence.SAMPLE, draft.drawn, number)


@kernel
def barred(game, draft, masks, place):
    """[K3] The cards that the stuck hands cannot have held that had taken a place, as the deal is so far."""
    cards = np.int64(0)
    for number in range(masks.shape[0] - 1):
        if game.stuck_seat[number] == game.holder[place] and game.order[place] < game.stuck_taken[number]:
            cards |= masks[number, PLAYABLE]
            if held(game, draft, number) & masks[number, COUNTING] != 0:
                cards |= masks[number, COUNTING]
    return cards


@kernel
def held(game, draft, number):
    """The cards that lie already on the places that a stuck hand had taken."""
    seat, cards = game.stuck_seat[number], np.int64(0)
    for order in range(game.stuck_taken[number]):
        place = draft.places[seat, order]
        if place != NOTHING and game.deal[place] != NOTHING:
            cards |= evidence.bit(game.deal[place])
    return cards


@kernel
def lay_played(box, game, draft, masks, card, player, after, seed):
    """[S3 K1] Put a played card on a place that its player had taken; the part of these places that it may go to."""
    fitting = allowed = 0
    chosen = NOTHING
    for order in range(after):
        place = draft.places[player, order]
        if place != NOTHING and game.deal[place] == NOTHING and draft.kinds[place] == box.card_type[card]:
            fitting += 1
            if masks.shape[0] == 0 or barred(game, draft, masks, place) & evidence.bit(card) == 0:
                allowed += 1
                if next_number(draft, seed, allowed) == 0:
                    chosen = place
    if chosen == NOTHING:
        return 0.0
    game.deal[chosen] = card
    return allowed / fitting


@kernel
def lay_any(game, draft, masks, place, seed):
    """[S3] Put any card of its type on a place; the part of these cards that may lie there."""
    kind = draft.kinds[place]
    left = draft.left[kind]
    cards = barred(game, draft, masks, place) if masks.shape[0] > 0 else 0
    if left == 0:
        return 0.0
    if cards == 0:
        put(game, draft, place, kind, next_number(draft, seed, left))
        return 1.0
    allowed, chosen = 0, NOTHING
    for number in range(left):
        if cards & evidence.bit(draft.pool[kind, number]) == 0:
            allowed += 1
            if next_number(draft, seed, allowed) == 0:
                chosen = number
    if chosen != NOTHING:
        put(game, draft, place, kind, chosen)
    return allowed / left


@kernel
def put(game, draft, place, kind, number):
    """Deal a card of the pool."""
    last = draft.left[kind] - 1
    card = draft.pool[kind, number]
    draft.pool[kind, number], draft.pool[kind, last] = draft.pool[kind, last], card
    draft.left[kind] = last
    game.deal[place] = card


@kernel
def resample(box, game, viewer, draft, masks, taken, ways, seed):
    """[K3] Draw guided deals, and keep one of those that fit, by weight; the last one where none fits."""
    kept, kinds = game.deal.copy(), draft.kinds.copy()
    total, found, tries = 0.0, 0, 0
    while found < GUIDED and tries < MOST_TRIES:
        weight = try_deal(box, game, viewer, draft, masks, taken, ways, seed)
        tries += 1
        if weight > 0.0 and evidence.fits(game, viewer, draft.places, masks):
            found += 1
            total += weight
            draft.drawn += 1
            if chance.part(seed, evidence.SAMPLE, draft.drawn) * total < weight:
                kept[:], kinds[:] = game.deal, draft.kinds
    if found == 0:
        while try_deal(box, game, viewer, draft, masks[:0], taken, ways, seed) == 0.0:
            pass
    else:
        restore(game, draft, kept, kinds)


@kernel
def restore(game, draft, deal, kinds):
    """Put an earlier deal back, and the cards that it took out of the pool."""
    lies = np.int64(0)
    for place in range(CARDS):
        game.deal[place], draft.kinds[place] = deal[place], kinds[place]
        if deal[place] != NOTHING:
            lies |= evidence.bit(deal[place])
    for kind in range(TYPES):
        draft.left[kind] = 0
        for number in range(draft.cards[kind]):
            card = draft.pool[kind, number]
            if lies & evidence.bit(card) == 0:
                left = draft.left[kind]
                draft.pool[kind, number], draft.pool[kind, left] = draft.pool[kind, left], card
                draft.left[kind] = left + 1


@kernel
def deal_rest(box, game, draft, seed):
    """[S3] The cards that are left, to the places that no seat took; those out of the game in the order of numbers."""
    for place in range(box.out_place):
        if game.deal[place] == NOTHING:
            kind = draft.kinds[place]
            put(game, draft, place, kind, next_number(draft, seed, draft.left[kind]))
    lies = evidence.known_cards(game)
    place = np.int64(box.out_place)
    for card in range(CARDS):
        if lies & evidence.bit(card) == 0:
            game.deal[place] = card
            place += 1
    for seat in range(box.players):
        setup.sort_part(game, HAND * seat, HAND * seat + HAND)
