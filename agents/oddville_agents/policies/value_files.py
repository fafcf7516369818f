"""The files of value functions: networks and hand-set or tuned weights, with every number checked."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from oddville_agents.tensors import ArrayKind, NetworkError, check_arrays, read_tensors, write_tensors
from oddville_env.core.disk.reading import JsonFormat, kept_by_file
from oddville_env.core.errors import GameError, shown

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
        architecture: the name of the network's form in files.
        shapes: of its tensors.
        learned: the network of the package.
    """

    def __init__(self, form: str, digest: str, architecture: str, shapes: Shapes, learned: Path) -> None:
        self._about = {"format": form, "layout": digest}
        self._architecture, self._learned = architecture, learned
        self._kinds = {name: ArrayKind(np.float32, shape, -MOST, MOST) for name, shape in shapes.items()}
        self.read = kept_by_file(self._read)

    def named(self, name: str) -> dict[str, np.ndarray]:
        """Return the tensors of `learned` or of a file. Raises NetworkError."""
        return self.read(self._learned if name == "learned" else Path(name))

    def _read(self, path: Path) -> dict[str, np.ndarray]:
        tensors, metadata = read_tensors(path)
        if {name: metadata.get(name) for name in self._about} != self._about:
            expected = " ".join(self._about.values())
            raise NetworkError(f"{path} holds no value network of this layout, expected {expected}")
        found, wanted = metadata.get("architecture"), self._architecture
        if found not in (None, wanted):
            raise NetworkError(f"{path} holds a network of the architecture {shown(found)}, expected {wanted}")
        check_arrays(path, tensors, self._kinds, NetworkError)
        return tensors

    def write(self, path: Path, tensors: Mapping[str, np.ndarray], made: dict[str, Any]) -> None:
        """Write a network atomically, with how it was made."""
        write_tensors(path, tensors, {**self._about, "made": json.dumps(made), "architecture": self._architecture})


class WeightsError(GameError):
    """A set of weights that does not exist, or that does not name exactly the known weights."""


class WeightFiles:
    """The weight files of a game.

    Args:
        form: the name of their format.
        folder: of the package's sets.
        sets: set names -> file names, in which `{players}` stands for the number of players.
        parse: the contents of a file -> weights [1]; raises WeightsError.
    """

    def __init__(
        self, form: str, folder: Path, sets: Mapping[str, str], parse: Callable[[dict[str, Any]], np.ndarray]
    ) -> None:
        self._format = JsonFormat(form, 1, "weights of a value function", WeightsError)
        self._folder, self._sets, self._parse = folder, sets, parse
        self._read = kept_by_file(self._read_file)

    def weight_set(self, name: str, players: int) -> np.ndarray:
        """Return the weights [1] of a set for this number of players, or of a json file. Raises WeightsError."""
        return self._read(self._path(name, players))[0]

    def how_made(self, name: str, players: int) -> dict[str, Any]:
        """Return how a set was made and its results; empty for a hand-set one. Raises WeightsError."""
        return self._read(self._path(name, players))[1]

    def write(self, path: Path, plain: Mapping[str, Any]) -> None:
        """Write the contents of a file atomically."""
        self._format.write(path, plain)

    def _path(self, name: str, players: int) -> Path:
        if str(name).endswith(".json"):
            return Path(name)
        if name not in self._sets:
            raise WeightsError(f"there are no weights {shown(name)}: expected {', '.join(self._sets)} or a .json file")
        return self._folder / self._sets[name].format(players=max(players, 2))

    def _read_file(self, path: Path) -> tuple[np.ndarray, dict[str, Any]]:
        plain = self._format.read(path)
        try:
            weights = self._parse(plain)
        except WeightsError as error:
            raise WeightsError(f"{path}: {error}") from None
        return read_only(weights), plain.get("made", {})


def read_only(weights: np.ndarray) -> np.ndarray:
    """Return a read-only view. All callers use one, because numba compiles again for writable arrays."""
    view = weights.view()
    view.flags.writeable = False
    return view
