"""`random`: every legal move is equally likely."""

import numpy as np

from oddville_agents.agent import Agent
from oddville_env.rules import batch
from oddville_env.rules.box import Box
from oddville_env.settings import game_seeds


class RandomAgent(Agent):
    """Plays uniformly random legal moves."""

    name = "random"

    def __init__(self) -> None:
        self.reset(0, 0, 0)

    def reset(self, seat: int, players: int, seed: int) -> None:
        """The moves follow from the seed."""
        self._seed = game_seeds(seed)[0]
        self._moves = 0

    def act(self, observation: np.ndarray, mask: np.ndarray) -> int:
        """A random legal id; the observation is not looked at."""
        self._moves += 1
        return int(batch.random_move(mask, self._seed, self._moves))

    def act_on(self, box: Box, games: np.ndarray, index: int, mask: np.ndarray) -> int:
        """A random legal id."""
        return self.act(mask, mask)
