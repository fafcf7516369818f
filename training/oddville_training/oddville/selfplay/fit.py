"""Fitting a network to training sets, batch by batch in random order; `selfplay/fit.py` has the steps.

A training set is of games with one number of players: rows of positions (`rows.py`), or a search's choices among their
moves (`choices.py`).
"""

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from oddville_training.oddville.selfplay.network import CorrectionNetwork
from oddville_training.selfplay.fit import HELD_BACK, Descent, FitParams, full_batches


class TrainingSet(Protocol):
    """Items to fit to."""

    @property
    def numbers(self) -> np.ndarray:
        """The number of each item's game, [N]."""

    def loss(self, network: CorrectionNetwork, at: np.ndarray) -> Tensor:
        """The mean loss on some of the items."""


def judged(network: CorrectionNetwork, table: TrainingSet, batch: int) -> float:
    """The mean loss on games held back."""
    at = np.flatnonzero(table.numbers % HELD_BACK == 0)
    parts = [at[low : low + batch] for low in range(0, len(at), batch)]
    with torch.inference_mode():
        return sum(float(table.loss(network, part)) * len(part) for part in parts) / max(len(at), 1)


def fit(
    network: CorrectionNetwork, tables: Sequence[tuple[TrainingSet, int]], how: FitParams, seed: int
) -> Iterator[float]:
    """Fit the network in place to training sets, each with the size of its batches; yields the part that is done.

    A batch is of one set, and batches of all sets come in random order. The rate rises and falls to 0.
    """
    rng = np.random.default_rng(seed)
    steps = how.epochs * sum(len(_mine(table)) // size for table, size in tables)
    descent = Descent(network, how.rate, steps)
    done = 0
    for _ in range(how.epochs):
        for table, at in _batches(tables, rng):
            descent.step(table.loss(network, at))
            done += 1
            yield done / steps


def _mine(table: TrainingSet) -> np.ndarray:
    """The items that are not held back."""
    return np.flatnonzero(table.numbers % HELD_BACK != 0)


def _batches(
    tables: Sequence[tuple[TrainingSet, int]], rng: np.random.Generator
) -> list[tuple[TrainingSet, np.ndarray]]:
    """All full batches of all sets in random order."""
    found = []
    for table, size in tables:
        found += [(table, at) for at in full_batches(_mine(table), size, rng)]
    return [found[place] for place in rng.permutation(len(found))]
