"""Fitting a network to training sets: AdamW (Loshchilov and Hutter 2019) with a one-cycle rate (Smith and Topin 2019).

    weights -= rate(step) x (Adam's direction for the loss of a batch + DECAY x weights)

A training set is of games with one number of players: rows of positions (`rows.py`), or a search's choices among their
moves (`choices.py`). Games held back tell how good the fit is.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

import numpy as np
import torch
from torch import Tensor

from oddville_training.oddville.selfplay.network import CorrectionNetwork

HELD_BACK = 20  # every twentieth game is for judging
DECAY = 1e-4
RISING = 0.1  # the part of all steps in which the rate rises


class TrainingSet(Protocol):
    """Items to fit to."""

    @property
    def numbers(self) -> np.ndarray:
        """The number of each item's game, [N]."""

    def loss(self, network: CorrectionNetwork, at: np.ndarray) -> Tensor:
        """The mean loss on some of the items."""


class FitParams(NamedTuple):
    """Parameters of a fit."""

    epochs: int = 2
    batch: int = 1024  # rows, or moves of positions
    rate: float = 1.5e-3


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
    optimizer = torch.optim.AdamW(network.parameters(), how.rate, weight_decay=DECAY)
    rising = max(RISING, 2 / (steps + 1)) if steps else RISING  # one whole step at least
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, how.rate, steps + 1, pct_start=rising)
    done = 0
    for _ in range(how.epochs):
        for table, at in _batches(tables, rng):
            optimizer.zero_grad()
            table.loss(network, at).backward()
            optimizer.step()
            schedule.step()
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
        order = rng.permutation(_mine(table))
        found += [(table, np.sort(order[low : low + size])) for low in range(0, len(order) - size + 1, size)]
    return [found[place] for place in rng.permutation(len(found))]
