"""Every random draw. A draw is a hash of the game's seed, of the event that it is for and of its number: equal seeds
give equal chance to every event, whatever was played before it.

A game numbers its events in streams; two of the first ones are the same in every game: `MOVE` and `TABLE`.
"""

import numpy as np

from oddville_env.core.compiled.arrays import BITS, bits_from, count_bits
from oddville_env.core.compiled.jit import kernel

# SplitMix64's increment and its two multipliers (Steele, Lea, Flood 2014), with their shifts.
INCREMENT = np.uint64(0x9E3779B97F4A7C15)
FIRST_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
SECOND_FACTOR = np.uint64(0x94D049BB133111EB)
FIRST_SHIFT, SECOND_SHIFT, LAST_SHIFT = np.uint64(30), np.uint64(27), np.uint64(31)
EVENTS = np.uint64(2**32)  # draws that one event may need
MOVE, TABLE = 5, 6  # the streams of random players and of seatings
ONE = np.uint64(1)


@kernel
def scatter(number):
    """SplitMix64's output function: uint64 -> uint64."""
    number = (number ^ (number >> FIRST_SHIFT)) * FIRST_FACTOR
    number = (number ^ (number >> SECOND_SHIFT)) * SECOND_FACTOR
    return number ^ (number >> LAST_SHIFT)


@kernel
def part_of(number):
    """A hash (uint64) as a number in 0..1."""
    return float(number >> np.uint64(32)) * 2.0**-32


@kernel
def draw(seed, event, index, number):
    """A number in 0..number-1: draw `index` of an event."""
    counter = np.uint64(event) * EVENTS + np.uint64(index)
    return np.int64(scatter(seed + scatter(counter * INCREMENT)) % np.uint64(number))


@kernel
def shuffle(cards, size, seed, event):
    """Put the first `size` of a list into random order (Fisher and Yates, from the last down)."""
    for last in range(size - 1, 0, -1):
        other = draw(seed, event, last, last + 1)
        cards[last], cards[other] = cards[other], cards[last]


@kernel
def following_seed(seed):
    """The seed (uint64) of the game that is dealt after this one where none is given."""
    return scatter(seed + INCREMENT)


@kernel
def seating_draw(seed, index, number):
    """A choice for the seating of a game or the seeds of its players, 0..number-1: draw `index` of the game's seed."""
    return draw(seed, TABLE, index, number)


@kernel
def move_number(seed, index, legal_count):
    """The number of the legal move, of so many, that a random player takes: draw `index` of a seed (uint64)."""
    return draw(seed, MOVE, index, legal_count)


@kernel
def nth_move(mask, number):
    """The id of the number-th legal move, from 0; many are counted at once, in two thirds of the time of sums."""
    if mask.size >= BITS:
        for start in range(0, mask.size, BITS):
            bits = bits_from(mask, start)
            legal_count = count_bits(bits)
            if number < legal_count:
                return start + nth_bit(bits, number)
            number -= legal_count
    else:
        for action in range(mask.size):
            number -= mask[action]
            if number < 0:
                return action
    return mask.size


@kernel
def nth_bit(bits, number):
    """The index of the number-th set bit of a uint64, from 0, by halves: branches would be mispredicted."""
    index, half = 0, BITS // 2
    while half > 0:
        lower = count_bits(bits & ((ONE << np.uint64(half)) - ONE))
        above = number >= lower
        number -= lower if above else 0
        index += half if above else 0
        bits = bits >> np.uint64(half) if above else bits
        half >>= 1
    return index


@kernel
def random_move(mask, seed, index):
    """A uniformly random legal move: draw `index` of a seed (uint64)."""
    legal_count = 0
    for action in range(mask.size):
        legal_count += mask[action]
    return nth_move(mask, move_number(seed, index, legal_count))
