"""`casual` in Old Town: a move's value is the heuristic's expected lead after it, in points."""

from typing import Annotated

import numpy as np

from oddville_agents.oldtown.heuristic.choice import leads_after_moves
from oddville_agents.oldtown.heuristic.weights import weight_set
from oddville_agents.policies.casual import TEMPERATURE, CasualAgent
from oddville_env.core.game.view import View


class OldTownCasualAgent(CasualAgent):
    """Boltzmann policy over the heuristic's expected leads."""

    def __init__(self, temperature: Annotated[float, TEMPERATURE] = 1.0) -> None:
        super().__init__(temperature)

    def judge(self, view: View) -> np.ndarray:
        """Return the expected lead after each legal move, in points."""
        leads = np.full(view.mask.size, -np.inf)
        leads_after_moves(view.box.record, view.state, 0, view.mask, weight_set("tuned", view.players), leads)
        return np.asarray(leads[view.actions])
