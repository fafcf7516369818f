"""`casual`: plays like somebody at ease: among good moves it does not see which is best, and bad ones it seldom plays.

A move is drawn with a probability in proportion to exp(value / temperature) (softmax; the quantal response of McKelvey
and Palfrey 1995): the smaller a mistake is, the more often it is made. What a value is, each game says.
"""

from abc import abstractmethod

import numpy as np

from oddville_agents.agent import Agent, Opinion
from oddville_agents.options import Option
from oddville_env.core.checked.kinds import above_zero
from oddville_env.core.game.view import View

TEMPERATURE = Option(above_zero(1000.0), "how far it errs, in units of its values: the less, the better it plays")


class CasualAgent(Agent):
    """Draws a move by its value; a game's own class says what the values are."""

    name = "casual"

    def __init__(self, temperature: float) -> None:
        self._temperature = temperature

    @abstractmethod
    def judge(self, view: View) -> np.ndarray:
        """The value of each legal move for the seat to move, float64 in the order of `view.actions`."""

    def act(self, view: View) -> int:
        """A move, drawn by its value."""
        return int(view.rng.choice(view.actions, p=self._shares(view)))

    def opinion(self, view: View) -> Opinion:
        """The moves with the best values first, with the probability of each."""
        return Opinion.of_shares(view.actions, self._shares(view))

    def _shares(self, view: View) -> np.ndarray:
        values = self.judge(view)
        with np.errstate(over="ignore"):  # what looks worse has no share where it is so cold
            weights = np.exp((values - values.max()) / self._temperature)
        return np.asarray(weights / weights.sum())
