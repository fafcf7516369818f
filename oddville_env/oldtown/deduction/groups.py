"""[W3] Buildings that need all the lots they have: found by one placement and by what can move in it."""

from collections.abc import Iterable
from functools import reduce
from operator import and_, or_

from oddville_env.oldtown.deduction.sentences import bits

Sets = dict[int, int]
"""Of each building of the town the lots that are left to it, as a mask."""


def any_of(masks: Iterable[int]) -> int:
    """The union of the masks."""
    return reduce(or_, masks, 0)


def all_of(masks: Iterable[int]) -> int:
    """The intersection of the masks."""
    return reduce(and_, masks, -1)


def mask_of(numbers: Iterable[int]) -> int:
    """Numbers as a mask."""
    return sum(1 << number for number in numbers)


def match(sets: Sets) -> tuple[dict[int, int], list[int]]:
    """A building for each lot; or, where that cannot be, buildings with fewer lots than they are."""
    at: dict[int, int] = {}

    def place(building: int, seen: set[int]) -> bool:
        for lot in bits(sets[building]):
            if lot not in seen:
                seen.add(lot)
                if lot not in at or place(at[lot], seen):
                    at[lot] = building
                    return True
        return False

    for building in sorted(sets, key=lambda each: sets[each].bit_count()):
        seen: set[int] = set()
        if not place(building, seen):
            return at, [building, *(at[lot] for lot in sorted(seen))]
    return at, []


def lone_group(sets: Sets) -> tuple[list[int], bool]:
    """A building with one lot that others hope for, or two with the same one; and whether the lots are enough."""
    once = twice = 0
    for lots in sets.values():
        twice |= once & lots
        once |= lots
    for building, lots in sets.items():
        if lots & twice and lots & (lots - 1) == 0:
            rivals = [other for other, left in sets.items() if left == lots]
            return (rivals[:2], False) if len(rivals) > 1 else ([building], True)
    return [], True


def tight_group(sets: Sets) -> tuple[list[int], bool]:
    """The smallest group with no more lots than buildings, where others hope for these or they are too few.

    No buildings where there is none; and whether the lots are enough.
    """
    at, crowd = match(sets)
    if crowd:
        return crowd, False
    for lots in sorted(set(reachable(sets, at).values()), key=lambda lots: (lots.bit_count(), lots)):
        if any(left & lots and left & ~lots for left in sets.values()):
            group = [building for building, left in sets.items() if not left & ~lots]
            if len(group) == lots.bit_count():  # where there are more lots than buildings, some stay free
                return group, True
    return [], True


def reachable(sets: Sets, at: dict[int, int]) -> Sets:
    """For each building the lots that its moving can ask for, in any number of steps (Warshall)."""
    lots = dict(sets)
    for lot, between in at.items():
        further = lots[between]
        for building, left in lots.items():
            if left >> lot & 1:
                lots[building] = left | further
    return lots
