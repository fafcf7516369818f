"""OddVille's value networks as files."""

from pathlib import Path

import numpy as np

from oddville_agents.networks.value_files import ValueFiles
from oddville_agents.oddville.value.network.architectures import ARCHITECTURES
from oddville_agents.oddville.value.network.layout import DIGEST

LEARNED = Path(__file__).resolve().parent / "learned.safetensors"
"""The network that comes with the package, for any number of players."""
FORMULA = "formula"
"""The name of no network."""
FILES = ValueFiles("oddville-value", DIGEST, {name: each.tensors for name, each in ARCHITECTURES.items()}, LEARNED)
read_network, write_network = FILES.read, FILES.write


def network_of(name: str) -> dict[str, np.ndarray] | None:
    """The tensors that `learned` or a file means; None for `formula`. Raises NetworkError."""
    return None if name == FORMULA else FILES.named(name)
