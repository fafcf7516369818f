"""Temporal differences on afterstates in one file: a network learns the value of positions, without a policy.

    python examples/afterstates_td.py --minutes 5
    python examples/afterstates_td.py --game oldtown --minutes 5 --out town.safetensors
    oldtown evaluate oddville_agents.policies.afterstates:AfterstatesAgent:network=town.safetensors

As in TD-Gammon (Tesauro 1995): the network values the position behind every legal move as its seat sees it (the
afterstate), and the best move is played. Each seat's afterstates of a game form a chain that ends in its margin in
points; TD(lambda) (Sutton 1988) moves each value towards those that follow. The network need not learn what moves do,
so it learns from few games. Letters of shapes: B games, L moves of all games, N numbers of an observation.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import numpy as np
import torch
import typer
from common import Curve, CurveFile, Device, GameName, Games, Minutes, Seed, play_against, seed_torch
from torch import nn

import oddville_env
from oddville_agents.agent import Agent, BatchAgent
from oddville_agents.policies import afterstates
from oddville_env.core.compiled.jit import kernel
from oddville_env.core.game.view import BatchView, View

GAMES = 128  # B: played at once
PLAYERS = 2
ENCODING = "summary"
LAMBDA = 0.8  # how far a game's end reaches back at once
EXPLORE = 0.05  # moves that are random
SCALE = 1 / 20  # of points, so that values are about -1 to 1
KEPT, BATCH = 16_384, 512  # afterstates that are learned from, and those of a gradient step
RATE = 1e-3  # of learning, falling to zero at the end


def make_network(size: int, width: int = 128) -> nn.Sequential:
    """From afterstates [L, N] to their values for the observing seat: [L, 1]."""
    return nn.Sequential(nn.Linear(size, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))


@torch.no_grad()
def worth(network: nn.Sequential, starts: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """Values [L] of afterstates [L, N]; those of game b are starts[b] to starts[b + 1] - 1."""
    weights, bias = (each.detach().cpu().numpy() for each in network[0].parameters())
    hidden = np.empty((len(seen), len(bias)), np.float32)
    add_changes(starts, seen, np.ascontiguousarray(weights.T), bias, hidden)
    values: np.ndarray = network[1:](torch.from_numpy(hidden).to(device_of(network))).squeeze(-1).cpu().numpy()
    return values


@kernel
def add_changes(starts, seen, weights, bias, hidden):
    """Write the first layer [L, H] of afterstates [L, N]: of each move only what changes against the one before it.

    These are some 25 of 510 numbers in OddVille, 9 of 565 in Old Town: it takes less than half the time of a product.
    """
    changed = np.empty(seen.shape[1], np.int64)
    for game in range(starts.size - 1):
        before, sums = np.zeros(seen.shape[1], np.float32), bias
        for move in range(starts[game], starts[game + 1]):
            count = 0
            for index in range(before.size):
                changed[count] = index
                count += seen[move, index] != before[index]
            hidden[move] = sums
            for index in changed[:count]:
                difference = seen[move, index] - before[index]
                for unit in range(bias.size):
                    hidden[move, unit] += difference * weights[index, unit]
            before, sums = seen[move], hidden[move]


def device_of(network: nn.Sequential) -> torch.device:
    """The device of a network's weights."""
    return next(network.parameters()).device


def tensors_of(network: nn.Sequential) -> dict[str, np.ndarray]:
    """The weights by the names that `oddville_agents.policies.afterstates` gives them."""
    plain = [each.detach().cpu().numpy() for each in network.parameters()]
    return {name: each.T if each.ndim == 2 else each for name, each in zip(afterstates.KINDS, plain, strict=True)}


class Greedy(Agent):
    """Plays the move with the most valuable afterstate."""

    name, version = "afterstates", "1"

    def __init__(self, network: nn.Sequential) -> None:
        self.network = network

    def act(self, view: View) -> int:
        """The id of a legal move."""
        ids, seen = view.afterstates(ENCODING)
        return int(ids[worth(self.network, np.array([0, len(ids)]), seen).argmax()])

    def batch_agent(self, tables: int) -> BatchAgent:
        """The same for many games at once."""
        return GreedyInMany(self.network)


class GreedyInMany(BatchAgent):
    """`Greedy` in many games at once."""

    def __init__(self, network: nn.Sequential) -> None:
        self.network = network

    def act(self, view: BatchView, actions: np.ndarray) -> None:
        """Write the moves of the games of the view."""
        starts, ids, seen = view.afterstates(ENCODING)
        actions[view.tables] = ids[best_of_each(starts, worth(self.network, starts, seen))]


def best_of_each(starts: np.ndarray, values: np.ndarray) -> np.ndarray:
    """First index of the highest value [L] of each game, whose values are starts[b] to starts[b + 1] - 1: int64 [B]."""
    highest = np.maximum.reduceat(values, starts[:-1])
    best = np.flatnonzero(values == np.repeat(highest, np.diff(starts)))
    return best[np.searchsorted(best, starts[:-1])]


def returns(values: np.ndarray, end: float) -> np.ndarray:
    """TD(lambda)'s target for each value of a chain that ended with `end`: float32 [its length]."""
    target, found = end, []
    for following in [end, *values[:0:-1].tolist()]:
        target = (1 - LAMBDA) * following + LAMBDA * target
        found.append(target)
    return np.array(found[::-1], np.float32)


class Chains:
    """The afterstates [N] and values of the games that are played: a chain for each seat of each game."""

    def __init__(self, chains: int, size: int, longest: int = 128) -> None:
        self.seen, self.values = np.zeros((chains, longest, size), np.float32), np.zeros((chains, longest), np.float32)
        self.lengths = np.zeros(chains, np.int64)

    def add(self, chains: np.ndarray, seen: np.ndarray, values: np.ndarray) -> None:
        """Add an afterstate [B, N] and its value [B] to each of these chains, int64 [B]."""
        at = self.lengths[chains]
        if at.max() == self.seen.shape[1]:
            self.seen, self.values = (np.concatenate([each, each], axis=1) for each in (self.seen, self.values))
        self.seen[chains, at], self.values[chains, at] = seen, values
        self.lengths[chains] += 1

    def take(self, chain: int) -> tuple[np.ndarray, np.ndarray]:
        """The afterstates and values of a chain, which is empty then."""
        length, self.lengths[chain] = self.lengths[chain], 0
        return self.seen[chain, :length], self.values[chain, :length]


class Memory:
    """The last afterstates with their target values."""

    def __init__(self, size: int) -> None:
        self.seen, self.targets, self.number = np.zeros((KEPT, size), np.float32), np.zeros(KEPT, np.float32), 0

    def add(self, seen: np.ndarray, targets: np.ndarray) -> None:
        """Add a chain in place of the oldest ones."""
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
    network: nn.Sequential,
    games: "oddville_env.OddVilleSelfPlayEnv",
    seconds: float,
    seed: int,
    watch: Callable[[int, float], None] = lambda decisions, loss: None,
) -> int:
    """Play and learn for so many seconds of CPU; returns the number of decisions.

    watch: called after each gradient step with decisions so far and the loss.
    """
    rng, memory = np.random.default_rng(seed), Memory(games.encoder.size)
    optimizer = torch.optim.Adam(network.parameters(), fused=True)
    chains, first = Chains(GAMES * PLAYERS, games.encoder.size), PLAYERS * np.arange(GAMES)
    _, info = games.reset(seed=seed)
    begun, decisions = time.process_time(), 0
    while (spent := time.process_time() - begun) < seconds:
        starts, ids, seen = games.afterstates()
        values = worth(network, starts, seen)
        strays = rng.random(GAMES) < EXPLORE
        chosen = np.where(strays, rng.integers(starts[:-1], starts[1:]), best_of_each(starts, values))
        chains.add(first + info["seat"], seen[chosen], values[chosen])
        _, rewards, terminated, truncated, info = games.step(ids[chosen])
        for game in np.flatnonzero(terminated | truncated).tolist():
            for seat in range(PLAYERS):
                behind, worths = chains.take(game * PLAYERS + seat)
                memory.add(behind, returns(worths, float(rewards[game, seat]) * SCALE))
        decisions += GAMES
        if memory.number > BATCH:
            optimizer.param_groups[0]["lr"] = RATE * (1 - spent / seconds)
            of, targets = (each.to(device_of(network)) for each in memory.draw(rng))
            loss = (network(of).squeeze(-1) - targets).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            watch(decisions, loss.item())
    return decisions


def main(
    game: GameName = "oddville",
    minutes: Minutes = 5,
    games: Games = 400,
    seed: Seed = 0,
    out: Annotated[Path | None, typer.Option(help="Write the network to this .safetensors file.")] = None,
    device: Device = "cpu",
    curve: CurveFile = None,
) -> None:
    """Learn by self-play, then play against `random` and a heuristic."""
    seed_torch(seed)
    batch = make_games(game)
    network, progress = make_network(batch.encoder.size).to(device), Curve(curve)

    def watch(decisions: int, loss: float) -> None:
        if decisions % (500 * GAMES) == 0:
            progress.add(decisions, loss=loss)

    decisions = learn(network, batch, 60 * minutes, seed, watch)
    network.to("cpu")
    typer.echo(f"{decisions:,} decisions")
    if out is not None:
        afterstates.save(out, game, tensors_of(network), {})
    anchors = {"oddville": ["random", "greedy:weights=simple"], "oldtown": ["random", "greedy"]}[game]
    play_against(anchors, Greedy(network), games, seed, game)


if __name__ == "__main__":
    typer.run(main)
