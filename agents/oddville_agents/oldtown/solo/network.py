"""A network that reads a puzzle: beliefs about every building's lot, which hear from each other in rounds.

Every round a building hears how much the others want its lots, whether somebody else would be left for them, and what
its C cards say of it, whichever end of them it is. How strongly it heeds each of these was learned; the messages
themselves are those of loopy belief propagation. One pass, no search.
"""

import math

import numpy as np

from oddville_agents.oldtown.solo.clues import Clues
from oddville_env.core.jit import kernel
from oddville_env.oldtown.cards.words import BUILDINGS, LOTS
from oddville_env.oldtown.rules.box import Box

ROUNDS = 24
SMALLEST = 1e-9  # of a chance that is not excluded
HEEDED = ("crowd", "vacancy", "named", "own", "inertia")
"""What is heeded how strongly: others on a lot; that a lot needs somebody; a C card that names the building; one that
may mean it as the own building; the belief of the round before."""


def beliefs(heed: np.ndarray, clues: Clues, box: Box) -> np.ndarray:
    """How likely each building stands on each lot: float [18, 16]; heed [5] as HEEDED lists it."""
    mine = clues.mine.astype(np.float64)
    if not clues.mine.any():
        mine = clues.town * clues.mine_count / clues.town.sum()
    found = np.zeros((BUILDINGS, LOTS))
    believe(box.record, heed, clues.sets, clues.cards, mine, found)
    return found


@kernel
def believe(boxes, heed, sets, cards, mine, found):
    """Beliefs after all rounds into found [18, 16]: sets bool [18, 16], cards int [N], mine [18] chances."""
    odds = np.zeros((BUILDINGS, LOTS))
    settle(sets, odds, found)
    before = found.copy()
    for _ in range(ROUNDS):
        odds[:] = 0.0
        hear_lots(heed, sets, before, odds)
        for card in cards:
            hear_card(heed, boxes[0].named[card], boxes[0].pairs[card, 0], mine, before, odds)
        settle(sets, odds, found)
        for building in range(BUILDINGS):
            for lot in range(LOTS):
                found[building, lot] += heed[4] * (before[building, lot] - found[building, lot])
        before[:] = found


@kernel
def settle(sets, odds, found):
    """Beliefs of each building from its log odds: they sum to 1 over its set."""
    for building in range(BUILDINGS):
        most, total = -np.inf, 0.0
        for lot in range(LOTS):
            if sets[building, lot]:
                most = max(most, odds[building, lot])
        for lot in range(LOTS):
            found[building, lot] = math.exp(odds[building, lot] - most) if sets[building, lot] else 0.0
            total += found[building, lot]
        for lot in range(LOTS):
            found[building, lot] /= max(total, SMALLEST)


@kernel
def hear_lots(heed, sets, before, odds):
    """What others believe of a lot: that they stand there, and that nobody does."""
    for lot in range(LOTS):
        nobody, wanted = 0.0, SMALLEST
        for building in range(BUILDINGS):
            nobody += math.log(max(1.0 - before[building, lot], SMALLEST))
            wanted += before[building, lot]
        for building in range(BUILDINGS):
            others = nobody - math.log(max(1.0 - before[building, lot], SMALLEST))
            odds[building, lot] += heed[0] * others - heed[1] * math.log(wanted)


@kernel
def hear_card(heed, named, pairs, mine, before, odds):
    """A C card is true for one of the own buildings: what that says of both its ends."""
    for lot in range(LOTS):
        fails = 1.0
        for own in range(BUILDINGS):
            if mine[own] > 0 and own != named:
                fails *= 1.0 - mine[own] * fitting(pairs[lot], before, own)
        odds[named, lot] += heed[2] * math.log(max(1.0 - fails, SMALLEST))
    for own in range(BUILDINGS):
        if mine[own] > 0 and own != named:
            helped = 1.0 - mine[own] * (1.0 - others_fit(named, own, pairs, mine, before))
            for lot in range(LOTS):
                partner = 0.0
                for other in range(LOTS):
                    partner += before[named, other] * (pairs[other] >> lot & 1)
                odds[own, lot] += heed[3] * math.log(max(helped + (1.0 - helped) * partner, SMALLEST))


@kernel
def fitting(lots, before, building):
    """How likely a building stands on one of some lots."""
    total = 0.0
    for lot in range(LOTS):
        if lots >> lot & 1:
            total += before[building, lot]
    return min(total, 1.0)


@kernel
def others_fit(named, but, pairs, mine, before):
    """How likely a C card is true for another own building than one of them."""
    fails = 1.0
    for own in range(BUILDINGS):
        if mine[own] > 0 and own != named and own != but:
            chance = 0.0
            for lot in range(LOTS):
                chance += before[named, lot] * fitting(pairs[lot], before, own)
            fails *= 1.0 - mine[own] * min(chance, 1.0)
    return 1.0 - fails
