"""The architectures of a game's policy networks, and the files of a trained model.

`model.safetensors` holds the weights, `model.json` how to build the network again. Untrusted files are safe to read:
no code runs, and everything is checked.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from safetensors.numpy import save

from oddville_agents.player import AgentError
from oddville_agents.policies.graph import Graph
from oddville_agents.roster import roster_of
from oddville_agents.spec import MODEL_FORMAT
from oddville_agents.tensors import ArrayKind, check_arrays, read_tensors
from oddville_env.core.checked import ValueKind, check, instance, one_of
from oddville_env.core.disk.files import write_whole
from oddville_env.core.disk.reading import JsonFormat
from oddville_env.core.errors import shown
from oddville_env.core.parts.pieces import Encoder

ENCODING = "features"  # the encoding that networks read
MAX_SIZE = 1024  # of a layer

ScoreFunction = Callable[[np.ndarray], np.ndarray]
"""Observations [T, ...] -> scores of all moves, float [T, A]."""
Weights = Mapping[str, np.ndarray]  # a network's tensors by their names, float32


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
    weights -> ONNX graph.
    """

    sizes: Callable[..., Any]
    shapes: Callable[[Encoder, Any], Mapping[str, Sequence[int]]]
    network: Callable[[Encoder, Any], Any]
    play: Callable[[Encoder, Any, Weights], ScoreFunction]
    graph: Callable[[Encoder, Any, Weights], Graph]


class Networks(NamedTuple):
    """The policy networks of a game: `NETWORKS` of `<game>/networks.py`.

    architectures: by the names that `model.json` gives them; the first one is the default. layout_kinds: the
    fields of a layout in `model.json`. plain_layout: layout -> its fields. layout: fields -> layout. encoder_of:
    (encoding, layout) -> encoder. misfit: the layout of a table -> the end of the error for a model of another one.
    score_index: of the score among a seat's numbers in the observation's piece `seats`.
    """

    game: str
    architectures: Mapping[str, Architecture]
    layout_kinds: Mapping[str, ValueKind]
    plain_layout: Callable[[Any], dict[str, Any]]
    layout: Callable[[Mapping[str, Any]], Any]
    encoder_of: Callable[[Any, Any], Encoder]
    misfit: Callable[[Any], str]
    score_index: int

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


LIBRARIES = ("oddville-env", "torch", "stable-baselines3", "sb3-contrib", "numpy")


class ModelError(AgentError):
    """A file that holds no model, or a model that does not fit."""


class Model(NamedTuple):
    """The contents of a model's files."""

    architecture: Architecture
    encoder: Encoder
    sizes: Any
    weights: Weights
    about: Mapping[str, Any]


def describe(networks: Networks, box: Any, encoder: Encoder, architecture: str, sizes: Any) -> dict[str, Any]:
    """Return the contents of `model.json` for a network of a box."""
    return {
        "players": box.players,
        "encoding": encoder.encoding,
        **networks.plain_layout(box.layout),
        "architecture": architecture,
        "network": vars(sizes),
        "layout_digest": box.layout.digest,
        "observation_digest": observation_digest(encoder),
        "cards_digest": box.cards.digest,
        "libraries": {name: version(name) for name in LIBRARIES},
    }


def observation_digest(encoder: Encoder) -> str:
    """Return a hash of the names, shapes and bounds of an observation's pieces."""
    plain = [(piece.name, piece.shape, piece.high) for piece in encoder.pieces]
    return hashlib.sha256(repr(plain).encode()).hexdigest()


def save_model(path: Path, networks: Networks, weights: Weights, about: Mapping[str, Any]) -> None:
    """Write the weights to path and `about` to the `.json` beside it, each atomically."""
    save_tensors(path, weights)
    _format_of(networks).write(path.with_suffix(".json"), about)


def save_tensors(path: Path, tensors: Mapping[str, np.ndarray]) -> None:
    """Write tensors to a file atomically."""
    write_whole(path, save(dict(tensors)))


def load_model(path: Path, networks: Networks) -> Model:
    """Return the model in a `.safetensors` file and the `.json` beside it. Raises ModelError."""
    if not path.name:
        raise ModelError(f"{path} is a folder, expected the file of a model")
    about = read_about(path.with_suffix(".json"), networks)
    architecture, encoder, sizes = _described(about, networks)
    weights, _ = read_tensors(path, ModelError)
    shapes = architecture.shapes(encoder, sizes)
    check_arrays(path, weights, {name: ArrayKind(np.float32, tuple(shapes[name])) for name in shapes}, ModelError)
    return Model(architecture, encoder, sizes, weights, about)


def read_about(path: Path, networks: Networks) -> dict[str, Any]:
    """Return the contents of a `model.json`, checked against the moves and observations. Raises ModelError."""
    about = _format_of(networks).read(path)
    fields: dict[str, ValueKind] = {
        "encoding": one_of(ENCODING),
        **networks.layout_kinds,
        "architecture": one_of(*networks.architectures),
        "network": instance(dict),
    }
    try:
        check(about, fields, ModelError)
        _, encoder, _ = _described(about, networks)
    except (TypeError, ValueError) as error:
        raise ModelError(f"{path} is damaged or of another version: {error}") from None
    for name, digest in (("layout_digest", encoder.layout.digest), ("observation_digest", observation_digest(encoder))):
        if about.get(name) != digest:
            found = f"another {name.removesuffix('_digest')} ({name} {shown(about.get(name))})"
            raise ModelError(f"{path}: the model was trained with {found}, expected {digest}")
    return about


def _described(about: Mapping[str, Any], networks: Networks) -> tuple[Architecture, Encoder, Any]:
    """Return what `model.json` names. Raises TypeError and ValueError."""
    architecture = networks.architectures[about["architecture"]]
    encoder = networks.encoder_of(ENCODING, networks.layout(about))
    return architecture, encoder, architecture.sizes(**about["network"])


def _format_of(networks: Networks) -> JsonFormat:
    return JsonFormat(f"{networks.game}{MODEL_FORMAT}", 1, "description of a model", ModelError)
