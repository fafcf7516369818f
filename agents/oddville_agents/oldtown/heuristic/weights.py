"""The weights of the heuristic: two for each feature, fitted for each number of players, kept as JSON."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from oddville_agents.oldtown.heuristic.features import FEATURES, NUMBERS
from oddville_env.core.errors import OddVilleError
from oddville_env.core.files import JsonFormat
from oddville_env.core.kinds import check, number

FOLDER = Path(__file__).parent / "weight_sets"
TUNED = "tuned"
SIDES = ("late", "early")
MOST = 1e6  # of any weight


class WeightsError(OddVilleError):
    """A set of weights that is not there, or that does not name the weights there are."""


FILE = JsonFormat("oldtown-weights", 1, "weights of a value function", WeightsError)


def weight_set(name: str, players: int) -> np.ndarray:
    """The weights of a set, `tuned` for so many players or a json file's: [2, NUMBERS], late and what early adds.

    Raises WeightsError.
    """
    if name != TUNED and not str(name).endswith(".json"):
        raise WeightsError(f"there are no weights {name!r}: expected {TUNED} or a .json file")
    return _read(FOLDER / f"{max(players, 2)}.json" if name == TUNED else Path(name))[0]


def how_made(players: int) -> dict[str, Any]:
    """What the tuned set says of how it was made and how it did."""
    return _read(FOLDER / f"{players}.json")[1]


@cache
def _read(path: Path) -> tuple[np.ndarray, dict[str, Any]]:
    plain = FILE.read(path)
    weights, names = np.zeros((2, NUMBERS)), [feature.name for feature in FEATURES]
    found = plain.get("weights")
    if not isinstance(found, dict) or set(found) != set(names):
        raise WeightsError(f"{path}: weights must name exactly {', '.join(names)}")
    for place, name in enumerate(names):
        check(found[name], dict.fromkeys(SIDES, number(-MOST, MOST)), WeightsError)
        weights[:, place] = [found[name][side] for side in SIDES]
    weights.flags.writeable = False
    return weights, plain.get("made", {})


def write_weights(path: Path, weights: np.ndarray, made: dict[str, Any]) -> None:
    """Write weights [2, NUMBERS] to a file, with how they were made."""
    plain = {
        feature.name: dict(zip(SIDES, pair, strict=True))
        for feature, pair in zip(FEATURES, weights.T.tolist(), strict=True)
    }
    FILE.write(path, {"made": made, "weights": plain})
