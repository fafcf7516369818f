"""Chapter W, under a C card: what its pairs leave of its two buildings, and of all others.

Which lots two buildings can take together is known for most of them by one look. Only where that leaves some pairs
open, the ways on which all other buildings can move on are followed.
"""

import numpy as np

from oddville_env.core.compiled.jit import kernel
from oddville_env.oldtown.cards.words import LOTS, NOTHING

from . import worlds


@kernel
def possible(game, world, building):
    """[W3 W5] The lots of a building in some world: its set, or where it is unknown all that are open."""
    lots = np.int64(game.sets[building])
    return lots if lots != 0 else np.int64(world.open)


@kernel
def take_part(game, world, building):
    """[W5] A building that a card speaks of is a member, with its lots, on none of them where it was no member before.

    An unknown one may be on any open lot; one that stands is a member with one lot.
    """
    if world.member[building] == NOTHING:
        world.lots |= np.int64(game.sets[building])
        worlds.add(world, building, possible(game, world, building))


@kernel
def part(game, world, members):
    """Remove all members after the first `members`."""
    for member in range(world.members - 1, members - 1, -1):
        world.used &= ~world.at[member]
        world.lots &= ~np.int64(game.sets[world.who[member]])
        world.member[world.who[member]] = NOTHING
    world.members = members


@kernel
def home(game, world, building):
    """[W2] The lot where a building is in the world that was found; none where it is unknown."""
    member = world.member[building]
    return np.int64(game.sets[building]) if member == NOTHING else np.int64(world.at[member])


@kernel
def lots_for_two(world, free):
    """[W2] Lots of which two buildings that leave these ones free may surely take any two: the free ones, and those
    whose occupant has a choice of two such lots.
    """
    before, easy = np.int64(0), free
    while easy != before:
        before = easy
        for member in range(world.members):
            choice, at = world.sets[member] & before, world.at[member]
            easy |= at if choice & (choice - 1) != 0 else 0
    return easy


@kernel
def narrow_to_pairs(box, game, world, card, own):
    """[W4 W5] Note the lots that a C card's pairs leave its two buildings: what they leave at most, other buildings
    aside, if they leave as much on lots for two.
    """
    named = box.named[card]
    sets, others = possible(game, world, named), possible(game, world, own)
    free = world.lots & ~world.used | home(game, world, named) | home(game, world, own)
    easy = lots_for_two(world, free)
    at_most = others_at_most = surely = others_surely = np.int64(0)
    for number in range(LOTS):
        lot = sets & (1 << number)
        partners = box.pairs[card, 0, number] & others & ~lot if lot != 0 else 0
        easy_partners = partners & easy if lot & easy != 0 else 0
        at_most |= lot if partners != 0 else 0
        others_at_most |= partners
        surely |= lot if easy_partners != 0 else 0
        others_surely |= easy_partners
    world.named_left, world.own_left = at_most, others_at_most
    if at_most != surely or others_at_most != others_surely:
        reached = note_rivals(world, easy)
        leave_out_rivals(box, world, card, at_most & reached, others_at_most & reached)


@kernel
def note_rivals(world, easy):
    """[W2] Note for each lot those that two buildings cannot take together with it; returns all that one can take.

    easy: lots for two. By Menger's theorem two lots can be taken unless another one, or one of them, lies on all ways
    from both of them to free ones, and so to easy ones.
    """
    reached, between = worlds.reach_back(world, easy), np.int64(0)
    for number in range(LOTS):
        world.rivals[number] = 1 << number
    for member in range(world.members):
        sets, at = world.sets[member] & reached, world.at[member]
        choice = sets & ~at
        between |= (sets if choice & (choice - 1) != 0 else choice) if at & ~easy != 0 else 0
    while between != 0:
        lot = worlds.lowest(between)
        between &= ~lot
        blocked = reached & ~reach_around(world, easy, lot)
        if blocked != lot:
            for number in range(LOTS):
                world.rivals[number] |= blocked if blocked & (1 << number) != 0 else 0
    return reached


@kernel
def reach_around(world, good, lot):
    """[W2] The lots from which buildings can move on to a good lot on ways that do not lead over a lot."""
    before, good = np.int64(0), good & ~lot
    while good != before:
        before, good = good, worlds.step_back(world, good) & ~lot
    return good


@kernel
def leave_out_rivals(box, world, card, sets, others):
    """[W4 W5] Note what a C card's pairs of lots that can be taken together leave of two sets."""
    left = others_left = np.int64(0)
    for number in range(LOTS):
        lot = sets & (1 << number)
        partners = box.pairs[card, 0, number] & others & ~world.rivals[number] if lot != 0 else 0
        left |= lot if partners != 0 else 0
        others_left |= partners
    world.named_left, world.own_left = left, others_left


@kernel
def hold(world, member, lot):
    """Find a world with a member on this very lot; false, and nothing moves, where there is none.

    The member's set is the one lot afterwards: the caller gives it back.
    """
    before = world.at[member]
    world.sets[member] = lot
    if before == lot:
        return True
    other = worlds.occupant(world, lot)
    world.at[member] = lot
    world.used = world.used & ~before | lot
    if other == NOTHING:
        return True
    world.at[other] = 0
    if worlds.place(world, other):
        return True
    world.at[other], world.at[member] = lot, before
    world.used |= before
    return False


@kernel
def close_under_pairs(box, game, world, card, own):
    """[W5] The lots that each member keeps under the C card that was narrowed to last, and whose two buildings take
    part from here on: unite, over its pairs, what closing leaves with both held there.

    True where everything stays. Once all others keep their sets, no further pair is asked.
    """
    left, others_left = np.int64(world.named_left), np.int64(world.own_left)
    take_part(game, world, box.named[card])
    take_part(game, world, own)
    first, second = world.member[box.named[card]], world.member[own]
    sets, others = np.int64(world.sets[first]), np.int64(world.sets[second])
    for member in range(world.members):
        world.kept[member] = 0
    world.kept[first], world.kept[second] = left, others_left
    whole = False
    for number in range(LOTS):
        lot = left & (1 << number)
        if lot != 0 and not whole:
            if hold(world, first, lot):
                whole = unite_held(world, second, box.pairs[card, 0, number] & others_left & ~lot)
            world.sets[first] = sets
    for member in range(world.members):
        world.left[member] = world.kept[member]
    return whole and left == sets and others_left == others


@kernel
def unite_held(world, member, lots):
    """Add to what is kept what closing leaves with a member held on each of the lots.

    True as soon as nothing of any set is missing.
    """
    sets, whole = np.int64(world.sets[member]), False
    while lots != 0 and not whole:
        lot = worlds.lowest(lots)
        lots &= ~lot
        if hold(world, member, lot):
            worlds.close(world)
            missing = np.int64(0)
            for each in range(world.members):
                kept = world.kept[each] | world.left[each]
                world.kept[each] = kept
                missing |= world.sets[each] & ~kept
            whole = missing == 0
        world.sets[member] = sets
    return whole
