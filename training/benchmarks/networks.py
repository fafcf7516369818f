"""Networks side by side: their parameters, the time of a pass, and how well they play after the same lesson.

All of them are taught by the same decisions of `greedy`, each seen once: a linear one and a perceptron that read the
flat observation, and the architectures that `model.json` may name. `champion` was made by self-play and looks one move
ahead.

    python training/benchmarks/networks.py [--decisions 100000] [--games 200]
"""

import os
import time
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from statistics import median

import torch
import typer
from rich.box import SIMPLE
from rich.console import Console
from rich.progress import track
from rich.table import Table
from torch import Tensor, nn

from oddville_agents import make_agent
from oddville_agents.oddville.networks import NETWORKS
from oddville_agents.oddville.value.network.files import network_of
from oddville_agents.policies.policy import PolicyAgent
from oddville_agents.policies.torch_network import PolicyNetwork, scores_of
from oddville_env import Game
from oddville_env.core.parts.pieces import Encoder
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oddville.observation import make_encoder
from oddville_env.oddville.settings import make_box
from oddville_training.learning.imitation.data_set import TABLES, GameSetup, decisions_of
from oddville_training.learning.imitation.fit import Batch, Imitate, agreement, batch_of, learn_from
from oddville_training.tournament.evaluate import evaluate

TEACHER, STRAY = "greedy", 0.05
HELD_BACK = range(10**6, 10**6 + 100)  # games, for judging
HIDDEN = 128
RISING, LEAST = 0.1, 0.02
PASSES = 200
WIDTH = 140
MIDDLE = 25  # moves of a game
OPPONENT = "greedy:weights=simple"


class Flat(PolicyNetwork):
    """Layers over the roots of all numbers: the linear baseline without any, the perceptron with two of HIDDEN."""

    def __init__(self, encoder: Encoder, widths: tuple[int, ...]) -> None:
        super().__init__()
        self.encoder, sizes = encoder, (encoder.size, *widths)
        layers = [[nn.Linear(low, high), nn.ReLU()] for low, high in zip(sizes, widths, strict=False)]
        self.body = nn.Sequential(*(layer for pair in layers for layer in pair))
        self.moves, self.value = nn.Linear(sizes[-1], encoder.layout.size), nn.Linear(sizes[-1], 1)

    def encode(self, observation: Tensor) -> Tensor:
        """Return the inputs of `heads`, for observations uint8 [B, N]."""
        dtype = self.value.weight.dtype
        return self.body(observation.to(dtype).sqrt()).to(dtype)

    def heads(self, encoded: Tensor) -> tuple[Tensor, Tensor]:
        """Return scores of all moves, float [B, A], and values, float [B]."""
        return self.moves(encoded), self.value(encoded).squeeze(1)


def networks(encoder: Encoder) -> dict[str, PolicyNetwork]:
    """All that are compared, untaught."""
    found: dict[str, PolicyNetwork] = {"linear": Flat(encoder, ()), "perceptron": Flat(encoder, (HIDDEN, HIDDEN))}
    return found | {name: each.network(encoder, each.sizes()) for name, each in NETWORKS.architectures.items()}


def teach_all(students: dict[str, PolicyNetwork], played: GameSetup, decisions: int) -> Batch:
    """Teach all of them by the same decisions; returns others."""
    how, agent = Imitate(), make_agent(TEACHER)
    optimizers = {name: torch.optim.Adam(each.parameters(), how.rate, fused=True) for name, each in students.items()}
    pieces = max(decisions // len(decisions_of(agent, played, range(TABLES), 0, STRAY)["moves"]), 1)
    for piece in track(range(pieces), "teaching", console=Console(stderr=True)):
        games = range(piece * TABLES, (piece + 1) * TABLES)
        batch = batch_of(decisions_of(agent, played, games, 0, STRAY), played.encoder, NETWORKS)
        for name, network in students.items():
            for group in optimizers[name].param_groups:
                group["lr"] = how.rate * max(min(piece / pieces / RISING, 1 - piece / pieces), LEAST)
            for rows in torch.randperm(len(batch.masks)).split(how.batch):
                learn_from(network, optimizers[name], Batch(*(tensor[rows] for tensor in batch)))
    return batch_of(decisions_of(agent, played, HELD_BACK, 0, 0.0), played.encoder, NETWORKS)


def microseconds(call: Callable[[], object]) -> float:
    """The median CPU time of a call."""
    times = []
    for _ in range(PASSES):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return 1e6 * median(times)


def strength(agent: PolicyAgent | str, games: int) -> str:
    """What it wins against the opponent, with a 95 % interval; nothing where no games are played."""
    if not games:
        return ""
    (wins,) = evaluate(agent, [OPPONENT], games=games, seed=21, progress=False).against
    return f"{wins.wins:.1%} ({wins.low:.1%} to {wins.high:.1%})"


def main(decisions: int = 100_000, games: int = 200) -> None:
    """Measure on one core and print a table."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    torch.set_num_threads(1)
    torch.manual_seed(0)
    box = make_box(2)
    played = GameSetup(ODDVILLE, box, make_encoder(box, "features"))
    students = networks(played.encoder)
    unseen = teach_all(students, played, decisions)
    table = Table("network", "parameters", "us", "plays as its teacher", f"wins against {OPPONENT}", box=SIMPLE)
    for name, network in students.items():
        number, alike = sum(each.numel() for each in network.parameters()), agreement(network, unseen)
        with torch.inference_mode():
            us = microseconds(lambda network=network: network(unseen.observations[:1]))  # type: ignore[misc]
        agent = PolicyAgent(scores_of(deepcopy(network)), lambda box: None, Path(name))
        table.add_row(name, f"{number:,}", f"{us:,.0f}", f"{alike:.1%}", strength(agent, games))
    table.add_row(*champion(), strength("champion", games))
    Console(width=WIDTH).print(table)


def champion() -> tuple[str, str, str, str]:
    """Of the champion: a pass is a look at all legal moves, in the middle of a game."""
    tensors, agent, game = network_of("learned"), make_agent("champion"), Game(2, seed=0)
    assert tensors is not None
    while len(game.moves) < MIDDLE:
        game.push(agent.act(game.view()))
    view = game.view()
    agent.act(view)
    number = sum(tensor.size for tensor in tensors.values())
    return "champion", f"{number:,}", f"{microseconds(lambda: agent.act(view)):,.0f}", ""


if __name__ == "__main__":
    typer.run(main)
