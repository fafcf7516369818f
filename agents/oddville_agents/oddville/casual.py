"""`casual` in OddVille: a move's value is its seat's chance to win after it, by greedy's value function."""

from typing import Annotated

import numpy as np

from oddville_agents.oddville.greedy import GreedyAgent
from oddville_agents.policies.casual import TEMPERATURE, CasualAgent
from oddville_env.core.game.view import View


class OddVilleCasualAgent(CasualAgent):
    """Draws a move by the chance to win after it."""

    def __init__(self, temperature: Annotated[float, TEMPERATURE] = 0.05) -> None:
        super().__init__(temperature)
        self._greedy = GreedyAgent()

    def judge(self, view: View) -> np.ndarray:
        """The seat's chance to win after each move."""
        chances = {candidate.action: candidate.values[view.seat] for candidate in self._greedy.opinion(view).candidates}
        return np.array([chances[action] for action in view.actions.tolist()])
