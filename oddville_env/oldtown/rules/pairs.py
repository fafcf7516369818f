"""Chapter W, under a C card: what its pairs leave of its two buildings, and of all others.

That is bounded first, by one look at the pairs. Worlds with both buildings held on a pair's lots are searched only
where the bounds leave the verdict open: for one card and own building of seven in random play (a verdict takes 40 to
80 ns, not 250).
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
def join(game, world, building):
    """[W5] A building that a card speaks of takes part; false where no world is left.

    An unknown one may be on any open lot; one that stands is a member with one lot.
    """
    if world.member[building] != NOTHING:
        return True
    world.lots |= np.int64(game.sets[building])
    member = worlds.add(world, building, possible(game, world, building))
    if worlds.place(world, member):
        return True
    withdraw(world, member)
    return False


@kernel
def withdraw(world, member):
    """The last member leaves."""
    world.member[world.who[member]] = NOTHING
    world.members = member


@kernel
def part(game, world, members):
    """Remove all members after the first `members`."""
    for member in range(world.members - 1, members - 1, -1):
        world.used &= ~world.at[member]
        world.lots &= ~np.int64(game.sets[world.who[member]])
        withdraw(world, member)


@kernel
def home(game, world, building):
    """[W2] The lot where a building is in the world that was found; none where it is unknown."""
    member = world.member[building]
    return np.int64(game.sets[building]) if member == NOTHING else np.int64(world.at[member])


@kernel
def lots_for_two(world, free):
    """[W2] Lots of which two buildings that leave these ones free may surely take any two: the free ones, and those
    whose occupant has a choice of two free ones.
    """
    easy = free
    for member in range(world.members):
        choice, at = world.sets[member] & free, world.at[member]
        easy |= at if choice & (choice - 1) != 0 else 0
    return easy


@kernel
def bounds_under_pairs(box, game, world, card, own):
    """[W4 W5] The lots that a C card's pairs leave its two buildings at most, other buildings aside, and those
    that they surely leave: with both buildings on lots for two, all others find one.
    """
    named = box.named[card]
    sets, others = possible(game, world, named), possible(game, world, own)
    easy = lots_for_two(world, world.lots & ~world.used | home(game, world, named) | home(game, world, own))
    at_most = others_at_most = surely = others_surely = np.int64(0)
    for number in range(LOTS):
        lot = sets & (1 << number)
        partners = box.pairs[card, 0, number] & others & ~lot if lot != 0 else 0
        easy_partners = partners & easy if lot & easy != 0 else 0
        at_most |= lot if partners != 0 else 0
        others_at_most |= partners
        surely |= lot if easy_partners != 0 else 0
        others_surely |= easy_partners
    return at_most, others_at_most, surely, others_surely


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
def sets_under_pairs(box, game, world, card, own):
    """[W4 W5] What a C card's pairs leave of its two buildings, which both take part: their worlds are searched for the
    lots of the first that the bounds leave open.
    """
    at_most, others_at_most, left, others_left = bounds_under_pairs(box, game, world, card, own)
    for number in range(LOTS):
        found, others_found = search_lot(box, world, card, own, number, at_most, others_at_most, left, others_left)
        left |= found
        others_left |= others_found
    return left, others_left


@kernel
def search_lot(box, world, card, own, number, at_most, others_at_most, left, others_left):
    """[W4 W5] With the first building on a lot, if the bounds leave open what follows: the lot and its partners in some
    world.
    """
    first, second = world.member[box.named[card]], world.member[own]
    lot = at_most & (1 << number)
    partners = box.pairs[card, 0, number] & others_at_most & ~lot
    if lot == 0 or (left & lot != 0 and partners & ~others_left == 0):
        return np.int64(0), np.int64(0)
    sets = np.int64(world.sets[first])
    if hold(world, first, lot):
        partners &= worlds.reach_back(world, world.lots & ~world.used | world.at[second])
    else:
        partners = np.int64(0)
    world.sets[first] = sets
    return lot if partners != 0 else np.int64(0), partners


@kernel
def close_under_pairs(box, game, world, card, own):
    """[W5] The lots that each member keeps under a C card whose two buildings take part: unite, over its pairs,
    what closing leaves with both held there.

    True where everything stays. Once all others keep their sets, no further pair is asked.
    """
    first, second = world.member[box.named[card]], world.member[own]
    sets, others = np.int64(world.sets[first]), np.int64(world.sets[second])
    left, others_left = sets_under_pairs(box, game, world, card, own)
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
