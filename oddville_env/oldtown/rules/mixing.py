"""Chapter K: cards of unknown places change places until the deal fits what everybody saw, and is well mixed."""

import numpy as np

from oddville_env.core.compiled.jit import kernel
from oddville_env.oldtown.cards.words import CARDS, NOBODY

from . import chance, evidence, play
from .evidence import COUNTING, PLAYABLE, TYPES
from .state import Phase, Stream

TURNS = 24  # changes tried for each unknown place, so that every deal that fits is about as likely
NEAR = 2  # one of so many changes is of two places that other seats took, where these weigh deals
WEIGHED_TURNS = 32  # the same where places that other seats took weigh deals: some deals are hard to come by
MOST_TURNS = 40_000  # changes tried before a deal that does not quite fit is taken
UPHILL = 32  # of so many changes to a worse fit one is made all the same
REST = 3  # one of so many changes begins where the deal does not fit
DARING = 3  # the number of the draw that says so, after those of the places


@kernel
def pile_of(box, place):
    """[S3] Places of one pile hold given numbers of each type, in any order; a hand's are fixed, each by itself."""
    if place < box.own_place:
        return CARDS + place
    if place < box.common_place:
        return (place - box.own_place) // max(box.own_size, 1)
    return box.common_place if place < box.out_place else box.out_place


@kernel
def mix(box, game, free, facts, masks, tally, seed):
    """[K3] Let cards of two or three unknown places change places, never to a worse fit, until the deal fits and is
    well mixed.
    """
    found, tried = evidence.misfits(game, tally), 0
    held = held_places(box, game, free)
    turns = (WEIGHED_TURNS if held.size > 1 else TURNS) * free.size
    while free.size > 1 and (tried < turns or (found > 0 and tried < MOST_TURNS)):
        event = chance.event_of(Stream.SAMPLE, TYPES + 1 + tried)
        if found > 0 or held.size < 2:
            start = chance.draw(seed, event, 0, free.size)
            one = first_misfit(game, masks, tally, free, start) if found > 0 and tried % REST == 0 else free[start]
            two = free[chance.draw(seed, event, 1, free.size)]
        else:
            nearby = held if tried // 2 % NEAR == 0 else free
            one = held[chance.draw(seed, event, 0, held.size)]
            two = nearby[chance.draw(seed, event, 1, nearby.size)]
        three = free[chance.draw(seed, event, 2, free.size)] if tried % 2 else one
        tried += 1
        if may_turn(box, game, facts, one, two, three):
            turn_places(game, masks, tally, one, two, three)
            now = evidence.misfits(game, tally)
            if now <= found or (found > 0 and chance.draw(seed, event, DARING, UPHILL) == 0):
                found = now
            else:
                turn_places(game, masks, tally, one, three, two)


@kernel
def held_places(box, game, free):
    """[K3] The unknown places that other seats took, where these weigh deals; else none.

    They do where a hand was stuck or shows a card, and where a pile holds several types: which place a played card came
    from then says more than its type. A change that begins with one of them, and half of all with two, is as likely as
    its way back, so that every deal that fits stays as likely as any other.
    """
    held, places = np.zeros(free.size, np.int64), 0
    if game.stucks > 0 or game.phase == Phase.SHOW or box.own_size > 0 or box.common_a > 0:
        for place in free:
            if game.holder[place] != NOBODY:
                held[places] = place
                places += 1
    return held[:places]


@kernel
def first_misfit(game, masks, tally, free, start):
    """[K3] The first place from `start` on whose card a stuck hand cannot have held; where none is, the start."""
    for step in range(free.size):
        place = free[(start + step) % free.size]
        if is_misfit(game, masks, tally, place):
            return place
    return free[start]


@kernel
def is_misfit(game, masks, tally, place):
    """[K3] The card on a place could have been played, or was one of two that count."""
    card = play.bit(game.deal[place])
    for number in range(game.stucks):
        if game.holder[place] == game.stuck_seat[number] and game.order[place] < game.stuck_taken[number]:
            if masks[number, PLAYABLE] & card != 0:
                return True
            if masks[number, COUNTING] & card != 0 and tally[number, COUNTING] > 1:
                return True
    return False


@kernel
def turn_places(game, masks, tally, one, two, three):
    """The first place's card goes to the second, that one's to the third, and the third's to the first.

    Where the third is the first, two cards change places.
    """
    if three == one:
        swap(game, masks, tally, one, two)
    elif two == one:
        swap(game, masks, tally, one, three)
    else:
        swap(game, masks, tally, one, two)
        swap(game, masks, tally, one, three)


@kernel
def swap(game, masks, tally, place, other):
    """Two cards change places."""
    card, second = game.deal[place], game.deal[other]
    evidence.note(game, masks, tally, place, card, -1)
    evidence.note(game, masks, tally, other, second, -1)
    evidence.note(game, masks, tally, place, second, 1)
    evidence.note(game, masks, tally, other, card, 1)
    game.deal[place], game.deal[other] = second, card


@kernel
def may_turn(box, game, facts, one, two, three):
    """[S3] Cards may change places so: types stay as many in every pile, and played cards where they were taken."""
    if two in (one, three):
        return False
    if not may_go(box, game, facts, one, two, three) or not may_go(box, game, facts, two, three, one):
        return False
    return three == one or may_go(box, game, facts, three, one, two)


@kernel
def may_go(box, game, facts, place, other, third):
    """[S3] A card may go to another place: of its type, unless one of the places that change is of the same pile."""
    card, pile = game.deal[place], pile_of(box, other)
    fits = box.card_type[card] == box.card_type[game.deal[other]] or pile_of(box, place) == pile
    fits = fits or (third != other and pile_of(box, third) == pile)
    return fits and evidence.may_lie(game, facts, other, card)
