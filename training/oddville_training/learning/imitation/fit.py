"""A policy that plays as the agent of a data set does: the project's network, ready for `oddville train --init`.

Scores of moves go towards the agent's moves, or its shares of them (cross-entropy over legal moves); values towards
what PPO's returns are, the lead still to be won, so that PPO begins with both.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from safetensors.numpy import load as load_tensors
from torch import Tensor

from oddville_agents.oddville.network import Network, Sizes
from oddville_agents.policies.model_files import describe, save_model
from oddville_env.oddville.observation import Encoder, make_encoder
from oddville_env.oddville.settings import make_box
from oddville_training.learning.config import TrainConfig
from oddville_training.learning.environments import SCORE
from oddville_training.learning.imitation.data_set import ABOUT, DataSetError, files_of
from oddville_training.learning.learner import HAS_BFLOAT16, ILLEGAL_LOGIT

OF_VALUES = 0.5  # weight of the values' squared error
HELD_BACK = 20  # every twentieth game is for judging
RISING = 0.1  # the part of all steps in which the rate rises


class Imitate(NamedTuple):
    """How a policy is fitted."""

    epochs: int = 2
    batch: int = 512
    rate: float = 2e-3
    seed: int = 0
    threads: int = 1


class Batch(NamedTuple):
    """Decisions."""

    observations: Tensor  # uint8 [D, N]
    masks: Tensor  # bool [D, A]
    wanted: Tensor  # float [D, A]: how likely each move should be
    values: Tensor  # float [D]


class Step(NamedTuple):
    """How far a fit is: the network, the part that is done, and how often it plays as the agent."""

    network: Network
    done: float
    agreement: float


def fit(folder: Path, how: Imitate, sizes: Sizes | None = None) -> Iterator[Step]:
    """Fit a new network, file after file. Raises DataSetError."""
    torch.set_num_threads(how.threads)
    torch.manual_seed(how.seed)
    rng = np.random.default_rng(how.seed)
    encoder, files = _encoder(folder), files_of(folder)
    network = Network(encoder, sizes or Sizes())
    optimizer = torch.optim.Adam(network.parameters(), how.rate, fused=True)
    steps = how.epochs * len(files)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, how.rate, steps + 1, pct_start=RISING)
    for step, file in enumerate(np.concatenate([rng.permutation(len(files)) for _ in range(how.epochs)]).tolist()):
        mine, others = _decisions(files[file], encoder)
        for rows in torch.from_numpy(rng.permutation(len(mine.masks))).split(how.batch):
            optimizer.zero_grad()
            _loss(network, Batch(*(tensor[rows] for tensor in mine))).backward()
            optimizer.step()
        schedule.step()
        yield Step(network, (step + 1) / steps, _agreement(network, others))


def write(folder: Path, network: Network, path: Path) -> None:
    """Write a model that plays, with what it was made from."""
    encoder = _encoder(folder)
    about = describe(make_box(_about(folder)["players"]), encoder, network.sizes)
    save_model(path, network, about | {"imitates": _about(folder)})


def _about(folder: Path) -> dict[str, object]:
    return ABOUT.read(folder / "about.json")


def _encoder(folder: Path) -> Encoder:
    about = _about(folder)
    if about["encoding"] != "features":
        raise DataSetError(f"{folder} holds observations {about['encoding']}, the network reads features")
    return make_encoder(make_box(about["players"]), "features")


def _decisions(file: Path, encoder: Encoder) -> tuple[Batch, Batch]:
    """The decisions of a file: those to fit to, and those of games held back."""
    tensors = load_tensors(file.read_bytes())
    moves = torch.from_numpy(tensors["moves"].astype(np.int64))
    masks = torch.from_numpy(tensors["masks"])
    wanted = torch.zeros(masks.shape).scatter(1, moves[:, None], 1.0)
    if "shares" in tensors:
        wanted = torch.from_numpy(tensors["shares"]).float()
    everything = Batch(torch.from_numpy(tensors["observations"]), masks, wanted, _values(tensors, encoder))
    back = torch.from_numpy(tensors["games"] % HELD_BACK == 0)
    return Batch(*(tensor[~back] for tensor in everything)), Batch(*(tensor[back] for tensor in everything))


def _values(tensors: dict[str, np.ndarray], encoder: Encoder) -> Tensor:
    """What PPO's return would be: the lead in points at the end less that of now, scaled."""
    scores, players = tensors["scores"].astype(np.float64), tensors["scores"].shape[1]
    own = scores[np.arange(len(scores)), tensors["seats"]]
    final = own - (scores.sum(1) - own) / (players - 1)
    now = encoder.views(tensors["observations"])["seats"][..., SCORE].astype(np.float64)
    lead = now[:, 0] - now[:, 1:].sum(1) / (players - 1)
    return torch.from_numpy(TrainConfig().scale * (final - lead)).float()


def _loss(network: Network, batch: Batch) -> Tensor:
    with torch.autocast("cpu", torch.bfloat16, enabled=HAS_BFLOAT16):
        encoded = network.encode(batch.observations)
    scores, values = network.heads(encoded)
    likely = scores.where(batch.masks, ILLEGAL_LOGIT).log_softmax(1)
    loss: Tensor = -(batch.wanted * likely).sum(1).mean() + OF_VALUES * (values - batch.values).square().mean()
    return loss


def _agreement(network: Network, batch: Batch) -> float:
    """How often the network's likeliest move is the agent's."""
    with torch.inference_mode():
        scores, _ = network(batch.observations)
    best = scores.where(batch.masks, ILLEGAL_LOGIT).argmax(1)
    return float((best == batch.wanted.argmax(1)).float().mean())
