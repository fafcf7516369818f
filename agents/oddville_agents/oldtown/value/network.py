"""The value network: named groups of inputs, from one seat's view, its compiled pass, and its files.

    odds = relu(relu(seen @ first + first_bias) @ second + second_bias) @ third + seen @ plain + bias

Inputs are unscaled, training scales them. Every sum is taken in the order of the inputs.
"""

from pathlib import Path

import numpy as np

from oddville_agents.networks.value_files import Group, ValueFiles, digest_of, size_of
from oddville_agents.oldtown.heuristic.card_values import COUNTS, MOST
from oddville_agents.oldtown.heuristic.features import POOLS
from oddville_env.core.compiled.arrays import overwrite
from oddville_env.core.compiled.jit import kernel
from oddville_env.oldtown.cards.words import LOTS
from oddville_env.oldtown.rules.state import MOST_ON_A_LOT, SEATS, TOKENS

CARD_VALUES = MOST + 1 - COUNTS
"""The number of values that a card can have: COUNTS, 0, 1, ..."""
SIZES = TOKENS + 1
"""The number of sizes of a building's set: no lot while it is unknown, one where it stands."""
RANGES = 3  # the seat itself, the next one, the mean of those after it

SEAT = (
    Group("draws", POOLS * CARD_VALUES, "the part of the unseen cards of each pool with each value for the seat"),
    Group("hand", POOLS * CARD_VALUES, "cards of the hand by pool and value; of unknown ones as many as expected"),
    Group("best", 1, "the highest value in the hand, of rivals the expected one"),
    Group("cards", 2, "cards in hand, cards of the own stack"),
    Group("mine", SIZES, "own buildings by the size of their sets"),
    Group("turn", 3, "is to move, is to draw, is to take"),
)
"""Of a seat, as the seat that looks knows it."""
TABLE = (
    Group("points", 6, "lead on the best rival and on the rivals' mean: plain, both over what is left, the first times "
          "that, and how much is left of all points"),
    Group("players", SEATS - 1, "one-hot: how many play, 2 to 4"),
    Group("stack", 2, "cards of the common stack, passes in a row"),
    Group("sizes", SIZES, "buildings by the size of their sets"),
    Group("supply", SIZES, "those of them that are in supply"),
    Group("tokens", LOTS, "tokens on each lot"),
    Group("standing", LOTS, "the lots on which a building stands"),
    Group("crowds", MOST_ON_A_LOT + 1, "lots by the number of their tokens: none, one, two, three or more"),
)  # fmt: skip
"""Of all seats together, as the one that looks sees them."""

SEAT_SIZE = size_of(SEAT)
ALL = (*RANGES * SEAT, *TABLE)
SIZE = size_of(ALL)
"""All numbers."""
DIGEST = digest_of(ALL)


HIDDEN, LAST = 64, 32  # the layers' widths

TENSORS = {
    "first": (SIZE, HIDDEN),
    "first_bias": (HIDDEN,),
    "second": (HIDDEN, LAST),
    "second_bias": (LAST,),
    "third": (LAST,),
    "plain": (SIZE,),
    "bias": (1,),
}

NETWORK = [
    *((f"net_{name}", "f4", shape) for name, shape in TENSORS.items()),
    ("made_first", "f4", (HIDDEN,)),  # scratch
    ("made_second", "f4", (LAST,)),
]


@kernel
def odds(evaluator):
    """The log odds of winning, by evaluator.seen."""
    seen, first, second = evaluator.seen, evaluator.made_first, evaluator.made_second
    overwrite(first, evaluator.net_first_bias)
    overwrite(second, evaluator.net_second_bias)
    total = evaluator.net_bias[0]
    for at in range(seen.size):
        number = seen[at]
        if number != 0:
            total += number * evaluator.net_plain[at]
            for place in range(HIDDEN):
                first[place] += number * evaluator.net_first[at, place]
    for at in range(HIDDEN):
        number = max(first[at], np.float32(0))
        if number != 0:
            for place in range(LAST):
                second[place] += number * evaluator.net_second[at, place]
    for at in range(LAST):
        total += max(second[at], np.float32(0)) * evaluator.net_third[at]
    return total


LEARNED = Path(__file__).resolve().parent / "learned.safetensors"
"""The network that comes with the package, for any number of players."""
FILES = ValueFiles("oldtown-value", DIGEST, {f"{HIDDEN}-{LAST}": TENSORS}, LEARNED)
read_network, write_network, network_of = FILES.read, FILES.write, FILES.named
