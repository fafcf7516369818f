"""Chapter K: the working memory of deals anew, as one numpy record."""

import numpy as np

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts.chance import draw
from oddville_env.oldtown.cards.words import CARDS, NOBODY, NOTHING, CardType

from . import evidence
from .evidence import TYPES
from .state import HAND, HAND_A, HOLDINGS, SEATS

FINE = 2**32  # parts of 1 that a drawn number in 0..1 is made of
FORMATS = {
    "kinds": ("i1", CARDS), "places": ("i1", (SEATS, HOLDINGS)), "pool": ("i1", (TYPES, CARDS)), "cards": ("i4", TYPES),
    "left": ("i4", TYPES), "free": ("i1", CARDS), "frees": "i4", "lies": "i8", "drawn": "i8",
}  # fmt: skip
DRAFT = np.dtype((np.record, np.dtype({"names": list(FORMATS), "formats": list(FORMATS.values())}, align=True)))
"""What the deals of one position share, and the working memory of one.

kinds: the type of each place · places: those of each seat in the order of taking · pool, cards: the cards to deal of
each type, and their number; the first `left` are still to be dealt · free, frees: the blank places, and their number ·
lies: the set of known cards · drawn: how many numbers were drawn.
"""


@kernel
def survey(box, game, draft):
    """Note what all deals of a position share."""
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
def blank(game, draft):
    """Take a deal back."""
    for number in range(draft.frees):
        game.deal[draft.free[number]] = NOTHING
    for kind in range(TYPES):
        draft.left[kind] = draft.cards[kind]


@kernel
def next_number(draft, seed, number):
    """A random number in 0..number-1."""
    draft.drawn += 1
    return draw(seed, evidence.SAMPLE, draft.drawn, number)


@kernel
def part(seed, index):
    """A random number in 0..1: draw `index`."""
    return draw(seed, evidence.SAMPLE, index, FINE) / FINE


@kernel
def put(game, draft, place, kind, number):
    """Deal a card of the pool."""
    last = draft.left[kind] - 1
    card = draft.pool[kind, number]
    draft.pool[kind, number], draft.pool[kind, last] = draft.pool[kind, last], card
    draft.left[kind] = last
    game.deal[place] = card


@kernel
def restore(game, draft, deal):
    """An earlier deal, and the pool without its cards."""
    lies = np.int64(0)
    for place in range(CARDS):
        game.deal[place] = deal[place]
        if deal[place] != NOTHING:
            lies |= evidence.bit(deal[place])
    for kind in range(TYPES):
        draft.left[kind] = 0
        for number in range(draft.cards[kind]):
            card, left = draft.pool[kind, number], draft.left[kind]
            if lies & evidence.bit(card) == 0:
                draft.pool[kind, number], draft.pool[kind, left] = draft.pool[kind, left], card
                draft.left[kind] = left + 1
