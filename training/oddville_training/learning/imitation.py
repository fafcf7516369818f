"""A policy that plays as the agent of a data set does: the project's network, ready for `train --init`.

    loss = mean of: -sum over legal moves of share(move) x ln pi(move) + VALUE_WEIGHT x (value - return) ** 2

This is behavioural cloning (Pomerleau 1989). The share is 1 for the agent's move where it names no shares; the return
is that of PPO, the lead still to be won, so that PPO begins with both.
"""

from collections.abc import Callable, Iterator
from math import nan
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from oddville_agents import make_agent
from oddville_agents.policies.models import ENCODING, Networks, describe, networks_of, save_model
from oddville_agents.policies.torch_network import PolicyNetwork, weights_of
from oddville_env.core.disk.locks import alone_in
from oddville_env.core.parts.pieces import Encoder
from oddville_env.envs.rewards import margin_of
from oddville_training.learning import data_set
from oddville_training.learning.config import TrainConfig
from oddville_training.learning.learner import HAS_BFLOAT16, ILLEGAL_LOGIT, lead_seen
from oddville_training.program import meter
from oddville_training.selfplay.run import HELD_BACK, RISING

VALUE_WEIGHT = 0.5  # weight of the values' squared error
MODEL = "model.safetensors"
# Imitation as the first stage of a run
STRAY = 0.05  # the part of the teacher's moves that are random
LEAST = 0.02  # of the rate, at both ends
OF_A_RUN = 0.5  # the part of a run's limits that it may take
A_GAME = 40  # decisions, roughly: fewer than there are


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


class FitProgress(NamedTuple):
    """The progress of a fit: the network, the part that is done, and how often it plays as the agent."""

    network: PolicyNetwork
    done: float
    agreement: float


def fit(folder: Path, how: Imitate, sizes: Any = None, progress: bool = True) -> Path:
    """Fit a policy to a data set and write it beside the games; its path. Raises DataSetError."""
    with alone_in(folder, data_set.DataSetError), meter("files", progress) as shown:
        task = shown.add_task("fitting", total=None)
        for step in fit_steps(folder, how, sizes):
            description = f"fitting, plays as the agent {step.agreement:.1%}"
            shown.update(task, description=description, total=1.0, completed=step.done)
        imitates, played = _description(folder)
        networks, network = networks_of(played.game.name), step.network
        about = describe(networks, played.box, played.encoder, networks.default, network.sizes)
        save_model(folder / MODEL, networks, weights_of(network), about | {"imitates": imitates})
    return folder / MODEL


def fit_steps(folder: Path, how: Imitate, sizes: Any = None) -> Iterator[FitProgress]:
    """Fit a new network, file after file. Raises DataSetError."""
    torch.set_num_threads(how.threads)
    torch.manual_seed(how.seed)
    rng = np.random.default_rng(how.seed)
    (_, played), files = _description(folder), data_set.files_of(folder)
    networks = networks_of(played.game.name)
    architecture = networks.architectures[networks.default]
    network: PolicyNetwork = architecture.network(played.encoder, sizes or architecture.sizes())
    optimizer = torch.optim.Adam(network.parameters(), how.rate, fused=True)
    steps = how.epochs * len(files)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, how.rate, steps + 1, pct_start=RISING)
    for step, file in enumerate(np.concatenate([rng.permutation(len(files)) for _ in range(how.epochs)]).tolist()):
        tensors = data_set.read_decisions(files[file], played.encoder, played.box.players)
        everything, back = batch_of(tensors, played.encoder, networks), tensors["games"] % HELD_BACK == 0
        mine, others = (Batch(*(tensor[torch.from_numpy(some)] for tensor in everything)) for some in (~back, back))
        order = torch.from_numpy(rng.permutation(len(mine.masks)))
        for rows in order.split(how.batch) if len(order) else ():
            learn_from(network, optimizer, Batch(*(tensor[rows] for tensor in mine)))
        schedule.step()
        yield FitProgress(network, (step + 1) / steps, agreement(network, others))


def _description(folder: Path) -> tuple[dict[str, Any], data_set.GameSetup]:
    """What a data set says of itself, and the games that it is of."""
    about = data_set.read_about(folder, ENCODING)
    return about, data_set.setup_of(about["game"], about["players"], ENCODING)


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
    final = margin_of(tensors["scores"])[np.arange(len(tensors["seats"])), tensors["seats"]]
    lead = lead_seen(encoder, networks.score_index, tensors["observations"], tensors["scores"].shape[1])
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


def teach(
    network: PolicyNetwork, config: TrainConfig, played: data_set.GameSetup, spent: Callable[[], float]
) -> Iterator[float]:
    """Fit a network to games of the config's teacher, which are kept nowhere; yields the part that is done.

    spent: the part of the run's minutes that is over.
    """
    how, agent = Imitate(), make_agent(config.teacher, config.game.name)
    optimizer = torch.optim.Adam(network.parameters(), how.rate, fused=True)
    most = config.taught if config.steps is None else min(config.taught, int(OF_A_RUN * config.steps))
    decisions, games, done = 0, 0, 0.0
    while most and done < 1:
        some = range(games, games + min(data_set.TABLES, -(-(most - decisions) // A_GAME)))
        batch = batch_of(
            data_set.decisions_of(agent, played, some, config.seed, STRAY), played.encoder, config.networks
        )
        for rows in torch.randperm(len(batch.masks)).split(how.batch):
            optimizer.param_groups[0]["lr"] = how.rate * max(min(done / RISING, 1 - done), LEAST)
            learn_from(network, optimizer, Batch(*(tensor[rows] for tensor in batch)))
            decisions += len(rows)
            done = min(max(decisions / most, spent() / OF_A_RUN), 1.0)
        games = some.stop
        yield done
