"""Fits of value networks: AdamW (Loshchilov and Hutter 2019) with a one-cycle rate (Smith and Topin 2019).

    weights -= rate(step) x (Adam's direction for the loss of a batch + DECAY x weights)

Games held back tell how good a fit is.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

HELD_BACK = 20  # every twentieth game is for judging
DECAY = 1e-4
RISING = 0.1  # the part of all steps in which the rate rises
LEAST_SCALE = 1e-3
SAMPLE = 50_000  # rows by which inputs are scaled


class FitParams(NamedTuple):
    """Parameters of a fit. batch: rows, or moves of positions."""

    epochs: int = 2
    batch: int = 1024
    rate: float = 1.5e-3


class Descent:
    """A fit of so many steps; the rate rises in the first of them and falls to 0."""

    def __init__(self, network: nn.Module, rate: float, steps: int) -> None:
        self._optimizer = torch.optim.AdamW(network.parameters(), rate, weight_decay=DECAY)
        rising = max(RISING, 2 / (steps + 1)) if steps else RISING  # one whole step at least
        self._schedule = torch.optim.lr_scheduler.OneCycleLR(self._optimizer, rate, steps + 1, pct_start=rising)

    def step(self, loss: Tensor) -> None:
        """Go down a loss."""
        self._optimizer.zero_grad()
        loss.backward()
        self._optimizer.step()
        self._schedule.step()


def full_batches(items: np.ndarray, size: int, rng: np.random.Generator) -> Iterator[np.ndarray]:
    """Items [N] in random order, cut into batches [size], each sorted; what is left over is left out."""
    order = rng.permutation(items)
    return (np.sort(order[low : low + size]) for low in range(0, len(order) - size + 1, size))


def input_scale(inputs: np.ndarray) -> Tensor:
    """Factors [I] that bring inputs [N, I] to a root mean square of 1; 0 for those that are always about 0."""
    some = inputs[:: max(len(inputs) // SAMPLE, 1)].astype(np.float32)
    spread = np.sqrt((some**2).mean(0))
    return torch.from_numpy(np.where(spread > LEAST_SCALE, 1 / np.maximum(spread, LEAST_SCALE), 0).astype(np.float32))
