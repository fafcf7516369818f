"""`casual` in Old Town: a move's value is what the heuristic sees in it, in points."""

from typing import Annotated

import numpy as np

from oddville_agents.casual import TEMPERATURE, CasualAgent
from oddville_agents.oldtown.heuristic.choice import judge_moves
from oddville_agents.oldtown.heuristic.weights import weight_set
from oddville_env.core.view import View


class OldTownCasualAgent(CasualAgent):
    """Draws a move by its prospects."""

    def __init__(self, temperature: Annotated[float, TEMPERATURE] = 1.0) -> None:
        super().__init__(temperature)

    def judge(self, view: View) -> np.ndarray:
        """The prospects after each move."""
        worth = np.full(view.mask.size, -np.inf)
        judge_moves(view.box.record, view.state, 0, view.mask, weight_set("tuned", view.players), worth)
        return np.asarray(worth[view.actions])
