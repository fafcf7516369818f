"""A network of three layers that values the position behind every legal move: it plays the best one.

    value = relu(relu(seen @ first + first_bias) @ second + second_bias) @ third + third_bias

`examples/afterstates_td.py` trains it. Letters of shapes: L moves, N numbers of an observation, H and W widths.
"""

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import numpy as np

from oddville_agents.agent import StatelessAgent
from oddville_agents.player import AgentError
from oddville_agents.roster import Option
from oddville_agents.tensors import ArrayKind, check_arrays, read_tensors, write_tensors
from oddville_env.core.checked import text
from oddville_env.core.disk.reading import kept_by_file
from oddville_env.core.errors import shown
from oddville_env.core.game.view import BatchView

ENCODING = "summary"
FORMAT = "afterstates"
KINDS = {
    "first": ArrayKind(np.float32, ("N", "H")),
    "first_bias": ArrayKind(np.float32, ("H",)),
    "second": ArrayKind(np.float32, ("H", "W")),
    "second_bias": ArrayKind(np.float32, ("W",)),
    "third": ArrayKind(np.float32, ("W", 1)),
    "third_bias": ArrayKind(np.float32, (1,)),
}
Tensors = Mapping[str, np.ndarray]


def save(path: Path, game: str, tensors: Tensors, metadata: Mapping[str, str]) -> None:
    """Write the tensors of a network for a game, with texts about them."""
    write_tensors(path, {name: tensors[name] for name in KINDS}, {"format": FORMAT, "game": game, **metadata})


@kept_by_file
def load(path: Path) -> tuple[Tensors, str]:
    """Return the tensors of a file and the name of their game. Raises AgentError."""
    tensors, metadata = read_tensors(path, AgentError)
    if metadata.get("format") != FORMAT:
        raise AgentError(f"{path} holds no network of afterstates: its format is {shown(metadata.get('format'))}")
    check_arrays(path, tensors, KINDS, AgentError)
    return tensors, metadata.get("game", "")


class AfterstatesAgent(StatelessAgent):
    """Plays the move with the most valuable afterstate by its network."""

    name = "afterstates"

    def __init__(self, network: Annotated[str, Option(text(), "the `.safetensors` file of a network")]) -> None:
        self._path = Path(network)
        self._tensors, self._game = load(self._path)

    def write_moves(self, view: BatchView, actions: np.ndarray) -> None:
        """Write the moves with the most valuable afterstates, each computed alone: the same to the bit in any batch.

        Raises AgentError if the network is of another game.
        """
        starts, ids, seen = view.afterstates(ENCODING)
        found, size = self._tensors, len(self._tensors["first"])
        if view.game_type.name != self._game or seen.shape[1] != size:
            played = f"{view.game_type.name} with {seen.shape[1]} numbers"
            raise AgentError(f"{self._path} values {self._game} with {size} numbers, not {played}")
        for table, (low, high) in zip(view.tables.tolist(), pairwise(starts.tolist()), strict=True):
            hidden = np.maximum(seen[low:high] @ found["first"] + found["first_bias"], 0)
            hidden = np.maximum(hidden @ found["second"] + found["second_bias"], 0)
            actions[table] = ids[low + (hidden @ found["third"])[:, 0].argmax()]
