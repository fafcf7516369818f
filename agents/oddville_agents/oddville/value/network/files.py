"""The architectures of the value network and its files.

All code that computes with a network (numba, torch, ONNX) takes its sizes from here or from the tensors.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from oddville_agents.networks.value_files import ValueFiles
from oddville_agents.oddville.value.network.layout import DIGEST, OWN_SIZE, SHARED_SIZE


class Architecture(NamedTuple):
    """The widths of the hidden layers; the first one is a multiple of `forward.STEP`."""

    first: int
    second: int

    @property
    def tensors(self) -> dict[str, tuple[int, ...]]:
        """The shapes of its tensors, by their names in files."""
        return {
            "own": (OWN_SIZE, 2 * self.first),  # for the seat itself, and for its rivals
            "shared": (SHARED_SIZE, self.first),
            "first_bias": (self.first,),
            "second": (self.first, self.second),
            "second_bias": (self.second,),
            "third": (self.second,),
        }


ARCHITECTURES = {"64-32": Architecture(64, 32)}
"""By the names that plans and files give them; the first one is meant where none is named."""
USUAL = next(iter(ARCHITECTURES))


def architecture_of(tensors: Mapping[str, np.ndarray]) -> Architecture:
    """The architecture of a network's tensors."""
    return Architecture(*tensors["second"].shape)


def widest(networks: Sequence[Mapping[str, np.ndarray]]) -> Architecture:
    """The narrowest architecture that has room for all of these networks."""
    widths = [architecture_of(tensors) for tensors in networks] or [ARCHITECTURES[USUAL]]
    return Architecture(*map(max, zip(*widths, strict=True)))


def widened(tensors: Mapping[str, np.ndarray], to: Architecture) -> dict[str, np.ndarray]:
    """A network in a wider architecture: its further numbers are zeros, so that it says the same."""
    halves = np.split(tensors["own"], 2, axis=1)
    own = np.concatenate([_filled(half, (OWN_SIZE, to.first)) for half in halves], axis=1)
    return {name: own if name == "own" else _filled(tensors[name], shape) for name, shape in to.tensors.items()}


def _filled(tensor: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    return np.pad(tensor, [(0, size - now) for size, now in zip(shape, tensor.shape, strict=True)])


LEARNED = Path(__file__).resolve().parent / "learned.safetensors"
"""The network that comes with the package, for any number of players."""
FORMULA = "formula"
"""The name of no network."""
FILES = ValueFiles("oddville-value", DIGEST, {name: each.tensors for name, each in ARCHITECTURES.items()}, LEARNED)
read_network, write_network = FILES.read, FILES.write


def network_of(name: str) -> dict[str, np.ndarray] | None:
    """The tensors that `learned` or a file means; None for `formula`. Raises NetworkError."""
    return None if name == FORMULA else FILES.named(name)
