"""Chapter W: what the tokens mean. One placement of all buildings is found by augmenting paths; all that is true in
some placement follows from it by reachability.

A **world** here is the working record of one question: the buildings that can still move (`who`), their sets, and a lot
for each (`at`), all lots being masks of one bit. Buildings that stand are not in it, and their lots are not in `lots`.
"""

import numpy as np

from oddville_env.core.jit import kernel
from oddville_env.oldtown.cards.words import BUILDINGS, LOTS, NOTHING

from .state import EVERY_LOT

BYTE = 8
LOW_BYTE = (1 << BYTE) - 1
BITS = np.array([number.bit_count() for number in range(LOW_BYTE + 1)], np.int8)

WORLD = np.dtype(
    (
        np.record,
        np.dtype(
            {
                "names": [
                    "who",
                    "sets",
                    "at",
                    "via",
                    "reach",
                    "left",
                    "members",
                    "lots",
                    "used",
                    "open",
                    "two",
                    "three",
                ],
                "formats": [("i4", BUILDINGS)] * 6 + ["i4"] * 6,
            },
            align=True,
        ),
    )
)
"""`left` is what closing leaves of each set; `open` the lots that are empty in some world; `two` and `three` the lots
with at least as many tokens."""


@kernel
def lowest(mask):
    """The lowest lot of a set, as a set."""
    return mask & -mask


@kernel
def count(mask):
    """How many lots a set has."""
    return BITS[mask & LOW_BYTE] + BITS[mask >> BYTE]


@kernel
def is_single(mask):
    """[W1] One lot: a building with such a set stands."""
    return mask != 0 and mask & (mask - 1) == 0


@kernel
def add(world, building, lots):
    """Let a building move within a set; its number among the members."""
    member = world.members
    world.who[member], world.sets[member], world.at[member] = building, lots, 0
    world.members = member + 1
    return member


@kernel
def member_of(world, building):
    """A building's number among the members, NOTHING where it is none."""
    for member in range(world.members):
        if world.who[member] == building:
            return member
    return NOTHING


@kernel
def gather(game, world):
    """[W1] The buildings with tokens are the members; the lots of those that stand are taken."""
    world.members = world.used = 0
    world.lots = EVERY_LOT
    for building in range(BUILDINGS):
        lots = np.int64(game.sets[building])
        if is_single(lots):
            world.lots &= ~lots
        elif lots != 0:
            add(world, building, lots)


@kernel
def reach_back(world, good):
    """The lots from which buildings can move on, one after the other, until one comes to a good lot.

    `via` notes for each member the lot to move on to.
    """
    growing = True
    while growing:
        growing = False
        for member in range(world.members):
            at = world.at[member]
            if at & ~good != 0 and world.sets[member] & good != 0:
                world.via[member] = lowest(world.sets[member] & good)
                good |= at
                growing = True
    return good


@kernel
def occupant(world, lot):
    """The member on a lot, NOTHING where it is empty."""
    for member in range(world.members):
        if world.at[member] == lot:
            return member
    return NOTHING


@kernel
def place(world, member):
    """[W2] Find a lot for a member that has none, moving others on; false, and nothing moves, where there is none."""
    free = world.lots & ~world.used
    target = world.sets[member] & free
    if target == 0:
        target = world.sets[member] & reach_back(world, free)
    if target == 0:
        return False
    target = lowest(target)
    while world.used & target != 0:
        following = occupant(world, target)
        world.at[member] = target
        member, target = following, world.via[following]
    world.at[member] = target
    world.used |= target
    return True


@kernel
def find_world(world):
    """[W2] A lot for every member; false where there is no world."""
    for member in range(world.members):
        if not place(world, member):
            return False
    return True


@kernel
def hold(world, member, lot):
    """Find a world with a member on this very lot; false, and nothing moves, where there is none.

    The member's set is the one lot afterwards: the caller gives it back.
    """
    before, other = world.at[member], occupant(world, lot)
    world.sets[member] = lot
    if before == lot:
        return True
    world.at[member] = lot
    world.used = world.used & ~before | lot
    if other == NOTHING:
        return True
    world.at[other] = 0
    if place(world, other):
        return True
    world.at[other], world.at[member] = lot, before
    world.used |= before
    return False


@kernel
def reach_on(world):
    """For every member the lots to which its moving away can lead, in any number of steps (Warshall)."""
    for member in range(world.members):
        world.reach[member] = world.sets[member]
    for between in range(world.members):
        at, further = world.at[between], world.reach[between]
        for member in range(world.members):
            if world.reach[member] & at != 0:
                world.reach[member] |= further


@kernel
def close(world):
    """[W3] What each member keeps: the lots where it is in at least one world. Some world has been found before.

    A member may move to a lot that is empty, or whose occupant can move on to an empty lot or to the member's own one.
    """
    reach_on(world)
    free = world.lots & ~world.used
    for member in range(world.members):
        home = free | world.at[member]
        left = world.sets[member] & home
        for other in range(world.members):
            if world.reach[other] & home != 0:
                left |= world.sets[member] & world.at[other]
        world.left[member] = left


@kernel
def close_board(game, world):
    """[W3] Every token goes that is in no world."""
    gather(game, world)
    find_world(world)
    close(world)
    write(game, world)


@kernel
def write(game, world):
    """The members' sets become what is left of them."""
    for member in range(world.members):
        game.sets[world.who[member]] = world.left[member]


@kernel
def count_tokens(world):
    """[P4] The lots with two tokens or more, and with three or more."""
    one = world.two = world.three = 0
    for member in range(world.members):
        lots = world.sets[member]
        world.three |= world.two & lots
        world.two |= one & lots
        one |= lots


@kernel
def look(game, world):
    """[W2] All that every card needs to know of the board: a world, the open lots, and where many tokens lie."""
    gather(game, world)
    count_tokens(world)
    find_world(world)
    world.open = reach_back(world, world.lots & ~world.used)


@kernel
def join(game, world, building):
    """[W5] A building that a card speaks of takes part: the member's number, NOTHING where no world is left.

    An unknown one may be on any lot; one that stands is a member with one lot.
    """
    member = member_of(world, building)
    if member != NOTHING:
        return member
    lots = np.int64(game.sets[building])
    world.lots |= lots
    member = add(world, building, lots if lots != 0 else world.lots)
    if place(world, member):
        return member
    world.members = member
    return NOTHING


@kernel
def part(game, world, members):
    """Those who joined after the first `members` leave again."""
    for member in range(members, world.members):
        world.used &= ~world.at[member]
        world.lots &= ~np.int64(game.sets[world.who[member]])
    world.members = members


@kernel
def sets_under_pairs(world, first, second, pairs):
    """[W4 W5] What a C card's pairs leave of its two buildings, and whether any two lots of these are a pair.

    pairs [LOTS]: for each lot of the first the lots of the second.
    """
    sets, others = world.sets[first], world.sets[second]
    left = others_left = 0
    always = True
    for number in range(LOTS):
        lot = 1 << number
        if sets & lot != 0:
            if pairs[number] & others == 0:
                always = False
            else:
                if hold(world, first, lot):
                    good = reach_back(world, world.lots & ~world.used | world.at[second])
                    possible = others & good & ~lot
                    always = always and possible & ~pairs[number] == 0
                    if possible & pairs[number] != 0:
                        left |= lot
                        others_left |= possible & pairs[number]
                world.sets[first] = sets
    return left, others_left, always


@kernel
def close_under_pairs(world, first, second, pairs):
    """[W5] What each member keeps under a C card: unite, over its pairs, what is left with both buildings held there.

    True where everything stays.
    """
    sets, others = world.sets[first], world.sets[second]
    all_left = np.zeros(BUILDINGS, np.int64)
    for number in range(LOTS):
        if sets & (1 << number) != 0 and pairs[number] & others != 0:
            if hold(world, first, 1 << number):
                unite_held(world, second, pairs[number] & others, all_left)
            world.sets[first] = sets
    everything = True
    for member in range(world.members):
        world.left[member] = all_left[member]
        everything = everything and all_left[member] == world.sets[member]
    return everything


@kernel
def unite_held(world, member, lots, all_left):
    """Add to all_left [BUILDINGS], by member, what closing leaves with a member held on each of the lots."""
    sets = world.sets[member]
    while lots != 0:
        lot = lowest(lots)
        lots &= ~lot
        if hold(world, member, lot):
            close(world)
            for each in range(world.members):
                all_left[each] |= world.left[each]
        world.sets[member] = sets
