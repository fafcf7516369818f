"""The files of a trained model.

A model is two files side by side: `model.safetensors`, the network's weights, and `model.json`, everything needed to
build the network again and to see whether it fits. Reading them runs no code, and all of it is checked.
"""

import errno
import hashlib
import os
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load as load_tensors
from safetensors.torch import save as tensor_bytes
from torch import Tensor

from oddville_agents.oddville.network import Network, Sizes
from oddville_agents.player import AgentError
from oddville_agents.policies.architectures import ARCHITECTURES, DEFAULT, NAMES
from oddville_env.core.errors import shown
from oddville_env.core.files import JsonFormat, written_whole
from oddville_env.core.kinds import Kind, check, instance, one_of, several, whole
from oddville_env.oddville.observation import Encoder, encoder_of
from oddville_env.oddville.rules.actions import Layout
from oddville_env.oddville.rules.box import Box
from oddville_env.oddville.settings import LONGEST_SIDE

LIBRARIES = ("oddville-env", "torch", "stable-baselines3", "sb3-contrib", "numpy")


class ModelError(AgentError):
    """A file that holds no model, or one that does not fit."""


DESCRIPTION = JsonFormat("oddville-model", 1, "description of a model", ModelError)
FIELDS: Mapping[str, Kind] = {
    "encoding": one_of("features"),
    "table": several(whole(1, LONGEST_SIDE), 2, 2),
    "slots": whole(1, LONGEST_SIDE),
    "network": instance(dict),
}


def describe(box: Box, encoder: Encoder, sizes: Sizes) -> dict[str, Any]:
    """What `model.json` says of a network made for a box: how to build it again, and what it fits."""
    return {
        "players": box.players,
        "encoding": encoder.encoding,
        "table": [box.layout.columns, box.layout.lines],
        "slots": box.layout.slots,
        "architecture": DEFAULT,
        "network": vars(sizes),
        "layout_digest": box.layout.digest,
        "observation_digest": observation_digest(encoder),
        "cards_digest": box.cards.digest,
        "libraries": {name: version(name) for name in LIBRARIES},
    }


def observation_digest(encoder: Encoder) -> str:
    """A hash of the pieces of an observation: names, shapes and bounds."""
    plain = [(piece.name, piece.shape, piece.high) for piece in encoder.pieces]
    return hashlib.sha256(repr(plain).encode()).hexdigest()


def save_model(path: Path, network: Network, about: Mapping[str, Any]) -> None:
    """Write the weights to path and `about` beside it, each whole or not at all."""
    with written_whole(path, "wb") as file:
        file.write(tensor_bytes({name: weight.contiguous() for name, weight in network.state_dict().items()}))
    DESCRIPTION.write(path.with_suffix(".json"), about)


def load_model(path: Path) -> tuple[Network, dict[str, Any]]:
    """The network in a `.safetensors` file and what the `.json` beside it says; raises ModelError."""
    about = read_about(path.with_suffix(".json"))
    network = _network_of(about)
    weights = read_tensors(path)
    check_shapes(path, weights, {name: weight.shape for name, weight in network.state_dict().items()})
    network.load_state_dict(weights)
    return network, about


def read_tensors(path: Path) -> dict[str, Tensor]:
    """The tensors of a `.safetensors` file, of finite float32 numbers; raises ModelError."""
    try:
        if not path.is_file():  # a pipe in a stranger's folder would be waited for
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        tensors = load_tensors(path.read_bytes())
    except OSError as error:
        raise ModelError(f"{path} cannot be read ({error.strerror}), expected the weights of a model") from None
    except SafetensorError as error:
        raise ModelError(f"{path} is no safetensors file ({error}), expected the weights of a model") from None
    check_finite(path, tensors)
    return tensors


def check_shapes(path: Path, tensors: Mapping[str, Tensor], shapes: Mapping[str, Sequence[int]]) -> None:
    """Raises ModelError for the first name that only one of them has, or that has another shape."""
    found_shapes = {name: tensor.shape for name, tensor in tensors.items()}
    for name in sorted(shapes.keys() | tensors.keys()):
        found, wanted = (list(each[name]) if name in each else "nothing" for each in (found_shapes, shapes))
        if found != wanted:
            raise ModelError(f"{path}: {shown(name)} should be {wanted} as the json beside it says, not {found}")


def check_finite(source: Path, tensors: Mapping[str, Tensor]) -> None:
    """Raises ModelError for the first tensor that is not of finite float32 numbers."""
    for name, tensor in tensors.items():
        if tensor.dtype != torch.float32:
            kind = str(tensor.dtype).removeprefix("torch.")
            raise ModelError(f"{source}: {shown(name)} must be of float32 numbers, not {kind}")
        if not tensor.isfinite().all():
            raise ModelError(f"{source}: {shown(name)} must be of finite numbers, not NaN or infinite ones")


def read_about(path: Path) -> dict[str, Any]:
    """What a `model.json` says, checked against this version's moves and observations; raises ModelError."""
    about = DESCRIPTION.read(path)
    try:
        check(about, FIELDS, ModelError)
        check({"architecture": DEFAULT} | about, {"architecture": NAMES}, ModelError)
        encoder = trained_encoder(about)
        _sizes_of(about)
    except (TypeError, ValueError) as error:
        raise ModelError(f"{path} is damaged or of another version: {error}") from None
    for name, digest in (
        ("layout_digest", encoder.layout.digest),
        ("observation_digest", observation_digest(encoder)),
    ):
        if about.get(name) != digest:
            what = name.removesuffix("_digest")
            raise ModelError(
                f"{path}: the model was trained with another {what} ({name} {shown(about.get(name))}), "
                f"expected {digest}"
            )
    return about


def trained_encoder(about: Mapping[str, Any]) -> Encoder:
    """The encoder that a model was trained with."""
    columns, lines = about["table"]
    return encoder_of("features", Layout(columns, lines, about["slots"]))


def _network_of(about: Mapping[str, Any]) -> Network:
    """A network as `model.json` describes it, with weights yet to come."""
    return ARCHITECTURES[about.get("architecture", DEFAULT)].network(trained_encoder(about), _sizes_of(about))


def _sizes_of(about: Mapping[str, Any]) -> Any:
    """Raises TypeError and ValueError."""
    return ARCHITECTURES[about.get("architecture", DEFAULT)].sizes(**about["network"])
