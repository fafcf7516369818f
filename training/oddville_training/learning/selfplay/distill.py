"""Fitting the network of `champion`: what search makes of the moves from a position, at one look.

Letters of shapes: N positions, E moves from them, P seats. A move's score is the mover's log odds behind it, times a
sharpness that is learned too; the softmax of a position's scores should be as the search's visits are.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from oddville_agents.oddville.value.layout import OWN_SIZE, SHARED_SIZE
from oddville_env.oddville.rules.actions import Kind
from oddville_env.oddville.rules.box import Box
from oddville_training.learning.selfplay.fit import HELD_BACK, Fit, Network
from oddville_training.learning.selfplay.positions import Positions
from oddville_training.learning.selfplay.rows import ITSELF, see

OF_VALUES = 0.25  # weight of the values behind moves, beside that of the visits
SHARPNESS = 3.0  # to begin with
POWER = 2.0  # of the visits: few of them are spread more widely than many would be
VISITED = 3  # visits of a move whose value is believed


class Choices(NamedTuple):
    """Positions with all their moves, each imagined."""

    own: np.ndarray  # float16 [E, P, OWN_SIZE]
    shared: np.ndarray  # float16 [E, SHARED_SIZE]
    odds: np.ndarray  # float32 [E, P]
    visits: np.ndarray  # float32 [E]: how often each move should be chosen, summing to 1 for a position
    values: np.ndarray  # float32 [E, P]: behind the move, 0 where it was not visited enough
    over: np.ndarray  # bool [E]: the game is over behind the move
    starts: np.ndarray  # int64 [N + 1]: where a position's moves begin
    movers: np.ndarray  # int8 [N]
    games: np.ndarray  # int32 [N]


def make_choices(box: Box, weights: np.ndarray, positions: Positions, most: int, rng: np.random.Generator) -> Choices:
    """At most so many positions, none behind whose moves the game may be over."""
    states = positions.states
    counts = np.diff(positions.edges)
    chosen = np.sort(rng.permutation(np.flatnonzero(counts > 1))[:most])
    counts = counts[chosen]
    starts = np.concatenate([[0], np.cumsum(counts)])
    edges = np.repeat(positions.edges[chosen] - starts[:-1], counts) + np.arange(starts[-1])
    at, actions = np.repeat(chosen, counts), positions.actions[edges].astype(np.int64)
    moves = np.where(box.record[0].kind[actions] == Kind.FLIP, ITSELF, actions)
    own = np.zeros((len(at), box.players, OWN_SIZE), np.float16)
    shared = np.zeros((len(at), SHARED_SIZE), np.float16)
    odds, alive = np.zeros((len(at), box.players), np.float32), np.zeros(len(at), np.bool_)
    see(box, weights, states, at, moves, own, shared, odds, alive)
    number = positions.visits[edges]
    visits = number.astype(np.float32) ** POWER
    shares = visits / np.repeat(np.maximum(np.add.reduceat(visits, starts[:-1]), 1), counts)
    values = np.where(number[:, None] >= VISITED, positions.behind[edges, : box.players], 0).astype(np.float32)
    movers = states["to_move"][chosen]
    return Choices(own, shared, odds, shares, values, ~alive, starts, movers, positions.games[chosen])


def joined(many: list[Choices]) -> Choices:
    """Several sets as one; their games keep their numbers."""
    before = np.cumsum([0] + [int(one.starts[-1]) for one in many])
    plain = {name: np.concatenate([getattr(one, name) for one in many]) for name in Choices._fields if name != "starts"}
    starts = [one.starts[:-1] + start for one, start in zip(many, before, strict=False)]
    return Choices(**plain, starts=np.concatenate([*starts, before[-1:]]))


class Student(nn.Module):
    """A network and the sharpness of its choices."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network
        self.sharpness = nn.Parameter(torch.tensor(SHARPNESS))


def loss_of(student: Student, choices: Choices, at: np.ndarray) -> tuple[Tensor, float]:
    """The loss on positions number `at`, and how often the most visited move has the highest score."""
    counts = np.diff(choices.starts)[at]
    first = np.concatenate([[0], np.cumsum(counts)])
    edges = np.repeat(choices.starts[at] - first[:-1], counts) + np.arange(first[-1])
    group = torch.from_numpy(np.repeat(np.arange(len(at)), counts))
    mover = torch.from_numpy(choices.movers[at].astype(np.int64))[group][:, None]
    own, shared, odds, visits, values = (
        torch.from_numpy(array[edges].astype(np.float32))
        for array in (choices.own, choices.shared, choices.odds, choices.visits, choices.values)
    )
    over = torch.from_numpy(choices.over[edges])
    chances = (odds + student.network(own, shared)).log_softmax(1)
    mine = chances.gather(1, mover).squeeze(1)
    others = torch.log1p(-mine.exp().clamp(max=1 - 1e-6))
    scores = (student.sharpness * (mine - others)).masked_fill(over, -30.0)
    highest = torch.full((len(at),), -torch.inf).scatter_reduce(0, group, scores, "amax")
    total = torch.zeros(len(at)).index_add(0, group, (scores - highest[group]).exp())
    policy = scores - highest[group] - total.log()[group]
    alive = ~over
    of_visits = -(visits * policy)[alive].sum() / len(at)
    of_values = -(values * chances)[alive].sum() / values[alive].sum().clamp(min=1)
    best = torch.zeros(len(at)).scatter_reduce(0, group, visits, "amax")
    right = ((scores == highest[group]) & (visits == best[group])).sum().item() / len(at)
    loss: Tensor = of_visits + OF_VALUES * of_values
    return loss, right


def judged(student: Student, choices: Choices, at: np.ndarray, batch: int = 1024) -> tuple[float, float]:
    """Loss and agreement on positions that the network was not fitted to."""
    found = []
    with torch.inference_mode():
        for low in range(0, len(at), batch):
            loss, right = loss_of(student, choices, at[low : low + batch])
            found.append((float(loss), right, len(at[low : low + batch])))
    losses, rights, sizes = np.array(found).T
    return float(np.average(losses, weights=sizes)), float(np.average(rights, weights=sizes))


def fit(student: Student, choices: Choices, how: Fit, seed: int) -> Iterator[tuple[int, float, float]]:
    """Fit in place; after each epoch its number, loss and agreement on games held back. The rate falls to 0."""
    torch.set_num_threads(how.threads)
    rng = np.random.default_rng(seed)
    back = choices.games % HELD_BACK == 0
    mine, others = np.flatnonzero(~back), np.flatnonzero(back)
    steps = how.epochs * (len(mine) // how.batch)
    optimizer = torch.optim.AdamW(student.parameters(), how.rate, weight_decay=how.decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, how.rate, steps + 1, pct_start=0.1)
    for epoch in range(how.epochs):
        order = rng.permutation(mine)
        for low in range(0, len(order) - how.batch + 1, how.batch):
            optimizer.zero_grad()
            loss_of(student, choices, np.sort(order[low : low + how.batch]))[0].backward()
            optimizer.step()
            schedule.step()
        yield epoch + 1, *judged(student, choices, others)
