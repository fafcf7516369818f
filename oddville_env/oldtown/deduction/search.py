"""The compiled search for solutions: sets of lots for the town's buildings, narrowed by clues and by each other."""

import numpy as np

from oddville_env.core.compiled.arrays import overwrite
from oddville_env.core.compiled.jit import kernel
from oddville_env.oldtown.cards.words import BUILDINGS, LOTS, NOTHING
from oddville_env.oldtown.rules import worlds
from oddville_env.oldtown.rules.state import EVERY_LOT

UNLIMITED = np.iinfo(np.int64).max


@kernel
def refine(sets, clues, named, pairs, mine, board):
    """[O3] Narrow the sets [BUILDINGS] as far as the clues (numbers of C cards) and each other's lots do; false where
    that leaves a building no lot.

    named [CARDS] and pairs [CARDS, 2, LOTS] are the deck's; mine [BUILDINGS] says which buildings are own ones.
    """
    world = board[0]
    narrowing = True
    while narrowing:
        if not close_town(sets, world):
            return False
        narrowing = False
        for clue in range(clues.size):
            before = sets.sum()
            if not narrow_by_pairs(sets, named[clues[clue]], pairs[clues[clue], 0], mine):
                return False
            narrowing = narrowing or sets.sum() != before
    return True


@kernel
def close_town(sets, world):
    """[W3] No two buildings stand on one lot; false where there is no such placement."""
    world.members, world.used, world.lots = 0, 0, EVERY_LOT
    for building in range(BUILDINGS):
        if sets[building] != 0:
            worlds.add(world, building, sets[building])
    if not worlds.find_world(world):
        return False
    worlds.close(world)
    for member in range(world.members):
        sets[world.who[member]] = world.left[member]
    return True


@kernel
def narrow_by_pairs(sets, building, pairs, mine):
    """[O3] A C card is true for at least one own building; the last one for which it can be is narrowed too."""
    left, supporter, supporters, supporter_left = 0, NOTHING, 0, 0
    for own in range(BUILDINGS):
        if mine[own] and own != building:
            own_left = 0
            for lot in range(LOTS):
                if sets[building] >> lot & 1 and pairs[lot] & sets[own] != 0:
                    left |= 1 << lot
                    own_left |= pairs[lot] & sets[own]
            if own_left != 0:
                supporter, supporter_left = own, own_left
                supporters += 1
    if supporters == 0:
        return False
    sets[building] = left
    if supporters == 1:
        sets[supporter] = supporter_left
    return True


@kernel
def narrowest(sets):
    """The building with the fewest lots of those that have a choice, NOTHING where none has."""
    best, fewest = NOTHING, LOTS + 1
    for building in range(BUILDINGS):
        size = worlds.count(sets[building])
        if 1 < size < fewest:
            best, fewest = building, size
    return best


@kernel
def search(sets, clues, named, pairs, mine, out, tries):
    """[O3] The placements that agree with all clues, at most as many as out [N, BUILDINGS] has room for; how many.

    sets [BUILDINGS] are what A and B cards leave, 0 for a building that is not of the town; tries [1] says how many
    sets may still be narrowed, and is counted down.
    """
    board = np.zeros(1, worlds.WORLD)
    stack = np.zeros((LOTS * LOTS, BUILDINGS), np.int64)
    overwrite(stack[0], sets)
    height, found = 1, 0
    while height > 0 and found < out.shape[0] and tries[0] > 0:
        height, tries[0] = height - 1, tries[0] - 1
        current = stack[height].copy()
        if refine(current, clues, named, pairs, mine, board):
            building = narrowest(current)
            if building == NOTHING:
                overwrite(out[found], current)
                found += 1
            else:
                height = branch(stack, height, current, building)
    return found


@kernel
def branch(stack, height, sets, building):
    """Try a building's lots one after the other, the lowest first."""
    for lot in range(LOTS - 1, -1, -1):
        if sets[building] >> lot & 1:
            overwrite(stack[height], sets)
            stack[height, building] = 1 << lot
            height += 1
    return height


@kernel
def are_unique(sets, clues, named, pairs, choices):
    """[O4] One placement over all choices of own buildings [N, BUILDINGS]."""
    out, first, tries = np.zeros((2, BUILDINGS), np.int64), np.zeros(BUILDINGS, np.int64), np.full(1, UNLIMITED)
    for choice in range(choices.shape[0]):
        found = search(sets, clues, named, pairs, choices[choice], out, tries)
        for number in range(found):
            if first.sum() == 0:
                overwrite(first, out[number])
            elif (first != out[number]).any():
                return False
    return first.sum() > 0


@kernel
def sets_left(town, building, lots, kept):
    """Cut the town's sets by A and B cards: building [N] and lots [N] of each clue that is kept [N].

    C cards, which have no lots, leave everything.
    """
    sets = np.where(town, EVERY_LOT, 0)
    for clue in range(building.size):
        if kept[clue] and lots[clue] != 0:
            sets[building[clue]] &= lots[clue]
    return sets


@kernel
def all_named(town, building, kept, listed):
    """[O2] Every building of the town is named by a clue that is kept, or by the list (listed [BUILDINGS])."""
    seen = listed.copy()
    for clue in range(building.size):
        if kept[clue]:
            seen[building[clue]] = True
    for each in range(BUILDINGS):
        if town[each] and not seen[each]:
            return False
    return True


@kernel
def all_meant(means, kept, mine):
    """[O8] Every own building is one that some C card means: means [N, BUILDINGS]."""
    for each in range(BUILDINGS):
        if mine[each]:
            meant = False
            for clue in range(kept.size):
                meant = meant or (kept[clue] and means[clue, each])
            if not meant:
                return False
    return True


@kernel
def leave_out(order, town, building, lots, card, means, mine, listed, named, pairs, choices, kept):
    """[O8] Leave out clues in this order as long as the puzzle stays a good one: kept [N] bool.

    False where the whole is none, or where a clue stays though the placement is unique without it.
    """
    if not all_named(town, building, kept, listed) or not all_meant(means, kept, mine):
        return False
    if not is_good(town, building, lots, card, named, pairs, choices, kept):
        return False
    for clue in order:
        kept[clue] = False
        if all_named(town, building, kept, listed):
            unique = is_good(town, building, lots, card, named, pairs, choices, kept)
            if unique and not all_meant(means, kept, mine):
                return False
            kept[clue] = not unique
        else:
            kept[clue] = True
    return True


@kernel
def is_good(town, building, lots, card, named, pairs, choices, kept):
    """[O4] The clues that are kept have one placement: card [N] is the number of a C card, else NOTHING."""
    return are_unique(sets_left(town, building, lots, kept), card[kept & (card != NOTHING)], named, pairs, choices)
