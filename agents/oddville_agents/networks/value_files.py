"""Value networks as files, every number checked: what the networks of all games share."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from oddville_agents.tensors import ArrayKind, NetworkError, check_arrays, read_tensors, write_tensors
from oddville_env.core.disk.file_cache import kept_by_file
from oddville_env.core.errors import shown

Shapes = Mapping[str, tuple[int, ...]]
"""Of a network's tensors, by their names."""
MOST = 1e6  # of any weight: their products stay numbers


class ValueFiles:
    """The files of a game's value networks: their format, the digest of what they see, and their tensors' shapes."""

    def __init__(self, form: str, digest: str, architectures: Mapping[str, Shapes], learned: Path) -> None:
        """architectures: by name, the first one is that of files that name none; learned: the network that comes with
        the package."""
        self._about = {"format": form, "layout": digest}
        self._architectures = architectures
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
        architecture = metadata.get("architecture", next(iter(self._architectures)))
        if architecture not in self._architectures:
            known = ", ".join(self._architectures)
            raise NetworkError(f"{path} holds a network of the architecture {shown(architecture)}, expected {known}")
        shapes = self._architectures[architecture]
        kinds = {name: ArrayKind(np.float32, shape, -MOST, MOST) for name, shape in shapes.items()}
        check_arrays(path, tensors, kinds, NetworkError)
        return tensors

    def write(self, path: Path, tensors: Mapping[str, np.ndarray], made: dict[str, Any]) -> None:
        """Write a network, whole or not at all, with how it was made."""
        shapes = {name: tensor.shape for name, tensor in tensors.items()}
        about = {**self._about, "made": json.dumps(made)}
        for name, known in self._architectures.items():
            if known == shapes:
                about["architecture"] = name
        write_tensors(path, tensors, about)
