"""`policy`: the likeliest legal word by belief propagation (network.py); one pass a word, no search."""

from pathlib import Path
from typing import Annotated, Any

import numpy as np

from oddville_agents.agent import ObservationAgent
from oddville_agents.oldtown.solo.clues import read
from oddville_agents.oldtown.solo.network import WEIGHT_NAMES, beliefs
from oddville_agents.options import Option
from oddville_env.core.checked.kinds import check, number, text
from oddville_env.core.disk.file_cache import kept_by_file
from oddville_env.core.disk.files import JsonFormat
from oddville_env.core.errors import GameError
from oddville_env.oldtown.settings import make_box

LEARNED = Path(__file__).parent / "policy.json"
MOST = 100.0  # of any number
WEIGHTS_TEXT = "its numbers: a `.json` file; if it is not said that of the package"


class PolicyError(GameError):
    """A file that holds no policy for puzzles."""


FILE = JsonFormat("oldtown-solo-policy", 1, "policy for puzzles", PolicyError)


class PolicyAgent(ObservationAgent):
    """Builds what is likeliest by its beliefs."""

    name = "policy"

    def __init__(self, weights: Annotated[str, Option(text(), WEIGHTS_TEXT)] = "") -> None:
        self._weights, self._box = weights_of(Path(weights) if weights else LEARNED), make_box(2)

    def choose(self, observation: np.ndarray, mask: np.ndarray) -> int:
        """The likeliest legal word."""
        sure = beliefs(self._weights, read(observation), self._box)
        return int(np.where(mask, sure.ravel(), -np.inf).argmax())


@kept_by_file
def weights_of(path: Path) -> np.ndarray:
    """The weights [5] of a file, as WEIGHT_NAMES lists them. Raises PolicyError."""
    plain: dict[str, Any] = FILE.read(path)
    weights = plain.get("weights")
    if not isinstance(weights, dict):
        raise PolicyError(f"{path}: weights must name {', '.join(WEIGHT_NAMES)}")
    check(weights, dict.fromkeys(WEIGHT_NAMES, number(-MOST, MOST)), PolicyError)
    return np.array([weights[name] for name in WEIGHT_NAMES], np.float64)


def write_policy(path: Path, weights: np.ndarray, made: dict[str, Any]) -> None:
    """Write weights [5] to a file, with how they were made."""
    FILE.write(path, {"made": made, "weights": dict(zip(WEIGHT_NAMES, weights.tolist(), strict=True))})
