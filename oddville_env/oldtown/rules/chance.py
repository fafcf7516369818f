"""Every random draw of the rules. A draw is a hash of the game's seed, of the event that it is for and of its number:
equal seeds give equal luck to every event, whatever was played before it.
"""

import numpy as np

from oddville_env.core.jit import kernel

from .state import STREAMS

# SplitMix64's increment and its two multipliers (Steele, Lea, Flood 2014), with their shifts.
INCREMENT = np.uint64(0x9E3779B97F4A7C15)
FIRST_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
SECOND_FACTOR = np.uint64(0x94D049BB133111EB)
FIRST_SHIFT, SECOND_SHIFT, LAST_SHIFT = np.uint64(30), np.uint64(27), np.uint64(31)
EVENTS = np.uint64(2**32)  # draws that one event may need


@kernel
def scatter(number):
    """SplitMix64's output function: uint64 -> uint64."""
    number = (number ^ (number >> FIRST_SHIFT)) * FIRST_FACTOR
    number = (number ^ (number >> SECOND_SHIFT)) * SECOND_FACTOR
    return number ^ (number >> LAST_SHIFT)


@kernel
def draw(seed, event, index, number):
    """A number in 0..number-1: draw `index` of an event."""
    counter = np.uint64(event) * EVENTS + np.uint64(index)
    return np.int64(scatter(seed + scatter(counter * INCREMENT)) % np.uint64(number))


@kernel
def event_of(stream, index):
    """The number of the index-th event of a stream."""
    return index * STREAMS + stream


@kernel
def shuffle(cards, size, seed, event):
    """Put the first `size` of a list into random order (Fisher and Yates, from the last down)."""
    for last in range(size - 1, 0, -1):
        other = draw(seed, event, last, last + 1)
        cards[last], cards[other] = cards[other], cards[last]
