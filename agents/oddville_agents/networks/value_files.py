"""Value networks of any game: groups of inputs, records for compiled code, and files with every number checked."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from oddville_agents.tensors import ArrayKind, NetworkError, check_arrays, read_tensors, write_tensors
from oddville_env.core.disk.file_cache import kept_by_file
from oddville_env.core.errors import shown

Shapes = Mapping[str, tuple[int, ...]]
"""The shapes of a network's tensors by name."""
MOST = 1e6  # of any weight, so that no product overflows


class Group(NamedTuple):
    """A named group of a value network's inputs."""

    name: str
    size: int
    text: str


def size_of(groups: Iterable[Group]) -> int:
    """Return the number of inputs."""
    return sum(group.size for group in groups)


def names_of(groups: Iterable[Group]) -> str:
    """Return the groups' names and sizes, for the metadata of a file."""
    return " ".join(f"{group.name}:{group.size}" for group in groups)


def digest_of(groups: Iterable[Group]) -> str:
    """Return a hash of the groups' names and sizes. A network fits only the inputs that it was trained on."""
    plain = [(group.name, group.size) for group in groups]
    return hashlib.sha256(repr(plain).encode()).hexdigest()[:16]


def aligned_record(*fields: tuple[Any, ...]) -> np.dtype:
    """Return the dtype of a C-aligned record with fields (name, dtype) or (name, dtype, shape)."""
    return np.dtype((np.record, np.dtype(list(fields), align=True)))


class ValueFiles:
    """The files of a game's value networks.

    Args:
        form: the name of their format.
        digest: of their inputs.
        architectures: names -> shapes of the tensors; the first one is the default of files that name none.
        learned: the network of the package.
    """

    def __init__(self, form: str, digest: str, architectures: Mapping[str, Shapes], learned: Path) -> None:
        self._about = {"format": form, "layout": digest}
        self._architectures = architectures
        self._learned = learned
        self.read = kept_by_file(self._read)

    def named(self, name: str) -> dict[str, np.ndarray]:
        """Return the tensors of `learned` or of a file. Raises NetworkError."""
        return self.read(self._learned if name == "learned" else Path(name))

    def _read(self, path: Path) -> dict[str, np.ndarray]:
        tensors, metadata = read_tensors(path)
        if {name: metadata.get(name) for name in self._about} != self._about:
            expected = " ".join(self._about.values())
            raise NetworkError(f"{path} holds no value network of this layout, expected {expected}")
        architecture = metadata.get("architecture", next(iter(self._architectures)))
        if architecture not in self._architectures:
            known = ", ".join(self._architectures)
            raise NetworkError(f"{path} holds a network of the architecture {shown(architecture)}, expected {known}")
        shapes = self._architectures[architecture]
        kinds = {name: ArrayKind(np.float32, shape, -MOST, MOST) for name, shape in shapes.items()}
        check_arrays(path, tensors, kinds, NetworkError)
        return tensors

    def write(self, path: Path, tensors: Mapping[str, np.ndarray], made: dict[str, Any]) -> None:
        """Write a network atomically, with how it was made."""
        shapes = {name: tensor.shape for name, tensor in tensors.items()}
        about = {**self._about, "made": json.dumps(made)}
        for name, known in self._architectures.items():
            if known == shapes:
                about["architecture"] = name
        write_tensors(path, tensors, about)
