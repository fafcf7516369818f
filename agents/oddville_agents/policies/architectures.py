"""The architectures of networks, by the name that `model.json` gives them."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from oddville_agents.oddville.network import Network, Sizes
from oddville_env.core.kinds import one_of
from oddville_env.oddville.observation import Encoder

DEFAULT = "sparse-city"
"""What a file is of that names none."""


class Architecture(NamedTuple):
    """How to make a network. sizes: their names and values -> checked sizes; raises TypeError and ValueError."""

    sizes: Callable[..., Any]
    network: Callable[[Encoder, Any], Network]


ARCHITECTURES: Mapping[str, Architecture] = {DEFAULT: Architecture(Sizes, Network)}
NAMES = one_of(*ARCHITECTURES)
