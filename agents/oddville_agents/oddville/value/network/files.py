"""Networks as files, every number checked."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from oddville_agents.oddville.value.network.forward import TENSORS
from oddville_agents.oddville.value.network.layout import digest
from oddville_agents.tensors import ArrayKind, NetworkError, check_arrays, read_tensors, write_tensors
from oddville_env.core.files import kept_by_file

LEARNED = Path(__file__).resolve().parent / "learned.safetensors"
"""The network that comes with the package, for any number of players."""
FORMULA = "formula"
"""The name of no network."""
FORMAT = "oddville-value"
MOST = 1e6  # of any weight: their products stay numbers
KINDS = {name: ArrayKind(np.float32, shape, -MOST, MOST) for name, shape in TENSORS.items()}


def network_of(name: str) -> dict[str, np.ndarray] | None:
    """The tensors that `learned` or a file means; None for `formula`. Raises NetworkError."""
    if name == FORMULA:
        return None
    return read_network(LEARNED if name == "learned" else Path(name))


@kept_by_file
def read_network(path: Path) -> dict[str, np.ndarray]:
    """The tensors of a file. Raises NetworkError."""
    tensors, metadata = read_tensors(path)
    found = (metadata.get("format"), metadata.get("layout"))
    if found != (FORMAT, digest()):
        raise NetworkError(f"{path} holds no value network of this layout, expected {FORMAT} {digest()}")
    shapes = {name: tensor.shape for name, tensor in tensors.items()}
    if shapes != TENSORS:
        raise NetworkError(f"{path} holds other tensors than expected: {shapes}")
    check_arrays(path, tensors, KINDS, NetworkError)
    return tensors


def write_network(path: Path, tensors: dict[str, np.ndarray], made: dict[str, Any]) -> None:
    """Write a network, whole or not at all, with how it was made."""
    metadata = {"format": FORMAT, "layout": digest(), "made": json.dumps(made)}
    write_tensors(path, tensors, metadata)
