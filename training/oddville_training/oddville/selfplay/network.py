"""The value network for torch: the same numbers as `value/network.py` computes, for batches; and how it is fitted."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

import numpy as np
import torch
from torch import Tensor, nn

from oddville_agents.oddville.value.network import OWN_SIZE, SHARED_SIZE, Architecture
from oddville_training.selfplay.run import HELD_BACK, Descent, FitParams, full_batches, input_scale

SHARPNESS = 3.0  # to begin with


class CorrectionNetwork(nn.Module):
    """`forward.corrections` for batches; inputs are scaled to be about as large as 1."""

    own_scale: Tensor
    shared_scale: Tensor

    def __init__(self, architecture: Architecture, own_scale: Tensor, shared_scale: Tensor) -> None:
        super().__init__()
        self.register_buffer("own_scale", own_scale)
        self.register_buffer("shared_scale", shared_scale)
        self.own = nn.Linear(OWN_SIZE, 2 * architecture.first, bias=False)
        self.shared = nn.Linear(SHARED_SIZE, architecture.first)
        self.second = nn.Linear(architecture.first, architecture.second)
        self.third = nn.Linear(architecture.second, 1, bias=False)
        nn.init.zeros_(self.third.weight)
        self.sharpness = nn.Parameter(torch.tensor(SHARPNESS))  # of choices by the chances; only while it learns

    def forward(self, own: Tensor, shared: Tensor) -> Tensor:
        """Own [B, P, OWN_SIZE], shared [B, SHARED_SIZE] -> corrections [B, P]."""
        seat, rival = self.own(own * self.own_scale).chunk(2, 2)
        table = self.shared(shared * self.shared_scale)[:, None]
        first = (table + seat + rival.sum(1, keepdim=True) - rival).relu()
        corrections: Tensor = self.third(self.second(first).relu()).squeeze(2)
        return corrections


def new_network(own: np.ndarray, shared: np.ndarray, architecture: Architecture, seed: int) -> CorrectionNetwork:
    """A network that corrects nothing yet, for inputs own [N, P, OWN_SIZE] and shared [N, SHARED_SIZE]."""
    torch.manual_seed(seed)
    return CorrectionNetwork(architecture, input_scale(own.reshape(-1, OWN_SIZE)), input_scale(shared))


def tensors_of(network: CorrectionNetwork) -> dict[str, np.ndarray]:
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


def take_over(network: CorrectionNetwork, tensors: Mapping[str, np.ndarray]) -> None:
    """Begin with the tensors of a file."""
    own, shared = network.own_scale.numpy()[:, None], network.shared_scale.numpy()[:, None]
    for parameter, value in (
        (network.own.weight, (tensors["own"] / np.where(own > 0, own, np.inf)).T),
        (network.shared.weight, (tensors["shared"] / np.where(shared > 0, shared, np.inf)).T),
        (network.shared.bias, tensors["first_bias"]),
        (network.second.weight, tensors["second"].T),
        (network.second.bias, tensors["second_bias"]),
        (network.third.weight, tensors["third"][None]),
    ):
        parameter.data.copy_(torch.tensor(value))


class TrainingSet(Protocol):
    """Items to fit to, of games with one number of players: rows of positions, or a search's choices among moves."""

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


def fit(network: CorrectionNetwork, tables: Sequence[TrainingSet], how: FitParams, seed: int) -> Iterator[float]:
    """Fit the network in place to training sets; yields the part that is done.

    A batch is of one set, and batches of all sets come in random order. The rate rises and falls to 0.
    """
    rng = np.random.default_rng(seed)
    steps = how.epochs * sum(len(_mine(table)) // how.batch for table in tables)
    descent = Descent(network, how.rate, steps)
    done = 0
    for _ in range(how.epochs):
        batches = [(table, at) for table in tables for at in full_batches(_mine(table), how.batch, rng)]
        for table, at in (batches[index] for index in rng.permutation(len(batches))):
            descent.step(table.loss(network, at))
            done += 1
            yield done / steps


def _mine(table: TrainingSet) -> np.ndarray:
    """The items that are not held back."""
    return np.flatnonzero(table.numbers % HELD_BACK != 0)
