"""Trained models as agents, and the files they are kept in.

A model is two files side by side: `model.safetensors`, the network's weights, and `model.json`, everything needed to
build the network again and to see whether it fits. Reading them runs no code. Stable-Baselines3's own `.zip` can.
"""

import hashlib
import warnings
import zipfile
from collections.abc import Callable, Mapping
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load as tensors_of
from safetensors.torch import save as bytes_of
from torch import Tensor

from oddville_agents.agent import Agent
from oddville_agents.oddville.network import Network, Sizes
from oddville_agents.player import AgentError
from oddville_env.core.files import JsonFormat, written_whole
from oddville_env.core.view import View
from oddville_env.oddville.observation import Encoder, Encoding, make_encoder, observe
from oddville_env.oddville.rules.actions import Layout
from oddville_env.oddville.rules.box import Box

LIBRARIES = ("oddville-env", "torch", "stable-baselines3", "sb3-contrib", "numpy")
IN_A_ZIP = {"data", "policy.pth"}  # what Stable-Baselines3 writes

Scores = Callable[[Tensor], Tensor]
"""Observations uint8 [B, N] -> scores of all moves, float [B, A]."""


class ModelError(AgentError):
    """A file that holds no model, or one that does not fit."""


ABOUT = JsonFormat("oddville-model", 1, "description of a model", ModelError)


class PolicyAgent(Agent):
    """Plays the move that its network scores highest, or with sample=True moves as likely as it says.

    fits: whether it can play at a table whose encoder is given; source: the file, for messages.
    """

    name = "policy"
    encoding: Encoding = "features"

    def __init__(self, scores: Scores, fits: Callable[[Encoder], bool], source: Path, sample: bool = False) -> None:
        self._scores, self._fits, self._source, self._sample = scores, fits, source, sample
        self._box: Box | None = None
        self._seen = np.zeros(0, np.uint8)
        self.reset(0, 0, 0)

    def reset(self, seat: int, players: int, seed: int) -> None:
        """A game begins; the seed is of the moves that are drawn with sample=True."""
        self._rng = np.random.default_rng(seed)

    def act(self, view: View) -> int:
        """The move for the seat to move. Raises ModelError where the model does not fit the table."""
        if view.box is not self._box:
            self._sit_down(view.box)
        observe(view.box, view.state, 0, view.seat, self.encoding, self._seen)
        return self._choose(self._batch, view.mask)

    def _sit_down(self, box: Box) -> None:
        """Check the table and make the memory that every observation is written to."""
        encoder = make_encoder(box, self.encoding)
        if not self._fits(encoder):
            columns, lines, slots = box.layout
            raise ModelError(
                f"{self._source}: the model was trained for another table, this one needs a model for {columns} "
                f"columns, {lines} lines and {slots} slots a resource"
            )
        self._box, self._seen = box, np.zeros(encoder.size, np.uint8)
        self._batch = torch.from_numpy(self._seen)[None]

    def _choose(self, observation: Tensor, mask: np.ndarray) -> int:
        assert mask.any(), "a seat to move has a legal move [W5]"
        with torch.inference_mode():
            scores = self._scores(observation)[0].numpy()
        if self._sample:
            scores = scores + self._rng.gumbel(size=len(scores))  # the largest sum is as likely as the softmax says
        return int(np.where(mask, scores, -np.inf).argmax())


def load_policy(path: Path | str, sample: bool = False) -> PolicyAgent:
    """The agent of a model file, `.safetensors` or `.zip`; one thread, which is the fastest for single positions.

    Raises ModelError; warns before it opens a `.zip`.
    """
    path = Path(path)
    if not isinstance(sample, bool):
        raise ModelError(f"{path}: sample must be true or false, not {sample!r}")
    torch.set_num_threads(1)
    if not path.is_file():
        raise ModelError(f"there is no model {path}")
    if path.suffix == ".zip":
        return _agent_from_zip(path, sample)
    network, about = load_model(path)
    network.eval()
    return PolicyAgent(lambda seen: network(seen)[0], partial(_same, encoder_of(about)), path, sample)


def _same(one: Encoder, other: Encoder) -> bool:
    return one == other


def describe(box: Box, encoder: Encoder, sizes: Sizes) -> dict[str, Any]:
    """What `model.json` says of a network made for a box: how to build it again, and what it fits."""
    return {
        "players": box.players,
        "encoding": encoder.encoding,
        "table": [box.layout.columns, box.layout.lines],
        "slots": box.layout.slots,
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
        file.write(bytes_of({name: weight.contiguous() for name, weight in network.state_dict().items()}))
    ABOUT.write(path.with_suffix(".json"), about)


def load_model(path: Path) -> tuple[Network, dict[str, Any]]:
    """The network in a `.safetensors` file and what the `.json` beside it says; raises ModelError."""
    about = read_about(path.with_suffix(".json"))
    network = Network(encoder_of(about), Sizes(**about["network"]))
    weights = read_tensors(path)
    expected = network.state_dict()
    for name in sorted(expected.keys() | weights.keys()):
        found, wanted = (list(each[name].shape) if name in each else "nothing" for each in (weights, expected))
        if found != wanted:
            raise ModelError(f"{path}: {name} should be {wanted} as {path.stem}.json says, not {found}")
    network.load_state_dict(weights)
    return network, about


def read_tensors(path: Path) -> dict[str, Tensor]:
    """The named tensors of a `.safetensors` file; raises ModelError."""
    try:
        return tensors_of(path.read_bytes())
    except OSError as error:
        raise ModelError(f"{path} cannot be read ({error.strerror}), expected the weights of a model") from None
    except SafetensorError as error:
        raise ModelError(f"{path} is no safetensors file ({error}), expected the weights of a model") from None


def read_about(path: Path) -> dict[str, Any]:
    """What a `model.json` says, checked against this version's moves and observations; raises ModelError."""
    about = ABOUT.read(path)
    try:
        encoder = encoder_of(about)
        Sizes(**about["network"])
        digests = {"layout_digest": encoder.layout.digest, "observation_digest": observation_digest(encoder)}
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError(f"{path} is damaged or of another version ({type(error).__name__}: {error})") from None
    for name, digest in digests.items():
        if about.get(name) != digest:
            what = name.removesuffix("_digest")
            raise ModelError(
                f"{path}: the model was trained with another {what} ({name} {about.get(name)}), expected {digest}"
            )
    return about


def encoder_of(about: Mapping[str, Any]) -> Encoder:
    """The encoder that a model was trained with; raises KeyError, TypeError and ValueError for what is none."""
    columns, lines = about["table"]
    sizes = Layout(columns, lines, about["slots"])
    if about["encoding"] != "features" or not all(type(size) is int and 1 <= size <= 99 for size in sizes):
        raise ValueError(f"encoding {about['encoding']!r}, table and slots {list(sizes)}")
    return Encoder("features", sizes)


def _agent_from_zip(path: Path, sample: bool) -> PolicyAgent:
    """A model that Stable-Baselines3 saved. Its parts are pickled: opening one can run any code."""
    if not zipfile.is_zipfile(path) or not set(zipfile.ZipFile(path).namelist()) >= IN_A_ZIP:
        names = ", ".join(sorted(IN_A_ZIP))
        raise ModelError(f"{path} was not saved by Stable-Baselines3, expected a zip with {names}")
    warnings.warn(f"{path}: a .zip can run any code when it is opened, so open your own only", stacklevel=3)
    from sb3_contrib import MaskablePPO

    try:
        policy: Any = MaskablePPO.load(path, device="cpu").policy
        numbers, moves = policy.observation_space.shape[0], int(policy.action_space.n)
    except Exception as error:
        raise ModelError(
            f"{path} cannot be opened as a MaskablePPO of sb3-contrib ({type(error).__name__}: {error})"
        ) from error
    policy.set_training_mode(False)

    def fits(encoder: Encoder) -> bool:
        return (encoder.size, encoder.layout.size) == (numbers, moves)

    return PolicyAgent(lambda seen: policy.get_distribution(seen).distribution.logits, fits, path, sample)
