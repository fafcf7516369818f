"""Chapter W: what the tokens mean. One placement of all buildings is found by augmenting paths; all that is true in
some placement follows from it by reachability.

A **world** here is the working record of one question: the buildings that can still move (`who`), their sets, and a lot
for each (`at`), all lots being masks of one bit. Buildings that stand are not in it, and their lots are not in `lots`.

Loops over members read what they need first and then choose between values: without branches they become vector
instructions (to close a board of a random game takes 30 ns, not 85; to gather one 25, not 62).
"""

import numpy as np

from oddville_env.core.compiled.jit import kernel
from oddville_env.oldtown.cards.words import BUILDINGS, LOTS, NOTHING

from .state import EVERY_LOT

BYTE = 8
LOW_BYTE = (1 << BYTE) - 1
PAIRS, FOURS, EIGHTS, BYTES = (np.uint64(((1 << 64) - 1) // part) for part in (0x3, 0x5, 0x11, 0xFF))
"""Every other bit, two of four, four of eight, one of eight."""
ONE, TWO, FOUR, LAST_BYTE = (np.uint64(bits) for bits in (1, 2, 4, 64 - BYTE))

NUMBERS = ("members", "lots", "used", "open", "two", "three", "named_left", "own_left")
FORMATS = (
    {name: ("i4", ()) for name in NUMBERS}
    | {name: ("i1", BUILDINGS) for name in ("who", "member")}
    | {name: ("i4", BUILDINGS) for name in ("sets", "at", "via", "left", "kept")}
    | {"rivals": ("i4", LOTS)}
)
WORLD = np.dtype((np.record, np.dtype({"names": list(FORMATS), "formats": list(FORMATS.values())}, align=True)))
"""By member: `left` is what closing leaves of its set, `kept` what is left in any of several cases. `member` is each
building's number among the members, `open` are the lots that are empty in some world, `two` and `three` those with at
least as many tokens. Under a C card: `named_left` and `own_left` are what it leaves its two buildings, `rivals` by lot
those that two buildings cannot take together with it."""


@kernel
def lowest(mask):
    """The lowest lot of a set, as a set."""
    return mask & -mask


@kernel
def count(mask):
    """The number of lots or cards in a set, in the form that LLVM makes one instruction of."""
    bits = np.uint64(mask)
    bits = bits - (bits >> ONE & PAIRS)
    bits = (bits & FOURS) + (bits >> TWO & FOURS)
    bits = bits + (bits >> FOUR) & EIGHTS
    return np.int64(bits * BYTES >> LAST_BYTE)


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
def gather(game, world):
    """[W1] The buildings with tokens are the members; the lots of those that stand are taken."""
    members = taken = 0
    for building in range(BUILDINGS):
        lots = np.int64(game.sets[building])
        tokens = lots if lots & (lots - 1) != 0 else 0
        taken |= lots ^ tokens
        world.who[members], world.sets[members], world.at[members] = building, tokens, 0
        world.member[building] = members if tokens != 0 else NOTHING
        members += tokens != 0
    world.members, world.used = members, 0
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
def routes(world, good):
    """The same lots; `via` notes for each member the lot to move on to.

    In this order: it decides which world is found, and so which puzzle a seed has (O8).
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
def place(world, member):
    """[W2] Find a lot for a member that has none, moving others on; false, and nothing moves, where there is none."""
    free = world.lots & ~world.used
    target = world.sets[member] & free
    if target == 0:
        target = world.sets[member] & routes(world, free)
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
def narrow(world, member, lots):
    """[W2] Keep a member within some lots; some world is left."""
    world.sets[member] &= lots
    if world.at[member] & lots == 0:
        world.used &= ~world.at[member]
        world.at[member] = 0
        place(world, member)


@kernel
def find_world(world):
    """[W2] A lot for every member; false where there is no world."""
    for member in range(world.members):
        if not place(world, member):
            return False
    return True


@kernel
def close(world):
    """[W3] The lots that each member keeps, where it is in at least one world. Some world has been found before.

    A member may move to a lot that is empty, or whose occupant can move on to an empty lot or to the member's own one.
    Those with one lot never move. On half of the boards every other lot leads to an empty one; else few members have
    tokens on others.
    """
    good = reach_back(world, world.lots & ~world.used)
    fixed = elsewhere = np.int64(0)
    for member in range(world.members):
        fixed |= world.at[member] if world.sets[member] == world.at[member] else 0
    for member in range(world.members):
        at = world.at[member]
        sets = world.sets[member] & (~fixed | at)
        world.left[member] = sets
        elsewhere |= sets & ~(good | at)
    if elsewhere != 0:
        for member in range(world.members):
            sets, at = world.left[member], world.at[member]
            if sets & ~(good | at) != 0:
                world.left[member] = sets & reach_back(world, good | at)


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
