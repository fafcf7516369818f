"""Fitting the network of the learned value to rows: cross-entropy of the chances, judged on games held back."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from oddville_agents.oddville.value.layout import OWN_SIZE, SHARED_SIZE
from oddville_agents.oddville.value.network import HIDDEN, LAST
from oddville_training.learning.selfplay.rows import Rows

LEAST_SCALE = 1e-3


class Fit(NamedTuple):
    """How a network is fitted."""

    epochs: int = 3
    batch: int = 1024
    rate: float = 2e-3
    decay: float = 1e-4
    threads: int = 1


class Network(nn.Module):
    """`network.corrections` for batches; inputs are scaled to be about as large as 1."""

    own_scale: Tensor
    shared_scale: Tensor

    def __init__(self, own_scale: Tensor, shared_scale: Tensor) -> None:
        super().__init__()
        self.register_buffer("own_scale", own_scale)
        self.register_buffer("shared_scale", shared_scale)
        self.own = nn.Linear(OWN_SIZE, 2 * HIDDEN, bias=False)
        self.shared = nn.Linear(SHARED_SIZE, HIDDEN)
        self.second = nn.Linear(HIDDEN, LAST)
        self.third = nn.Linear(LAST, 1, bias=False)
        nn.init.zeros_(self.third.weight)

    def forward(self, own: Tensor, shared: Tensor) -> Tensor:
        """Own [B, P, OWN_SIZE], shared [B, SHARED_SIZE] -> corrections [B, P]."""
        seat, rival = self.own(own * self.own_scale).split(HIDDEN, 2)
        table = self.shared(shared * self.shared_scale)[:, None]
        first = (table + seat + rival.sum(1, keepdim=True) - rival).relu()
        corrections: Tensor = self.third(self.second(first).relu()).squeeze(2)
        return corrections


def new_network(own: np.ndarray, shared: np.ndarray, seed: int) -> Network:
    """A network that corrects nothing yet, for inputs own [N, P, OWN_SIZE] and shared [N, SHARED_SIZE]."""
    torch.manual_seed(seed)
    return Network(_scale(own.reshape(-1, OWN_SIZE)), _scale(shared))


def _scale(inputs: np.ndarray) -> Tensor:
    some = inputs[:: max(len(inputs) // 50_000, 1)].astype(np.float32)
    spread = np.sqrt((some**2).mean(0))
    return torch.from_numpy(np.where(spread > LEAST_SCALE, 1 / np.maximum(spread, LEAST_SCALE), 0).astype(np.float32))


def tensors_of(network: Network) -> dict[str, np.ndarray]:
    """The tensors that compiled code reads, scales folded in."""
    plain = {name: value.detach().numpy() for name, value in network.state_dict().items()}
    return {
        "own": plain["own.weight"].T * plain["own_scale"][:, None],
        "shared": plain["shared.weight"].T * plain["shared_scale"][:, None],
        "first_bias": plain["shared.bias"],
        "second": plain["second.weight"].T.copy(),
        "second_bias": plain["second.bias"],
        "third": plain["third.weight"][0],
    }


def take_over(network: Network, tensors: dict[str, np.ndarray]) -> None:
    """Begin with the tensors of a file."""

    def set_to(parameter: Tensor, value: np.ndarray) -> None:
        parameter.data.copy_(torch.tensor(value))

    own, shared = network.own_scale.numpy()[:, None], network.shared_scale.numpy()[:, None]
    set_to(network.own.weight, (tensors["own"] / np.where(own > 0, own, np.inf)).T)
    set_to(network.shared.weight, (tensors["shared"] / np.where(shared > 0, shared, np.inf)).T)
    set_to(network.shared.bias, tensors["first_bias"])
    set_to(network.second.weight, tensors["second"].T)
    set_to(network.second.bias, tensors["second_bias"])
    set_to(network.third.weight, tensors["third"][None])


def loss_of(network: Network, rows: Rows, at: np.ndarray) -> Tensor:
    """The mean cross-entropy of some rows."""
    own, shared, odds, targets = (torch.from_numpy(array)[at].float() for array in rows.numbers())
    chances = (odds + network(own, shared)).log_softmax(1)
    loss: Tensor = -(targets * chances).sum() / len(at)
    return loss


def judged(network: Network, rows: Rows, batch: int = 8192) -> float:
    """The loss on games that the network is not fitted to."""
    at = np.flatnonzero(rows.held_back())
    with torch.inference_mode():
        parts = [loss_of(network, rows, at[low : low + batch]) * len(at[low : low + batch])
                 for low in range(0, len(at), batch)]  # fmt: skip
    return float(sum(parts)) / len(at)


def fit(network: Network, tables: list[Rows], how: Fit, seed: int) -> Iterator[int]:
    """Fit the network in place to tables of rows, one for each number of players; yields each epoch when it is over.

    A batch is of one table, and batches of all tables come in random order. The rate rises and falls to 0.
    """
    torch.set_num_threads(how.threads)
    rng = np.random.default_rng(seed)
    mine = [np.flatnonzero(~rows.held_back()) for rows in tables]
    steps = how.epochs * sum(len(at) // how.batch for at in mine)
    optimizer = torch.optim.AdamW(network.parameters(), how.rate, weight_decay=how.decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, how.rate, steps + 1, pct_start=0.1)
    for epoch in range(how.epochs):
        for table, at in _batches(mine, how.batch, rng):
            optimizer.zero_grad()
            loss_of(network, tables[table], at).backward()
            optimizer.step()
            schedule.step()
        yield epoch + 1


def _batches(rows: list[np.ndarray], size: int, rng: np.random.Generator) -> list[tuple[int, np.ndarray]]:
    """All full batches of all tables in random order: a table's number, and rows of it."""
    found = []
    for table, at in enumerate(rows):
        order = rng.permutation(at)
        found += [(table, np.sort(order[low : low + size])) for low in range(0, len(order) - size + 1, size)]
    return [found[place] for place in rng.permutation(len(found))]
