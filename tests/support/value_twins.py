"""The value networks in plain numpy, summed in the order of the compiled pass."""

import numpy as np


def corrections(tensors: dict[str, np.ndarray], own: np.ndarray, shared: np.ndarray) -> np.ndarray:
    """The twin: own float32 [P, OWN_SIZE], shared float32 [SHARED_SIZE] -> corrections float32 [P]."""
    table = _multiplied(shared, tensors["shared"], tensors["first_bias"])
    made = np.array([_multiplied(numbers, tensors["own"], np.zeros(2 * table.size, np.float32)) for numbers in own])
    itself, rival_of = np.split(made, 2, axis=1)
    found = []
    for seat in range(len(own)):
        first = table + itself[seat]
        for rival in range(len(own)):
            if rival != seat:
                first = first + rival_of[rival]
        second = _multiplied(np.maximum(first, 0), tensors["second"], tensors["second_bias"])
        found.append(_multiplied(np.maximum(second, 0), tensors["third"], np.zeros((), np.float32)))
    return np.array(found, np.float32)


def _multiplied(inputs: np.ndarray, table: np.ndarray, start: np.ndarray) -> np.ndarray:
    total = start.copy()
    for number, row in zip(inputs, table, strict=True):
        total += number * row
    return total


def odds_of(tensors: dict[str, np.ndarray], seen: np.ndarray) -> np.float32:
    """The twin: seen float32 [SIZE] -> log odds."""
    first = _multiplied(seen, tensors["first"], tensors["first_bias"])
    second = _multiplied(np.maximum(first, 0), tensors["second"], tensors["second_bias"])
    total = _multiplied(seen, tensors["plain"], tensors["bias"][0])
    return np.float32(_multiplied(np.maximum(second, 0), tensors["third"], total))
