"""The value network: a seat's inputs in, its log odds of winning out; compiled, and its files.

    odds = relu(relu(seen @ first + first_bias) @ second + second_bias) @ third + seen @ plain + bias

Every sum is taken in the order of the inputs.
"""

from pathlib import Path

import numpy as np

from oddville_agents.networks.value_files import ValueFiles
from oddville_agents.oldtown.value.layout import DIGEST, SIZE
from oddville_env.core.compiled.arrays import overwrite
from oddville_env.core.compiled.jit import kernel

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
