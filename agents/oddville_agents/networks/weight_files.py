"""Weights of value functions as JSON files: named sets of the package, and files of the user."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from oddville_env.core.disk.file_cache import kept_by_file
from oddville_env.core.disk.reading import JsonFormat
from oddville_env.core.errors import GameError, shown


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
