"""The heuristic's weights: two for each feature, and neurons that correct their sum, kept as JSON."""

from pathlib import Path
from typing import Any

import numpy as np

from oddville_agents.oldtown.heuristic.features import FEATURES, NUMBERS
from oddville_env.core.errors import OddVilleError, shown
from oddville_env.core.files import JsonFormat
from oddville_env.core.kept import kept_by_file
from oddville_env.core.kinds import check, number

FOLDER = Path(__file__).parent / "weight_sets"
SETS = ("tuned", "champion")
WEIGHTS_TEXT = f"{', '.join(SETS)}, or a `.json` file"
SIDES = ("late", "early")
NEURONS = 64  # at most
INPUTS = NUMBERS + 1  # of a neuron: the features, and how much is left of all points
MOST = 1e6  # of any weight

WEIGHT_RECORD = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("late", "f8", (NUMBERS,)),
                ("early", "f8", (NUMBERS,)),  # what is added to `late`, times what is left of all points
                ("neurons", "i8"),
                ("inner", "f8", (NEURONS, INPUTS)),
                ("bias", "f8", (NEURONS,)),
                ("outer", "f8", (NEURONS,)),
            ],
            align=True,
        ),
    )
)
"""The record that compiled code gets as `weights`."""


class WeightsError(OddVilleError):
    """A set of weights that is not there, or that does not name the weights there are."""


FILE = JsonFormat("oldtown-weights", 1, "weights of a value function", WeightsError)


def weight_set(name: str, players: int) -> np.ndarray:
    """The weights [1] of a set, for so many players, or of a json file. Raises WeightsError."""
    return _read(_path(name, players))[0]


def how_made(name: str, players: int) -> dict[str, Any]:
    """The note on how a set of weights was made and how it did. Raises WeightsError."""
    return _read(_path(name, players))[1]


def _path(name: str, players: int) -> Path:
    if str(name).endswith(".json"):
        return Path(name)
    if name not in SETS:
        raise WeightsError(f"there are no weights {shown(name)}: expected {', '.join(SETS)} or a .json file")
    return FOLDER / f"{name}-{max(players, 2)}.json"


@kept_by_file
def _read(path: Path) -> tuple[np.ndarray, dict[str, Any]]:
    plain = FILE.read(path)
    try:
        return _weights_of(plain), plain.get("made", {})
    except WeightsError as error:
        raise WeightsError(f"{path}: {error}") from None


def _weights_of(plain: dict[str, Any]) -> np.ndarray:
    weights, names = np.zeros(1, WEIGHT_RECORD), [feature.name for feature in FEATURES]
    found = plain.get("weights")
    if not isinstance(found, dict) or set(found) != set(names):
        raise WeightsError(f"weights must name exactly {', '.join(names)}")
    for place, name in enumerate(names):
        check(found[name], dict.fromkeys(SIDES, number(-MOST, MOST)), WeightsError)
        for side in SIDES:
            weights[side][0, place] = found[name][side]
    _add_neurons(weights, plain.get("neurons", []))
    weights.flags.writeable = False
    return weights


def _add_neurons(weights: np.ndarray, plain: Any) -> None:
    """Neurons as lists [inner weights ..., bias, outer weight]."""
    try:
        numbers = np.array(plain, np.float64).reshape(-1, INPUTS + 2)
    except (TypeError, ValueError):
        raise WeightsError(f"each of the neurons must be a list of {INPUTS + 2} numbers") from None
    if len(numbers) > NEURONS or not (np.abs(numbers) <= MOST).all():
        raise WeightsError(f"there may be {NEURONS} neurons at most, with numbers from {-MOST:g} to {MOST:g}")
    weights["neurons"] = size = len(numbers)
    weights["inner"][0, :size] = numbers[:, :INPUTS]
    weights["bias"][0, :size], weights["outer"][0, :size] = numbers[:, INPUTS], numbers[:, INPUTS + 1]


def write_weights(path: Path, weights: np.ndarray, made: dict[str, Any]) -> None:
    """Write weights [1] to a file, with how they were made."""
    record = weights[0]
    pairs = np.stack([record[side] for side in SIDES], axis=1).tolist()
    named = {feature.name: dict(zip(SIDES, pair, strict=True)) for feature, pair in zip(FEATURES, pairs, strict=True)}
    size = int(record["neurons"])
    neurons = np.column_stack([record["inner"][:size], record["bias"][:size], record["outer"][:size]])
    plain = {"made": made, "weights": named}
    FILE.write(path, plain | ({"neurons": neurons.round(6).tolist()} if size else {}))
