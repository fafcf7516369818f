"""The heuristic's weights: two for each feature, and neurons that correct their sum, kept as JSON."""

from pathlib import Path
from typing import Any

import numpy as np

from oddville_agents.oldtown.heuristic.features import FEATURES, NUMBERS
from oddville_agents.tensors import WeightFiles, WeightsError, aligned_record
from oddville_env.core.checked import check, number

FOLDER = Path(__file__).parent / "weight_sets"
SETS = {name: f"{name}-{{players}}.json" for name in ("tuned", "champion")}
WEIGHTS_TEXT = f"{', '.join(SETS)}, or a `.json` file"
SIDES = ("late", "early")
NEURONS = 64  # at most
INPUTS = NUMBERS + 1  # of a neuron: the features, and how much is left of all points
MOST = 1e6  # of any weight

WEIGHT_RECORD = aligned_record(
    ("late", "f8", (NUMBERS,)),
    ("early", "f8", (NUMBERS,)),  # what is added to `late`, times what is left of all points
    ("neurons", "i8"),
    ("inner", "f8", (NEURONS, INPUTS)),
    ("bias", "f8", (NEURONS,)),
    ("outer", "f8", (NEURONS,)),
)
"""The record that compiled code gets as `weights`."""


def _weights_of(plain: dict[str, Any]) -> np.ndarray:
    weights, names = np.zeros(1, WEIGHT_RECORD), [feature.name for feature in FEATURES]
    found = plain.get("weights")
    if not isinstance(found, dict) or set(found) != set(names):
        raise WeightsError(f"weights must name exactly {', '.join(names)}")
    for index, name in enumerate(names):
        check(found[name], dict.fromkeys(SIDES, number(-MOST, MOST)), WeightsError)
        for side in SIDES:
            weights[side][0, index] = found[name][side]
    _add_neurons(weights, plain.get("neurons", []))
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
    FILES.write(path, plain | ({"neurons": neurons.round(6).tolist()} if size else {}))


FILES = WeightFiles("oldtown-weights", FOLDER, SETS, _weights_of)
weight_set, how_made = FILES.weight_set, FILES.how_made
