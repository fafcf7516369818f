"""Value networks as files, every number checked: what the networks of all games share."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from oddville_agents.tensors import ArrayKind, NetworkError, check_arrays, read_tensors, write_tensors
from oddville_env.core.kept import kept_by_file

MOST = 1e6  # of any weight: their products stay numbers


class ValueFiles:
    """The files of a game's value network: their format, the digest of what it sees, and its tensors' shapes."""

    def __init__(self, form: str, digest: str, shapes: Mapping[str, tuple[int, ...]], learned: Path) -> None:
        """learned: the network that comes with the package."""
        self._about = {"format": form, "layout": digest}
        self._kinds = {name: ArrayKind(np.float32, shape, -MOST, MOST) for name, shape in shapes.items()}
        self._learned = learned
        self.read = kept_by_file(self._read)

    def named(self, name: str) -> dict[str, np.ndarray]:
        """The tensors that `learned` or a file means. Raises NetworkError."""
        return self.read(self._learned if name == "learned" else Path(name))

    def _read(self, path: Path) -> dict[str, np.ndarray]:
        """The tensors of a file. Raises NetworkError."""
        tensors, metadata = read_tensors(path)
        if {name: metadata.get(name) for name in self._about} != self._about:
            expected = " ".join(self._about.values())
            raise NetworkError(f"{path} holds no value network of this layout, expected {expected}")
        check_arrays(path, tensors, self._kinds, NetworkError)
        return tensors

    def write(self, path: Path, tensors: Mapping[str, np.ndarray], made: dict[str, Any]) -> None:
        """Write a network, whole or not at all, with how it was made."""
        write_tensors(path, tensors, {**self._about, "made": json.dumps(made)})
