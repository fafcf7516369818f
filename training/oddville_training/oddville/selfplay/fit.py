"""Fitting a network to tables: it goes down their losses in turn, and is judged on games held back.

A table is what was learned of games with one number of players: rows of positions (`rows.py`), or what a search chose
among their moves (`choices.py`).
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

import numpy as np
import torch
from torch import Tensor

from oddville_training.oddville.selfplay.network import Network

HELD_BACK = 20  # every twentieth game is for judging
DECAY = 1e-4
RISING = 0.1  # the part of all steps in which the rate rises


class Table(Protocol):
    """Something to fit to."""

    @property
    def numbers(self) -> np.ndarray:
        """The number of each item's game, [N]."""

    def loss(self, network: Network, at: np.ndarray) -> Tensor:
        """The mean loss on some of the items."""


class Fit(NamedTuple):
    """How a network is fitted."""

    epochs: int = 2
    batch: int = 1024  # rows, or moves of positions
    rate: float = 1.5e-3


def judged(network: Network, table: Table, batch: int) -> float:
    """The loss on games that the network is not fitted to."""
    at = np.flatnonzero(table.numbers % HELD_BACK == 0)
    parts = [at[low : low + batch] for low in range(0, len(at), batch)]
    with torch.inference_mode():
        return sum(float(table.loss(network, part)) * len(part) for part in parts) / max(len(at), 1)


def fit(network: Network, tables: Sequence[tuple[Table, int]], how: Fit, seed: int) -> Iterator[float]:
    """Fit the network in place to tables, each with the size of its batches; yields the part that is done.

    A batch is of one table, and batches of all tables come in random order. The rate rises and falls to 0.
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


def _mine(table: Table) -> np.ndarray:
    """What the network is fitted to."""
    return np.flatnonzero(table.numbers % HELD_BACK != 0)


def _batches(tables: Sequence[tuple[Table, int]], rng: np.random.Generator) -> list[tuple[Table, np.ndarray]]:
    """All full batches of all tables in random order."""
    found = []
    for table, size in tables:
        order = rng.permutation(_mine(table))
        found += [(table, np.sort(order[low : low + size])) for low in range(0, len(order) - size + 1, size)]
    return [found[place] for place in rng.permutation(len(found))]
