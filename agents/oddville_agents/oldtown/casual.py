"""`casual` in Old Town: a move's value is the lead that the heuristic expects after it, in points."""

from typing import Annotated

import numpy as np

from oddville_agents.oldtown.heuristic.choice import leads_after_moves
from oddville_agents.oldtown.heuristic.weights import weight_set
from oddville_agents.policies.casual import TEMPERATURE, CasualAgent
from oddville_env.core.game.view import View


class OldTownCasualAgent(CasualAgent):
    """Draws a move by the leads that the heuristic expects."""

    def __init__(self, temperature: Annotated[float, TEMPERATURE] = 1.0) -> None:
        super().__init__(temperature)

    def judge(self, view: View) -> np.ndarray:
        """The expected lead after each move, in points."""
        leads = np.full(view.mask.size, -np.inf)
        leads_after_moves(view.box.record, view.state, 0, view.mask, weight_set("tuned", view.players), leads)
        return np.asarray(leads[view.actions])
