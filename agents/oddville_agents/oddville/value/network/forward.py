"""The value network: inputs in, corrections of log odds out. The compiled pass and its twin in plain numpy.

A seat's first hidden layer is the sum of what the network makes of the seat itself, of the table, and of all rivals
alike; so one table of weights serves any number of players, and each seat's numbers are multiplied once.

    hidden(seat) = relu(bias + shared @ table + own[seat] @ self + sum of own[rival] @ rival)
    correction(seat) = relu(hidden(seat) @ second + ...) @ third

Every sum is taken in the order of the inputs, one after the other, so that the twin gives the same bits. Positions
behind the moves from one position differ little: they may be compared with the first of them, the base, and only what
differs is multiplied; that changes the last bits, and depends on nothing but these moves.
"""

from typing import Any

import numpy as np

from oddville_agents.oddville.value.network.files import OWN_SIZE, SHARED_SIZE, Architecture
from oddville_env.core.compiled.arrays import overwrite
from oddville_env.core.compiled.jit import kernel
from oddville_env.oddville.rules.state import SEATS

STEP = 4  # rows that are multiplied at once


def network_fields(architecture: Architecture) -> list[tuple[Any, ...]]:
    """The fields of a record that holds a network and its scratch."""
    assert architecture.first % STEP == 0, f"the first layer's width must be a multiple of {STEP}"
    return [
        *((f"net_{name}", "f4", shape) for name, shape in architecture.tensors.items()),
        ("made_own", "f4", (SEATS, 2 * architecture.first)),  # scratch
        ("made_shared", "f4", (architecture.first,)),
        ("places", "i8", (OWN_SIZE + STEP,)),  # where numbers are not as in the base, and by how much
        ("changes", "f4", (OWN_SIZE + STEP,)),
        ("first", "f4", (architecture.first,)),
        ("second", "f4", (architecture.second,)),
        ("has_base", "?"),  # there is a position that others are compared with
        ("base_own", "f4", (SEATS, OWN_SIZE)),  # what was seen there, and made of it
        ("base_shared", "f4", (SHARED_SIZE,)),
        ("base_made_own", "f4", (SEATS, 2 * architecture.first)),
        ("base_made_shared", "f4", (architecture.first,)),
    ]


@kernel
def find_changes(numbers, base, scratch):
    """Note where numbers differ from the base, and by how much; returns how many are noted, always whole steps."""
    found, places, changes = 0, scratch.places, scratch.changes
    for at in range(numbers.size):
        change = numbers[at] - base[at]
        places[found], changes[found] = at, change
        found += change != np.float32(0)
    while found % STEP != 0:
        places[found], changes[found] = 0, np.float32(0)
        found += 1
    return found


@kernel
def multiply(found, table, scratch, made):
    """Add to `made` what the noted changes bring: STEP rows of the table at once, so that it is vectorized."""
    places, changes = scratch.places, scratch.changes
    for at in range(0, found, STEP):
        row_0, row_1, row_2, row_3 = places[at], places[at + 1], places[at + 2], places[at + 3]
        by_0, by_1, by_2, by_3 = changes[at], changes[at + 1], changes[at + 2], changes[at + 3]
        for place in range(made.size):
            total = made[place] + by_0 * table[row_0, place]
            total += by_1 * table[row_1, place]
            total += by_2 * table[row_2, place]
            made[place] = total + by_3 * table[row_3, place]


@kernel
def clear_base(evaluator):
    """There is no base: all its numbers are 0."""
    evaluator.has_base = False
    evaluator.base_own[:] = np.float32(0)
    evaluator.base_shared[:] = np.float32(0)
    evaluator.base_made_own[:] = np.float32(0)
    overwrite(evaluator.base_made_shared, evaluator.net_first_bias)


@kernel
def set_base(evaluator):
    """The base is the position that was looked at last."""
    evaluator.has_base = True
    overwrite(evaluator.base_own, evaluator.own)
    overwrite(evaluator.base_shared, evaluator.shared)
    overwrite(evaluator.base_made_own, evaluator.made_own)
    overwrite(evaluator.base_made_shared, evaluator.made_shared)


@kernel
def correct(box, evaluator, out):
    """Add the network's corrections to log odds out [P] float64, by what `features.look` has written."""
    overwrite(evaluator.made_own, evaluator.base_made_own)
    overwrite(evaluator.made_shared, evaluator.base_made_shared)
    found = find_changes(evaluator.shared, evaluator.base_shared, evaluator)
    multiply(found, evaluator.net_shared, evaluator, evaluator.made_shared)
    for seat in range(box.players):
        found = find_changes(evaluator.own[seat], evaluator.base_own[seat], evaluator)
        multiply(found, evaluator.net_own, evaluator, evaluator.made_own[seat])
    for seat in range(box.players):
        out[seat] += correction(box, seat, evaluator)


@kernel
def correction(box, seat, evaluator):
    """The correction of a seat's log odds, by what the first layer made of all seats."""
    first, second, table = evaluator.first, evaluator.second, evaluator.net_second
    for place in range(first.size):
        first[place] = evaluator.made_shared[place] + evaluator.made_own[seat, place]
    for rival in range(box.players):
        if rival != seat:
            for place in range(first.size):
                first[place] += evaluator.made_own[rival, first.size + place]
    overwrite(second, evaluator.net_second_bias)
    for at in range(first.size):
        first[at] = max(first[at], np.float32(0))
    for at in range(0, first.size, STEP):
        for place in range(second.size):
            total = second[place] + first[at] * table[at, place]
            total += first[at + 1] * table[at + 1, place]
            total += first[at + 2] * table[at + 2, place]
            second[place] = total + first[at + 3] * table[at + 3, place]
    total = np.float32(0)
    for place in range(second.size):
        total += max(second[place], np.float32(0)) * evaluator.net_third[place]
    return total
