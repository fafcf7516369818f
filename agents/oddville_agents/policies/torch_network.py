"""The base class of networks that learn by torch, and architectures that play by torch too."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from oddville_agents.policies.graph import Graph
from oddville_agents.policies.models import Architecture, Model, ScoreFunction, Weights
from oddville_env.core.parts.pieces import Encoder

HEAD_GAIN = 0.01


class PolicyNetwork(nn.Module):
    """Policy and value of one seat. encoder: of its observations; sizes: of its layers."""

    encoder: Encoder
    sizes: Any
    value: nn.Linear

    def encode(self, observation: Tensor) -> Any:
        """Return the outputs of the wide layers, which may run under autocast, for observations uint8 [B, N]."""
        raise NotImplementedError

    def heads(self, encoded: Any) -> tuple[Tensor, Tensor]:
        """Return scores of all moves, legal or not, float [B, A], and values, float [B]."""
        raise NotImplementedError

    def forward(self, observation: Tensor) -> tuple[Tensor, Tensor]:
        """Return scores and values as `heads` does, for observations uint8 [B, N]."""
        return self.heads(self.encode(observation))


def small_head(layer: nn.Linear) -> nn.Linear:
    """Initialise a layer with outputs near 0, so that all moves begin about equally likely."""
    nn.init.orthogonal_(layer.weight, HEAD_GAIN)
    nn.init.zeros_(layer.bias)
    return layer


def weights_of(network: nn.Module) -> dict[str, np.ndarray]:
    """Return a network's tensors by name."""
    return {name: weight.detach().numpy() for name, weight in network.state_dict().items()}


def network_of(model: Model) -> PolicyNetwork:
    """Return the network of a model."""
    network: PolicyNetwork = model.architecture.network(model.encoder, model.sizes)
    _load(network, model.weights)
    return network


def by_torch(
    sizes: Callable[..., Any],
    make: Callable[[Encoder, Any], PolicyNetwork],
    graph: Callable[[Any, Weights], Graph],
) -> Architecture:
    """Return the architecture of networks that play by torch; graph: (network, weights) -> ONNX graph."""

    def shapes(encoder: Encoder, given: Any) -> dict[str, list[int]]:
        return {name: list(weight.shape) for name, weight in make(encoder, given).state_dict().items()}

    def play(encoder: Encoder, given: Any, weights: Weights) -> ScoreFunction:
        network = make(encoder, given)
        _load(network, weights)
        return scores_of(network)

    def drawn(encoder: Encoder, given: Any, weights: Weights) -> Graph:
        return graph(make(encoder, given), weights)

    return Architecture(sizes, shapes, make, play, drawn)


def scores_of(network: PolicyNetwork) -> ScoreFunction:
    """Return a network's scores; one thread is the fastest for single positions."""
    torch.set_num_threads(1)
    network.double().eval()  # in float64 no move depends on the size of the batch

    def scores(observations: np.ndarray) -> np.ndarray:
        with torch.inference_mode():
            found: np.ndarray = network(torch.from_numpy(observations))[0].numpy()
        return found

    return scores


def _load(network: nn.Module, weights: Weights) -> None:
    network.load_state_dict({name: torch.tensor(weight) for name, weight in weights.items()})
