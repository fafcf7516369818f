"""`casual` in OddVille: a move's value is the seat's chance to win after it, by the value function of `greedy`."""

from typing import Annotated

import numpy as np

from oddville_agents.oddville.greedy import GreedyAgent
from oddville_agents.policies.casual import TEMPERATURE, CasualAgent
from oddville_env.core.game.view import View


class OddVilleCasualAgent(CasualAgent):
    """Boltzmann policy over the chances to win one move ahead."""

    def __init__(self, temperature: Annotated[float, TEMPERATURE] = 0.05) -> None:
        super().__init__(temperature)
        self._greedy = GreedyAgent()

    def judge(self, view: View) -> np.ndarray:
        """Return the seat's chance to win after each legal move."""
        chances = {candidate.action: candidate.values[view.seat] for candidate in self._greedy.opinion(view).candidates}
        return np.array([chances[action] for action in view.actions.tolist()])
