"""The architectures of a game's policy networks."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from oddville_agents.networks.graph import Graph
from oddville_agents.player import AgentError
from oddville_agents.roster import roster_of
from oddville_env.core.checked.kinds import ValueKind
from oddville_env.core.errors import shown
from oddville_env.core.parts.pieces import Encoder

ENCODING = "features"
"""The encoding that networks read."""
MAX_SIZE = 1024
"""Of a layer."""

ScoreFunction = Callable[[np.ndarray], np.ndarray]
"""Observations uint8 [T, N] -> scores of all moves, float [T, A]."""
Weights = Mapping[str, np.ndarray]
"""A network's tensors by their names, float32."""


@dataclass(frozen=True)
class LayerSizes:
    """Base class of the widths of layers; raises ValueError for a width out of range."""

    def __post_init__(self) -> None:
        """Check every size."""
        for name, size in vars(self).items():
            if type(size) is not int or not 1 <= size <= MAX_SIZE:
                raise ValueError(f"the network's {name} must be a whole number from 1 to {MAX_SIZE}, not {shown(size)}")


class Architecture(NamedTuple):
    """A kind of network.

    sizes: keyword arguments -> checked widths, raises TypeError and ValueError. shapes: of its tensors. network: the
    torch module that learns, a `torch_network.PolicyNetwork`. play: weights -> the function that scores moves. graph:
    weights -> ONNX graph, if the architecture has one.
    """

    sizes: Callable[..., Any]
    shapes: Callable[[Encoder, Any], Mapping[str, Sequence[int]]]
    network: Callable[[Encoder, Any], Any]
    play: Callable[[Encoder, Any, Weights], ScoreFunction]
    graph: Callable[[Encoder, Any, Weights], Graph] | None = None


class Networks(NamedTuple):
    """The policy networks of a game: `NETWORKS` of `<game>/networks.py`."""

    game: str
    """Its name."""
    architectures: Mapping[str, Architecture]
    """By the names that `model.json` gives them; the first one is the default."""
    layout_kinds: Mapping[str, ValueKind]
    """The fields of a layout in `model.json`."""
    plain_layout: Callable[[Any], dict[str, Any]]
    """Layout -> its fields."""
    layout: Callable[[Mapping[str, Any]], Any]
    """Fields -> layout."""
    encoder_of: Callable[[Any, Any], Encoder]
    """(encoding, layout) -> encoder."""
    misfit: Callable[[Any], str]
    """The layout of a table -> the end of the error for a model of another one."""
    score_place: int
    """The index of the score among a seat's numbers in the observation's piece `seats`."""

    @property
    def default(self) -> str:
        """The name of the architecture of new networks."""
        return next(iter(self.architectures))


def networks_of(game: str) -> Networks:
    """Return the networks of a game, by the game's name. Raises AgentError if it has none."""
    module, _, name = roster_of(game).networks.rpartition(":")
    if not module:
        raise AgentError(f"there are no models of {game}")
    found: Networks = getattr(import_module(module), name)
    return found
