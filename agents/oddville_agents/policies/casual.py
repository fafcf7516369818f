"""`casual`: a Boltzmann policy over a value of each move, a weaker and human-like opponent.

A move is drawn with probability proportional to exp(value / temperature) (quantal response, McKelvey and Palfrey 1995).
"""

from abc import abstractmethod

import numpy as np

from oddville_agents.agent import Agent, Opinion
from oddville_agents.options import Option
from oddville_env.core.checked.kinds import above_zero
from oddville_env.core.game.view import View

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
