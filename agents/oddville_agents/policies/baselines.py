"""`random`, and the base of `casual`, for any game."""

from abc import abstractmethod

import numpy as np

from oddville_agents.agent import Agent, BatchAgent, Opinion
from oddville_agents.roster import Option
from oddville_env.core.checked import above_zero
from oddville_env.core.compiled.jit import kernel
from oddville_env.core.game.view import BatchView, View
from oddville_env.core.parts.chance import random_move


class RandomAgent(Agent):
    """Plays uniformly random legal moves."""

    name = "random"

    def __init__(self) -> None:
        self.reset(0, 0, 0)

    def reset(self, seat: int, players: int, seed: int) -> None:
        """Start the sequence of moves of this seed."""
        self._seed, self._moves = np.uint64(seed), 0

    def act(self, view: View) -> int:
        """Return a random legal id."""
        self._moves += 1
        return int(random_move(view.mask, self._seed, self._moves))

    def batch_agent(self, tables: int) -> "RandomBatchAgent":
        """Return the same agent for many tables."""
        return RandomBatchAgent(tables)


class RandomBatchAgent(BatchAgent):
    """`random` at many tables, in one compiled loop."""

    def __init__(self, tables: int) -> None:
        self._seeds, self._moves = np.zeros(tables, np.uint64), np.zeros(tables, np.int64)

    def reset(self, table: int, seat: int, players: int, seed: int) -> None:
        """Start a table's sequence of moves."""
        self._seeds[table], self._moves[table] = seed, 0

    def act(self, view: BatchView, actions: np.ndarray) -> None:
        """Write random legal ids."""
        random_moves(view.tables, view.masks, self._seeds, self._moves, actions)


@kernel
def random_moves(tables, masks, seeds, moves, actions):
    """Write the next random legal move of each of the tables [T]."""
    for table in tables:
        moves[table] += 1
        actions[table] = random_move(masks[table], seeds[table], moves[table])


TEMPERATURE = Option(above_zero(1000.0), "softmax temperature in units of its values; lower plays better")


class CasualAgent(Agent):
    """Draw a move by its value; a subclass defines the value."""

    name = "casual"

    def __init__(self, temperature: float) -> None:
        self._temperature = temperature

    @abstractmethod
    def judge(self, view: View) -> np.ndarray:
        """Return the value of each legal move for the seat to move, float64 in the order of `view.actions`."""

    def act(self, view: View) -> int:
        """Return a move, drawn by its value."""
        return int(view.rng.choice(view.actions, p=self._shares(view)))

    def opinion(self, view: View) -> Opinion:
        """Return the legal moves with their probabilities, the most likely first."""
        return Opinion.of_shares(view.actions, self._shares(view))

    def _shares(self, view: View) -> np.ndarray:
        values = self.judge(view)
        with np.errstate(over="ignore"):  # a low temperature leaves no probability to worse moves
            weights = np.exp((values - values.max()) / self._temperature)
        return np.asarray(weights / weights.sum())
