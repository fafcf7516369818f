"""The value network for torch, and fitting it: the same numbers as `value/network.py` has, for batches.

    loss = mean over rows of the cross-entropy of sigmoid(odds) with: target, the chance to win

Letters of shapes: N rows, B rows of a batch.
"""

from collections.abc import Mapping

import numpy as np
import torch
from torch import Tensor, nn

from oddville_agents.oldtown.value.network import HIDDEN, LAST, SIZE
from oddville_training.selfplay.fit import HELD_BACK, Descent, FitParams, full_batches, input_scale


class ValueNetwork(nn.Module):
    """The log odds of winning for batches; inputs are scaled to be about as large as 1."""

    scale: Tensor

    def __init__(self, scale: Tensor) -> None:
        super().__init__()
        self.register_buffer("scale", scale)
        self.first = nn.Linear(SIZE, HIDDEN)
        self.second = nn.Linear(HIDDEN, LAST)
        self.third = nn.Linear(LAST, 1, bias=False)
        self.plain = nn.Linear(SIZE, 1)
        for layer in (self.third, self.plain):
            nn.init.zeros_(layer.weight)
        nn.init.zeros_(self.plain.bias)

    def forward(self, seen: Tensor) -> Tensor:
        """Seen [B, SIZE] -> log odds [B]."""
        scaled = seen * self.scale
        hidden = self.second(self.first(scaled).relu()).relu()
        odds: Tensor = (self.third(hidden) + self.plain(scaled)).squeeze(1)
        return odds


def new_network(seen: np.ndarray, seed: int) -> ValueNetwork:
    """A network that knows nothing yet, for inputs such as seen [N, SIZE]."""
    torch.manual_seed(seed)
    return ValueNetwork(input_scale(seen))


def tensors_of(network: ValueNetwork) -> dict[str, np.ndarray]:
    """The tensors that compiled code reads, scales folded in."""
    plain = {name: value.detach().numpy() for name, value in network.state_dict().items()}
    return {
        "first": plain["first.weight"].T * plain["scale"][:, None],
        "first_bias": plain["first.bias"],
        "second": plain["second.weight"].T.copy(),
        "second_bias": plain["second.bias"],
        "third": plain["third.weight"][0],
        "plain": plain["plain.weight"][0] * plain["scale"],
        "bias": plain["plain.bias"],
    }


def take_over(network: ValueNetwork, tensors: Mapping[str, np.ndarray]) -> None:
    """Begin with the tensors of a file."""
    scale = network.scale.numpy()
    unscaled = np.where(scale > 0, 1 / np.where(scale > 0, scale, 1), 0)
    for parameter, value in (
        (network.first.weight, (tensors["first"] * unscaled[:, None]).T),
        (network.first.bias, tensors["first_bias"]),
        (network.second.weight, tensors["second"].T),
        (network.second.bias, tensors["second_bias"]),
        (network.third.weight, tensors["third"][None]),
        (network.plain.weight, (tensors["plain"] * unscaled)[None]),
        (network.plain.bias, tensors["bias"]),
    ):
        parameter.data.copy_(torch.tensor(value))


def chances(network: ValueNetwork, seen: np.ndarray, batch: int = 8192) -> np.ndarray:
    """The chances to win that a network finds in seen [N, SIZE]: float32 [N]."""
    with torch.inference_mode():
        parts = [network(torch.from_numpy(seen[low : low + batch]).float()) for low in range(0, len(seen), batch)]
    return torch.cat(parts).sigmoid().numpy() if parts else np.zeros(0, np.float32)


def fit(
    network: ValueNetwork, seen: np.ndarray, targets: np.ndarray, games: np.ndarray, how: FitParams, seed: int
) -> None:
    """Fit a network in place to all but the games held back. The rate rises and falls to 0.

    seen: float16 [N, SIZE]; targets: float32 [N], the chances to win that it should find; games: int64 [N], numbers.
    """
    rng, mine = np.random.default_rng(seed), np.flatnonzero(games % HELD_BACK)
    descent, loss_of = Descent(network, how.rate, how.epochs * (len(mine) // how.batch)), nn.BCEWithLogitsLoss()
    for _ in range(how.epochs):
        for at in full_batches(mine, how.batch, rng):
            odds = network(torch.from_numpy(seen[at]).float())
            descent.step(loss_of(odds, torch.from_numpy(targets[at])))
