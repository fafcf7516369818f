"""Values of cards on a board: the points of their own building's tokens, without what follows from these.

A lower bound of the points that playing the card would bring; 0 where it cannot be played. Far cheaper than to play it.
"""

import numpy as np

from oddville_env.core.compiled.jit import kernel
from oddville_env.oldtown.cards.words import LOTS, NOTHING, CardType
from oddville_env.oldtown.rules import clues, worlds
from oddville_env.oldtown.rules.state import TOKENS

COUNTS = -1  # of a card that confirms or contradicts: it can be one of a pair
MOST = 2 * TOKENS  # the highest value of a card


@kernel
def card_value(box, game, world, card, own):
    """The points of a card with an own building, 0 where it cannot be played, COUNTS where it counts for a pair.

    world: a board that has been looked at.
    """
    kind = box.card_type[card]
    if kind == CardType.C:
        if not clues.may_speak_of(box, card, own):
            return 0
        return value_of_pairs(box, game, world, card, own)
    building = box.named[card] if kind == CardType.A else own
    if building == NOTHING:
        return 0
    return value_of_lots(int(game.sets[building]), box.lots[card], world)


@kernel
def value_of_lots(before, lots, world):
    """[P2-P7] The points where a building keeps some lots; `before` is its set, 0 where it is unknown."""
    left = lots & (before if before != 0 else world.open)
    if left == 0 or left == before:
        return COUNTS
    if before == 0 and clues.room(world, left) != clues.Verdict.CHANGE:
        return 0
    return gone(before, left)


@kernel
def gone(before, left):
    """[P7] The tokens of one building that go."""
    laid = TOKENS if before == 0 else (0 if worlds.is_single(before) else int(worlds.count(before)))
    return laid - (0 if worlds.is_single(left) else int(worlds.count(left)))


@kernel
def value_of_pairs(box, game, world, card, own):
    """[P2-P7] The points of a C card: what its pairs leave of both buildings, other buildings aside.

    The loop has no branches: it becomes vector instructions, and cards are asked so thousands of times in a search.
    """
    first, second = int(game.sets[box.named[card]]), int(game.sets[own])
    sets = first if first != 0 else world.open
    others = second if second != 0 else world.open
    left = others_left = np.int64(0)
    for number in range(LOTS):
        lot = sets & (1 << number)
        partners = box.pairs[card, 0, number] & others if lot != 0 else 0
        left |= lot if partners != 0 else 0
        others_left |= partners
    if left == 0 or (left == first and others_left == second):
        return COUNTS
    if not fits(world, first, second, left, others_left):
        return 0
    return gone(first, left) + gone(second, others_left)


@kernel
def fits(world, first, second, left, others):
    """[P3 P4] Unknown buildings find room for their tokens."""
    if first == 0 and second == 0:
        return clues.room_for_both(world, left, others) == clues.Verdict.CHANGE
    if first == 0:
        return clues.room(world, left) == clues.Verdict.CHANGE
    return second != 0 or clues.room(world, others) == clues.Verdict.CHANGE


@kernel
def best_card_value(box, game, world, card, seat):
    """A card's highest value with the seat's own buildings; COUNTS where it counts with one and brings nothing."""
    best, counting = 0, False
    for choice in range(clues.choices(box, card)):
        value = card_value(box, game, world, card, game.mine[seat, choice])
        counting = counting or value == COUNTS
        best = max(best, value)
    return COUNTS if best == 0 and counting else best
