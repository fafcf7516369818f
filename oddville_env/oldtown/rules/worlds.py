"""Chapter W: what the tokens mean. One placement of all buildings is found by augmenting paths; all that is true in
some placement follows from it by reachability.

A **world** here is the working record of one question: the buildings that can still move (`who`), their sets, and a lot
for each (`at`), all lots being masks of one bit. Buildings that stand are not in it, and their lots are not in `lots`.

Loops over all members run over `LOTS` places, those behind the last member being empty (no more than 16 buildings have
a world): a loop of a fixed length without branches is a few vector instructions, three to six times as fast.
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
                    "reach",
                    "left",
                    "layers",
                    "member",
                    "members",
                    "lots",
                    "used",
                    "open",
                    "two",
                    "three",
                ],
                "formats": [("i4", BUILDINGS)] * 7 + ["i4"] * 6,
            },
            align=True,
        ),
    )
)
"""`left` is what closing leaves of each set; `member` the number among the members of each building that has tokens;
`open` the lots that are empty in some world; `two` and `three` the lots with at least as many tokens."""


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
    world.member[building] = member
    world.members = member + 1
    return member


@kernel
def empty(world):
    """No building can move, and no lot is taken."""
    world.members = world.used = 0
    world.lots = EVERY_LOT


@kernel
def gather(game, world):
    """[W1] The buildings with tokens are the members; the lots of those that stand are taken."""
    empty(world)
    members = taken = 0
    for building in range(BUILDINGS):
        lots = np.int64(game.sets[building])
        tokens = lots if lots & (lots - 1) != 0 else 0
        taken |= lots ^ tokens
        world.who[members], world.sets[members], world.at[members] = building, tokens, 0
        world.member[building] = members if tokens != 0 else NOTHING
        members += tokens != 0
    world.members = members
    world.lots = EVERY_LOT & ~taken


@kernel
def step_back(world, good):
    """The good lots, and those whose buildings can move on to one of them."""
    reached = good
    for member in range(world.members):
        sets, at = world.sets[member], world.at[member]
        reached |= at if sets & good != 0 else 0
    return reached


@kernel
def reach_back(world, good):
    """The lots from which buildings can move on, one after the other, until one comes to a good lot."""
    before = np.int64(0)
    while good != before:
        before, good = good, step_back(world, good)
    return good


@kernel
def occupant(world, lot):
    """The member on a lot, NOTHING where it is empty."""
    found = NOTHING
    for member in range(world.members):
        found = max(found, member if world.at[member] == lot else NOTHING)
    return found


@kernel
def place(world, member):
    """[W2] Find a lot for a member that has none, moving others on; false, and nothing moves, where there is none."""
    good, steps = world.lots & ~world.used, 0
    world.layers[0] = good
    while world.sets[member] & good == 0:
        further = step_back(world, good)
        if further == good:
            return False
        good = further
        steps += 1
        world.layers[steps] = good
    while steps > 0:
        target = lowest(world.sets[member] & world.layers[steps])
        following = occupant(world, target)
        world.at[member] = target
        member = following
        while steps > 0 and world.sets[member] & world.layers[steps - 1] != 0:
            steps -= 1
    target = lowest(world.sets[member] & world.layers[0])
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
    before = world.at[member]
    world.sets[member] = lot
    if before == lot:
        return True
    other = occupant(world, lot)
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
            reach = world.reach[member]
            world.reach[member] = reach | further if reach & at != 0 else reach


@kernel
def close(world):
    """[W3] What each member keeps: the lots where it is in at least one world. Some world has been found before.

    A member may move to a lot that is empty, or whose occupant can move on to an empty lot or to the member's own one.
    """
    reach_on(world)
    free = world.lots & ~world.used
    for member in range(world.members):
        home = free | world.at[member]
        keeps = home
        for other in range(world.members):
            reach, at = world.reach[other], world.at[other]
            keeps |= at if reach & home != 0 else 0
        world.left[member] = world.sets[member] & keeps


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
    one = two = three = np.int64(0)
    for member in range(world.members):
        lots = world.sets[member]
        three |= two & lots
        two |= one & lots
        one |= lots
    world.two, world.three = two, three


@kernel
def look(game, world):
    """[W2] All that every card needs to know of the board: a world, the open lots, and where many tokens lie."""
    gather(game, world)
    count_tokens(world)
    find_world(world)
    world.open = reach_back(world, world.lots & ~world.used)


@kernel
def possible(game, world, building):
    """[W3 W5] The lots of a building in some world: its set, or where it is unknown all that are open."""
    lots = np.int64(game.sets[building])
    return lots if lots != 0 else np.int64(world.open)


@kernel
def join(game, world, building):
    """[W5] A building that a card speaks of takes part: the member's number, NOTHING where no world is left.

    An unknown one may be on any open lot; one that stands is a member with one lot.
    """
    if world.member[building] != NOTHING:
        return np.int64(world.member[building])
    world.lots |= np.int64(game.sets[building])
    member = add(world, building, possible(game, world, building))
    if place(world, member):
        return member
    withdraw(world, member)
    return NOTHING


@kernel
def withdraw(world, member):
    """The last member leaves."""
    world.member[world.who[member]] = NOTHING
    world.members = member


@kernel
def part(game, world, members):
    """Those who joined after the first `members` leave again."""
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
def bounds_under_pairs(game, world, named, own, pairs):
    """[W4 W5] What a C card's pairs leave of its two buildings at most, other buildings aside, and what they surely
    leave: with both buildings on lots that are empty or their own now, no other one has to move.

    pairs [LOTS]: for each lot of the first building the lots of the second.
    """
    sets, others = possible(game, world, named), possible(game, world, own)
    easy = lots_for_two(world, world.lots & ~world.used | home(game, world, named) | home(game, world, own))
    at_most = others_at_most = surely = others_surely = np.int64(0)
    for number in range(LOTS):
        lot = sets & (1 << number)
        partners = pairs[number] & others & ~lot if lot != 0 else 0
        easy_partners = partners & easy if lot & easy != 0 else 0
        at_most |= lot if partners != 0 else 0
        others_at_most |= partners
        surely |= lot if easy_partners != 0 else 0
        others_surely |= easy_partners
    return at_most, others_at_most, surely, others_surely


@kernel
def sets_under_pairs(game, world, first, second, pairs):
    """[W4 W5] What a C card's pairs leave of its two buildings, which both take part."""
    sets = np.int64(world.sets[first])
    at_most, others_at_most, left, others_left = bounds_under_pairs(
        game, world, world.who[first], world.who[second], pairs
    )
    for number in range(LOTS):
        lot = at_most & (1 << number)
        partners = pairs[number] & others_at_most & ~lot
        if lot != 0 and (left & lot == 0 or partners & ~others_left != 0):
            if hold(world, first, lot):
                partners &= reach_back(world, world.lots & ~world.used | world.at[second])
                left |= lot if partners != 0 else 0
                others_left |= partners
            world.sets[first] = sets
    return left, others_left


@kernel
def close_under_pairs(game, world, first, second, pairs):
    """[W5] What each member keeps under a C card: unite, over its pairs, what is left with both buildings held there.

    True where everything stays. Once all others keep their sets, no further pair is asked.
    """
    sets, others = np.int64(world.sets[first]), np.int64(world.sets[second])
    left, others_left = sets_under_pairs(game, world, first, second, pairs)
    all_left = np.zeros(BUILDINGS, np.int64)
    all_left[first], all_left[second] = left, others_left
    whole = False
    for number in range(LOTS):
        lot = left & (1 << number)
        if lot != 0 and not whole:
            if hold(world, first, lot):
                whole = unite_held(world, second, pairs[number] & others_left & ~lot, all_left)
            world.sets[first] = sets
    for member in range(world.members):
        world.left[member] = all_left[member]
    return whole and left == sets and others_left == others


@kernel
def unite_held(world, member, lots, all_left):
    """Add to all_left [BUILDINGS], by member, what closing leaves with a member held on each of the lots.

    True as soon as nothing of any set is missing.
    """
    sets, whole = world.sets[member], False
    while lots != 0 and not whole:
        lot = lowest(lots)
        lots &= ~lot
        if hold(world, member, lot):
            close(world)
            missing = np.int64(0)
            for each in range(world.members):
                all_left[each] |= world.left[each]
                missing |= world.sets[each] & ~all_left[each]
            whole = missing == 0
        world.sets[member] = sets
    return whole
