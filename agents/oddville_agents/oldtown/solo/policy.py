"""`policy`: a network that learned to read puzzles; one pass a word, no search."""

from functools import cache
from pathlib import Path

import numpy as np

from oddville_agents.agent import ObservationAgent
from oddville_agents.oldtown.solo.clues import read
from oddville_agents.oldtown.solo.network import SHAPES, forward, table
from oddville_agents.tensors import NetworkError, read_tensors

LEARNED = Path(__file__).parent / "learned.safetensors"
FORMAT = "oldtown-solo-policy"


class PolicyAgent(ObservationAgent):
    """Builds what its network is surest of. network: a safetensors file, without one that of the package."""

    name = "policy"

    def __init__(self, network: str = "") -> None:
        self._tensors, self._table = read_network(Path(network) if network else LEARNED), table()

    def choose(self, observation: np.ndarray, mask: np.ndarray) -> int:
        """The legal word that is likeliest, seen from its building and from its lot."""
        odds = forward(self._tensors, read(observation), self._table)
        sure = odds - _log_sum(odds, 1) + odds - _log_sum(odds, 0)
        return int(np.where(mask, sure.ravel(), -np.inf).argmax())


def _log_sum(odds: np.ndarray, axis: int) -> np.ndarray:
    most = odds.max(axis, keepdims=True)
    total: np.ndarray = most + np.log(np.exp(odds - most).sum(axis, keepdims=True))
    return total


@cache
def read_network(path: Path) -> dict[str, np.ndarray]:
    """The tensors of a file. Raises NetworkError."""
    tensors, metadata = read_tensors(path)
    shapes = {name: tensor.shape for name, tensor in tensors.items()}
    if metadata.get("format") != FORMAT or shapes != SHAPES:
        raise NetworkError(f"{path} holds no policy for puzzles, expected format {FORMAT} and tensors {SHAPES}")
    return tensors
