"""Networks as files, every number checked."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from oddville_agents.oldtown.value.layout import digest
from oddville_agents.oldtown.value.network import TENSORS
from oddville_agents.tensors import NetworkError, read_tensors, write_tensors

LEARNED = Path(__file__).resolve().parent / "learned.safetensors"
"""The network that comes with the package, for any number of players."""
FORMAT = "oldtown-value"


def network_of(name: str) -> dict[str, np.ndarray]:
    """The tensors that `learned` or a file means. Raises NetworkError."""
    return read_network(LEARNED if name == "learned" else Path(name))


@cache
def read_network(path: Path) -> dict[str, np.ndarray]:
    """The tensors of a file. Raises NetworkError."""
    tensors, metadata = read_tensors(path)
    found = (metadata.get("format"), metadata.get("layout"))
    if found != (FORMAT, digest()):
        raise NetworkError(f"{path} holds no value network of this layout, expected {FORMAT} {digest()}")
    shapes = {name: tensor.shape for name, tensor in tensors.items()}
    if shapes != TENSORS:
        raise NetworkError(f"{path} holds other tensors than expected: {shapes}")
    return tensors


def write_network(path: Path, tensors: dict[str, np.ndarray], made: dict[str, Any]) -> None:
    """Write a network, whole or not at all, with how it was made."""
    metadata = {"format": FORMAT, "layout": digest(), "made": json.dumps(made)}
    write_tensors(path, tensors, metadata)
