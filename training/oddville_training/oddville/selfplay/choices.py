"""The moves that a search looked at, as targets for a network: expert iteration (Anthony, Tian and Barber 2017).

    loss = -sum over moves of: visits(move) ** POWER / sum x ln softmax(sharpness x log odds behind the move)
           - VALUE_WEIGHT x mean over moves of the sum over seats of: value(seat) x ln chance(seat)

The log odds are the mover's, by the network; the sharpness is learned too. Letters of shapes: N positions, E moves from
them, P seats.
"""

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from oddville_env.oddville.rules.actions import Kind
from oddville_env.oddville.rules.box import Box
from oddville_training.oddville.selfplay.network import CorrectionNetwork
from oddville_training.oddville.selfplay.positions import Positions
from oddville_training.oddville.selfplay.rows import ITSELF, see

VALUE_WEIGHT = 0.25  # weight of the loss of values behind moves, beside that of visits
POWER = 2.0  # of the visits: few of them are spread more widely than many would be
VISITED = 3  # visits of a move whose value is a target
OVER = -30.0  # the score of a move behind which the game is over: what it is worth is known
LARGEST = 1 - 1e-6  # chance


class Choices(NamedTuple):
    """Positions with all their moves, and what the network reads behind each."""

    own: np.ndarray  # float16 [E, P, OWN_SIZE]
    shared: np.ndarray  # float16 [E, SHARED_SIZE]
    odds: np.ndarray  # float32 [E, P]
    visits: np.ndarray  # float32 [E]: how often each move should be chosen, summing to 1 for a position
    values: np.ndarray  # float32 [E, P]: behind the move, 0 where it was not visited enough
    over: np.ndarray  # bool [E]: the game is over behind the move
    starts: np.ndarray  # int64 [N + 1]: where a position's moves begin
    movers: np.ndarray  # int8 [N]
    numbers: np.ndarray  # int32 [N]: of the games

    def loss(self, network: CorrectionNetwork, at: np.ndarray) -> Tensor:
        """The mean loss of some positions."""
        counts = np.diff(self.starts)[at]
        first = np.concatenate([[0], np.cumsum(counts)])
        edges = np.repeat(self.starts[at] - first[:-1], counts) + np.arange(first[-1])
        group = torch.from_numpy(np.repeat(np.arange(len(at)), counts))
        mover = torch.from_numpy(self.movers[at].astype(np.int64))[group][:, None]
        own, shared, odds, visits, values = (torch.from_numpy(array)[edges].float() for array in self[:5])
        over = torch.from_numpy(self.over[edges])
        chances = (odds + network(own, shared)).log_softmax(1)
        mine = chances.gather(1, mover).squeeze(1)
        others = torch.log1p(-mine.exp().clamp(max=LARGEST))
        scores = (network.sharpness * (mine - others)).masked_fill(over, OVER)
        policy = scores - _log_sums(scores, group, len(at))[group]
        of_visits = -(visits * policy)[~over].sum() / len(at)
        of_values = -(values * chances)[~over].sum() / values[~over].sum().clamp(min=1)
        loss: Tensor = of_visits + VALUE_WEIGHT * of_values
        return loss


def _log_sums(scores: Tensor, group: Tensor, groups: int) -> Tensor:
    """The logarithm of the sum of the exponentials of each group's scores, [groups]."""
    highest = torch.full((groups,), -torch.inf).scatter_reduce(0, group, scores.detach(), "amax")
    sums = torch.zeros(groups).index_add(0, group, (scores - highest[group]).exp())
    return highest + sums.log()


def make_choices(box: Box, weights: np.ndarray, positions: Positions) -> Choices:
    """The choices in positions that were searched."""
    states = positions.states
    counts = np.diff(positions.edges)
    chosen = np.flatnonzero(counts > 1)
    counts = counts[chosen]
    starts = np.concatenate([[0], np.cumsum(counts)])
    edges = np.repeat(positions.edges[chosen] - starts[:-1], counts) + np.arange(starts[-1])
    at, actions = np.repeat(chosen, counts), positions.actions[edges].astype(np.int64)
    moves = np.where(box.record[0].kind[actions] == Kind.FLIP, ITSELF, actions)
    own, shared, odds, alive = see(box, weights, states, at, moves)
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
