"""Temporal differences on afterstates in one file: a network learns what a position is worth, and no policy at all.

    python examples/afterstates_td.py --minutes 5
    python examples/afterstates_td.py --game oldtown --minutes 5

As in TD-Gammon (Tesauro 1995): every move is played in the mind, the network values what the seat would see then (the
afterstate, "me first"), and the best is played. Each seat's afterstates of a game form a chain whose end is worth the
points by which it won or lost; TD(lambda) (Sutton 1988) pulls each value towards those that follow. No network has to
know what a move is, so it learns from few games. Letters of shapes: B games, L moves of all games, N numbers.
"""

import time
from collections.abc import Callable
from typing import Annotated

import numpy as np
import torch
import typer
from torch import nn

import oddville_env
from oddville_agents import make_agent
from oddville_agents.agent import Agent, BatchAgent
from oddville_env.core.game.game_type import game_type
from oddville_env.core.game.view import BatchView, View
from oddville_training.tournament.evaluate import evaluate

GAMES = 128  # B: played at once
PLAYERS = 2
ENCODING = "summary"
LAMBDA = 0.8  # how far a game's end reaches back at once
EXPLORE = 0.05  # moves that are random
SCALE = 1 / 20  # of points, so that values are about -1 to 1
KEPT, BATCH = 16_384, 512  # afterstates that are learned from, and those of a gradient step
RATE = 1e-3  # of learning, falling to zero at the end


def make_network(size: int, width: int = 128) -> nn.Module:
    """From afterstates [L, N] to what they are worth to the seat that looks: [L, 1]."""
    return nn.Sequential(nn.Linear(size, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))


@torch.no_grad()
def worth(network: nn.Module, seen: np.ndarray) -> np.ndarray:
    """Values [L] of afterstates [L, N]."""
    values: np.ndarray = network(torch.from_numpy(seen)).squeeze(-1).numpy()
    return values


class Greedy(Agent):
    """Plays the move whose afterstate is worth most."""

    name, version = "afterstates", "1"

    def __init__(self, network: nn.Module) -> None:
        self.network = network

    def act(self, view: View) -> int:
        """The id of a legal move."""
        ids, seen = view.afterstates(ENCODING)
        return int(ids[worth(self.network, seen).argmax()])

    def batch_agent(self, tables: int) -> BatchAgent:
        """The same for many games at once."""
        return GreedyInMany(self.network)


class GreedyInMany(BatchAgent):
    """`Greedy` at many tables."""

    def __init__(self, network: nn.Module) -> None:
        self.network = network

    def act(self, view: BatchView, actions: np.ndarray) -> None:
        """Write the moves of the games of the view."""
        starts, ids, seen = view.afterstates(ENCODING)
        actions[view.tables] = ids[best_of_each(starts, worth(self.network, seen))]


def best_of_each(starts: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The place of the highest of values [L] among each game's, starts[b] to starts[b + 1] - 1: int64 [B]."""
    games = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    return np.lexsort((values, games))[starts[1:] - 1]


def returns(values: list[float], end: float) -> np.ndarray:
    """TD(lambda)'s target for each value of a chain that ended with `end`: float32 [its length]."""
    target, found = end, []
    for following in [end, *reversed(values[1:])]:
        target = (1 - LAMBDA) * following + LAMBDA * target
        found.append(target)
    return np.array(found[::-1], np.float32)


class Memory:
    """The last afterstates, and what they should be worth."""

    def __init__(self, size: int) -> None:
        self.seen, self.targets, self.number = np.zeros((KEPT, size), np.float32), np.zeros(KEPT, np.float32), 0

    def add(self, seen: list[np.ndarray], targets: np.ndarray) -> None:
        """Remember a chain; the oldest ones are forgotten."""
        places = np.arange(self.number, self.number + len(seen)) % KEPT
        self.seen[places], self.targets[places] = seen, targets
        self.number += len(seen)

    def draw(self, rng: np.random.Generator) -> tuple[torch.Tensor, torch.Tensor]:
        """Some of them at random."""
        some = rng.integers(0, min(self.number, KEPT), BATCH)
        return torch.from_numpy(self.seen[some]), torch.from_numpy(self.targets[some])


def make_games(game: str) -> "oddville_env.OddVilleSelfPlayEnv":
    """Games of OddVille or Old Town, by name, in which all seats learn."""
    made = {"oddville": oddville_env.OddVilleSelfPlayEnv, "oldtown": oddville_env.OldTownSelfPlayEnv}[game]
    return made(GAMES, players=PLAYERS, encoding=ENCODING, reward="margin")


def learn(
    network: nn.Module,
    games: "oddville_env.OddVilleSelfPlayEnv",
    seconds: float,
    seed: int,
    watch: Callable[[], None] = lambda: None,
) -> int:
    """Play and learn for so many seconds of CPU; the number of decisions. watch: called after each step."""
    rng, memory = np.random.default_rng(seed), Memory(games.encoder.size)
    optimizer = torch.optim.Adam(network.parameters())
    chains: list[tuple[list[np.ndarray], list[float]]] = [([], []) for _ in range(GAMES * PLAYERS)]
    _, info = games.reset(seed=seed)
    begun, decisions = time.process_time(), 0
    while (spent := time.process_time() - begun) < seconds:
        starts, ids, seen = games.afterstates()
        values = worth(network, seen)
        strays = rng.random(GAMES) < EXPLORE
        chosen = np.where(strays, rng.integers(starts[:-1], starts[1:]), best_of_each(starts, values))
        for game, (seat, move) in enumerate(zip(info["seat"].tolist(), chosen.tolist(), strict=True)):
            afterstates, worths = chains[game * PLAYERS + seat]
            afterstates.append(seen[move])
            worths.append(float(values[move]))
        _, rewards, terminated, truncated, info = games.step(ids[chosen])
        for game in np.flatnonzero(terminated | truncated).tolist():
            for seat in range(PLAYERS):
                afterstates, worths = chains[game * PLAYERS + seat]
                memory.add(afterstates, returns(worths, float(rewards[game, seat]) * SCALE))
                chains[game * PLAYERS + seat] = ([], [])
        decisions += GAMES
        if memory.number > BATCH:
            optimizer.param_groups[0]["lr"] = RATE * (1 - spent / seconds)
            of, targets = memory.draw(rng)
            loss = (network(of).squeeze(-1) - targets).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        watch()
    return decisions


def main(
    game: Annotated[str, typer.Option(help="oddville or oldtown.")] = "oddville",
    minutes: Annotated[float, typer.Option(help="CPU minutes of learning.")] = 5,
    games: Annotated[int, typer.Option(help="Games against each of the anchors afterwards.")] = 400,
    seed: Annotated[int, typer.Option(help="Seed of deals and weights.")] = 0,
) -> None:
    """Learn by self-play, then play against `random` and a heuristic."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    batch = make_games(game)
    network = make_network(batch.encoder.size)
    decisions = learn(network, batch, 60 * minutes, seed)
    typer.echo(f"{decisions:,} decisions")
    anchors = {"oddville": ["random", "greedy:weights=simple"], "oldtown": ["random", "greedy"]}[game]
    found = evaluate(make_agent(Greedy(network)), anchors, games, PLAYERS, seed + 1, game=game_type(game))
    for result in found.against:
        typer.echo(f"against {result.opponent}: {result.wins:.1%} ({result.low:.1%} to {result.high:.1%})")


if __name__ == "__main__":
    typer.run(main)
