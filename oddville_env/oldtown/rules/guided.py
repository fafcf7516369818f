"""Chapter K: deals where few fit, by sampling importance resampling (Rubin 1987).

No card goes to a place where a stuck hand cannot have held it, and none that counts where such a hand has one already.
The weight of a deal is one by the chance with which it was drawn; of some deals that fit one is kept by weight.
"""

import numpy as np

from oddville_env.core.compiled.jit import kernel
from oddville_env.oldtown.cards.words import NOTHING, CardType

from . import drafts, evidence, piles
from .evidence import COUNTING, PLAYABLE, TYPES
from .state import SEATS, STUCKS

FITTING = 16  # deals that fit, of which one is kept
MOST_TRIES = 1024  # deals that are drawn at most

FORMATS = {"full": ("i1", STUCKS), "quota": ("i8", (SEATS, TYPES))}
HANDS = np.dtype((np.record, np.dtype({"names": list(FORMATS), "formats": list(FORMATS.values())}, align=True)))
"""What is known of a deal so far. full: the stuck hand holds a card that counts · quota: how many cards of each type a
mixed pile still holds."""


@kernel
def resample(box, game, viewer, draft, masks, seed):
    """[K3] Deal what other seats took; False where no deal fits that was drawn."""
    memory, kept = np.zeros(1, HANDS), game.deal.copy()
    total, found, tries = 0.0, 0, 0
    while found < FITTING and tries < MOST_TRIES:
        weight = deal_held(box, game, draft, memory, masks, seed)
        tries += 1
        if weight > 0.0 and evidence.fits(game, viewer, draft.places, masks):
            found += 1
            total += weight
            if next_part(draft, seed) * total < weight:
                kept[:] = game.deal
    if found > 0:
        drafts.restore(game, draft, kept)
    return found > 0


@kernel
def deal_held(box, game, draft, memory, masks, seed):
    """Deal what other seats took; the deal's weight, 0.0 where a card finds no place or a place no card.

    memory [1] HANDS is working memory.
    """
    hands = memory[0]
    drafts.blank(game, draft)
    hands.full[:] = 0
    if piles.is_mixed(box):
        for seat in range(box.players):
            piles.quota_of(box, game, seat, hands.quota[piles.of_seat(box, seat)])
    weight, number = 1.0, 0
    while weight > 0.0 and number < evidence.plays(game):
        card, player, after = evidence.play(game, number)
        if draft.lies & evidence.bit(card) == 0:
            weight *= lay_played(box, game, draft, hands, masks, card, player, after, seed)
        number += 1
    for seat in range(box.players):
        for order in range(game.taken[seat]):
            place = draft.places[seat, order]
            if weight > 0.0 and place != NOTHING and game.deal[place] == NOTHING:
                weight *= lay_any(box, game, draft, hands, masks, seat, place, seed)
    return weight * ways_of_rest(box, game, draft, hands) if weight > 0.0 else 0.0


@kernel
def barred(game, hands, masks, seat, place):
    """[K3] The cards that the stuck hands cannot have held that had taken a place, as the deal is so far."""
    cards = np.int64(0)
    for number in range(game.stucks):
        if game.stuck_seat[number] == seat and game.order[place] < game.stuck_taken[number]:
            cards |= masks[number, PLAYABLE]
            if hands.full[number] != 0:
                cards |= masks[number, COUNTING]
    return cards


@kernel
def chance_of(box, draft, hands, seat, place, kind):
    """[S3] How likely a seat's blank place holds a type, plays and stuck hands aside."""
    if piles.holds(box, seat, place):
        quota = hands.quota[piles.of_seat(box, seat)]
        return quota[kind] / quota.sum()
    return 1.0 if draft.kinds[place] == kind else 0.0


@kernel
def note(box, game, hands, masks, seat, place, card):
    """A card lies on a place: which stuck hands have their one card that counts, and what the pile still holds."""
    for number in range(game.stucks):
        had = game.stuck_seat[number] == seat and game.order[place] < game.stuck_taken[number]
        if had and masks[number, COUNTING] & evidence.bit(card) != 0:
            hands.full[number] = 1
    if piles.holds(box, seat, place):
        hands.quota[piles.of_seat(box, seat), box.card_type[card]] -= 1


@kernel
def lay_played(box, game, draft, hands, masks, card, player, after, seed):
    """[S3 K1] Put a played card on a place that its player had taken; one by the chance of this place."""
    total, part, chosen = 0.0, 0.0, NOTHING
    for order in range(after):
        place = draft.places[player, order]
        if place != NOTHING and game.deal[place] == NOTHING:
            share = chance_of(box, draft, hands, player, place, box.card_type[card])
            if share > 0.0 and barred(game, hands, masks, player, place) & evidence.bit(card) == 0:
                total += share
                if next_part(draft, seed) * total < share:
                    chosen, part = place, share
    if chosen == NOTHING:
        return 0.0
    game.deal[chosen] = card
    note(box, game, hands, masks, player, chosen, card)
    return total / part


@kernel
def lay_any(box, game, draft, hands, masks, seat, place, seed):
    """[S3] Put a card on a place; one by the chance of this card."""
    cards = barred(game, hands, masks, seat, place)
    total, part, chosen = 0.0, 0.0, NOTHING
    for kind in range(TYPES):
        allowed = count_allowed(draft, cards, kind)
        share = chance_of(box, draft, hands, seat, place, kind) * allowed / max(draft.left[kind], 1)
        if share > 0.0:
            total += share
            if next_part(draft, seed) * total < share:
                chosen, part = kind, share / allowed
    if chosen == NOTHING:
        return 0.0
    number = draw_allowed(draft, cards, chosen, seed)
    note(box, game, hands, masks, seat, place, draft.pool[chosen, number])
    drafts.put(game, draft, place, chosen, number)
    return total / part


@kernel
def next_part(draft, seed):
    """A random number in 0..1."""
    draft.drawn += 1
    return drafts.part(seed, draft.drawn)


@kernel
def count_allowed(draft, cards, kind):
    """The number of cards of a type that are left, but for those of a set."""
    allowed = 0
    for number in range(draft.left[kind]):
        allowed += cards & evidence.bit(draft.pool[kind, number]) == 0
    return allowed


@kernel
def draw_allowed(draft, cards, kind, seed):
    """Any of them, by its place in the pool."""
    allowed, chosen = 0, NOTHING
    for number in range(draft.left[kind]):
        if cards & evidence.bit(draft.pool[kind, number]) == 0:
            allowed += 1
            if drafts.next_number(draft, seed, allowed) == 0:
                chosen = number
    return chosen


@kernel
def ways_of_rest(box, game, draft, hands):
    """[S3] The deals of what no seat took: the orders of types in each mixed pile, and of the cards of each type."""
    ways = 1.0
    for kind in range(TYPES):
        for number in range(draft.left[kind]):
            ways *= number + 1
    if box.own_size > 0:
        for seat in range(box.players):
            ways *= orders_of_rest(hands.quota[seat])
    return ways * orders_of_rest(hands.quota[0]) if box.common_a > 0 else ways


@kernel
def orders_of_rest(quota):
    """The orders of the types that a mixed pile still holds."""
    return piles.orders(quota.sum(), quota[CardType.A], quota[CardType.C])
