"""Imitation as the first stage of a run: games of a teacher are played, learned from once, and kept nowhere."""

from collections.abc import Callable, Iterator

import torch

from oddville_agents import make_agent
from oddville_agents.policies.torch_network import PolicyNetwork
from oddville_training.learning.config import TrainConfig
from oddville_training.learning.imitation.data_set import TABLES, GameSetup, decisions_of
from oddville_training.learning.imitation.fit import RISING, Batch, Imitate, batch_of, learn_from

STRAY = 0.05  # the part of the teacher's moves that are random
LEAST = 0.02  # of the rate, at both ends
OF_A_RUN = 0.5  # the part of a run's limits that it may take
A_GAME = 40  # decisions, roughly: fewer than there are


def teach(
    network: PolicyNetwork, config: TrainConfig, played: GameSetup, spent: Callable[[], float]
) -> Iterator[float]:
    """A network learns to play as the config's teacher does, a few games at a time; yields the part that is done.

    spent: the part of the run's minutes that is over.
    """
    how, agent = Imitate(), make_agent(config.teacher, config.game.name)
    optimizer = torch.optim.Adam(network.parameters(), how.rate, fused=True)
    most = config.taught if config.steps is None else min(config.taught, int(OF_A_RUN * config.steps))
    decisions, games, done = 0, 0, 0.0
    while most and done < 1:
        some = range(games, games + min(TABLES, -(-(most - decisions) // A_GAME)))
        batch = batch_of(decisions_of(agent, played, some, config.seed, STRAY), played.encoder, config.networks)
        for rows in torch.randperm(len(batch.masks)).split(how.batch):
            set_rate(optimizer, how.rate * max(min(done / RISING, 1 - done), LEAST))
            learn_from(network, optimizer, Batch(*(tensor[rows] for tensor in batch)))
            decisions += len(rows)
            done = min(max(decisions / most, spent() / OF_A_RUN), 1.0)
        games = some.stop
        yield done


def set_rate(optimizer: torch.optim.Optimizer, rate: float) -> None:
    """Set the rate of the next step."""
    for group in optimizer.param_groups:
        group["lr"] = rate
