"""The value network for torch: the same numbers as `value/network.py` computes, for batches."""

from collections.abc import Mapping

import numpy as np
import torch
from torch import Tensor, nn

from oddville_agents.oddville.value.network import OWN_SIZE, SHARED_SIZE, Architecture
from oddville_training.selfplay.fit import input_scale

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

    def set_to(parameter: Tensor, value: np.ndarray) -> None:
        parameter.data.copy_(torch.tensor(value))

    own, shared = network.own_scale.numpy()[:, None], network.shared_scale.numpy()[:, None]
    set_to(network.own.weight, (tensors["own"] / np.where(own > 0, own, np.inf)).T)
    set_to(network.shared.weight, (tensors["shared"] / np.where(shared > 0, shared, np.inf)).T)
    set_to(network.shared.bias, tensors["first_bias"])
    set_to(network.second.weight, tensors["second"].T)
    set_to(network.second.bias, tensors["second_bias"])
    set_to(network.third.weight, tensors["third"][None])
