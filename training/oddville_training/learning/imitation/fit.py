"""A policy that plays as the agent of a data set does: the project's network, ready for `train --init`.

    loss = mean of: -sum over legal moves of share(move) x ln pi(move) + VALUE_WEIGHT x (value - return) ** 2

This is behavioural cloning (Pomerleau 1989). The share is 1 for the agent's move where it names no shares; the return
is that of PPO, the lead still to be won, so that PPO begins with both.
"""

from collections.abc import Iterator, Mapping
from math import nan
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from oddville_agents.policies.models import ENCODING, Networks, describe, networks_of, save_model
from oddville_agents.policies.torch_network import PolicyNetwork, weights_of
from oddville_env.core.game.game_type import game_type
from oddville_env.core.parts.pieces import Encoder
from oddville_training.learning.config import TrainConfig
from oddville_training.learning.environments import lead_seen
from oddville_training.learning.imitation.data_set import files_of, read_about, read_decisions
from oddville_training.learning.learner import HAS_BFLOAT16, ILLEGAL_LOGIT

VALUE_WEIGHT = 0.5  # weight of the values' squared error
HELD_BACK = 20  # every twentieth game is for judging
RISING = 0.1  # the part of all steps in which the rate rises


class Imitate(NamedTuple):
    """Parameters of a fit."""

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


class Data(NamedTuple):
    """A data set: its description, the box of its games, and the networks that can be fitted."""

    about: Mapping[str, Any]
    box: Any
    encoder: Encoder
    networks: Networks


class FitProgress(NamedTuple):
    """The progress of a fit: the network, the part that is done, and how often it plays as the agent."""

    network: PolicyNetwork
    done: float
    agreement: float


def fit(folder: Path, how: Imitate, sizes: Any = None) -> Iterator[FitProgress]:
    """Fit a new network, file after file. Raises DataSetError."""
    torch.set_num_threads(how.threads)
    torch.manual_seed(how.seed)
    rng = np.random.default_rng(how.seed)
    data, files = _data(folder), files_of(folder)
    architecture = data.networks.architectures[data.networks.default]
    network: PolicyNetwork = architecture.network(data.encoder, sizes or architecture.sizes())
    optimizer = torch.optim.Adam(network.parameters(), how.rate, fused=True)
    steps = how.epochs * len(files)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, how.rate, steps + 1, pct_start=RISING)
    for step, file in enumerate(np.concatenate([rng.permutation(len(files)) for _ in range(how.epochs)]).tolist()):
        mine, others = _decisions(files[file], data)
        order = torch.from_numpy(rng.permutation(len(mine.masks)))
        for rows in order.split(how.batch) if len(order) else ():
            learn_from(network, optimizer, Batch(*(tensor[rows] for tensor in mine)))
        schedule.step()
        yield FitProgress(network, (step + 1) / steps, agreement(network, others))


def write(folder: Path, network: PolicyNetwork, path: Path) -> None:
    """Write a model that plays, with what it was made from."""
    data = _data(folder)
    about = describe(data.networks, data.box, data.encoder, data.networks.default, network.sizes) | {
        "imitates": data.about
    }
    save_model(path, data.networks, weights_of(network), about)


def _data(folder: Path) -> Data:
    about = read_about(folder, ENCODING)
    game = game_type(about["game"])
    box = game.box(game.settings(players=about["players"]))
    return Data(about, box, game.make_encoder(box, ENCODING), networks_of(game.name))


def _decisions(file: Path, data: Data) -> tuple[Batch, Batch]:
    """The decisions of a file: those to fit to, and those of games held back."""
    tensors = read_decisions(file, data.encoder, data.box.players)
    everything = batch_of(tensors, data.encoder, data.networks)
    back = torch.from_numpy(tensors["games"] % HELD_BACK == 0)
    return Batch(*(tensor[~back] for tensor in everything)), Batch(*(tensor[back] for tensor in everything))


def batch_of(tensors: dict[str, np.ndarray], encoder: Encoder, networks: Networks) -> Batch:
    """Decisions of a data set, as a network is fitted to them."""
    moves = torch.from_numpy(tensors["moves"].astype(np.int64))
    masks = torch.from_numpy(tensors["masks"])
    wanted = torch.zeros(masks.shape).scatter(1, moves[:, None], 1.0)
    if "shares" in tensors:
        wanted = torch.from_numpy(tensors["shares"]).float()
    return Batch(torch.from_numpy(tensors["observations"]), masks, wanted, _values(tensors, encoder, networks))


def _values(tensors: dict[str, np.ndarray], encoder: Encoder, networks: Networks) -> Tensor:
    """PPO's returns: the lead in points at the end less that of now, scaled."""
    scores, players = tensors["scores"].astype(np.float64), tensors["scores"].shape[1]
    own = scores[np.arange(len(scores)), tensors["seats"]]
    final = own - (scores.sum(1) - own) / (players - 1)
    lead = lead_seen(encoder, networks.score_place, tensors["observations"], players)
    return torch.from_numpy(TrainConfig.scale * (final - lead)).float()


def learn_from(network: PolicyNetwork, optimizer: torch.optim.Optimizer, batch: Batch) -> None:
    """One step down the loss on a batch."""
    optimizer.zero_grad()
    _loss(network, batch).backward()
    optimizer.step()


def _loss(network: PolicyNetwork, batch: Batch) -> Tensor:
    with torch.autocast("cpu", torch.bfloat16, enabled=HAS_BFLOAT16):
        encoded = network.encode(batch.observations)
    scores, values = network.heads(encoded)
    likely = scores.where(batch.masks, ILLEGAL_LOGIT).log_softmax(1)
    loss: Tensor = -(batch.wanted * likely).sum(1).mean() + VALUE_WEIGHT * (values - batch.values).square().mean()
    return loss


def agreement(network: PolicyNetwork, batch: Batch) -> float:
    """The share in which the network's likeliest move is the agent's; NaN where there is no decision."""
    if not len(batch.masks):
        return nan
    with torch.inference_mode():
        scores, _ = network(batch.observations)
    best = scores.where(batch.masks, ILLEGAL_LOGIT).argmax(1)
    return float((best == batch.wanted.argmax(1)).float().mean())
