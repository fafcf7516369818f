"""`heuristic`: one-ply search, the move with the highest expected final lead behind it (choice.py)."""

from typing import Annotated

import numpy as np

from oddville_agents.agent import Agent, Candidate, Opinion, StatelessBatchAgent
from oddville_agents.oldtown.heuristic.choice import best_move, best_move_of_many, leads_after_moves
from oddville_agents.oldtown.heuristic.weights import WEIGHTS_TEXT, weight_set
from oddville_agents.options import Option
from oddville_env.core.checked.kinds import text
from oddville_env.core.game.view import BatchView, View


class HeuristicAgent(Agent):
    """Looks one move ahead."""

    name = "heuristic"

    def __init__(self, weights: Annotated[str, Option(text(), f"its weights: {WEIGHTS_TEXT}")] = "tuned") -> None:
        self._name = weights
        weight_set(weights, 2)  # a wrong name is told at once

    def act(self, view: View) -> int:
        """The move with the highest expected lead, the first of equals."""
        return int(best_move(view.box.record, view.state, 0, view.mask, weight_set(self._name, view.players)))

    def opinion(self, view: View) -> Opinion:
        """The moves with the highest expected lead first."""
        leads = np.full(view.mask.size, -np.inf)
        leads_after_moves(view.box.record, view.state, 0, view.mask, weight_set(self._name, view.players), leads)
        order = view.actions[np.argsort(-leads[view.actions], kind="stable")]
        return Opinion(tuple(Candidate(int(action), float(action == order[0])) for action in order))

    def batch_agent(self, tables: int) -> StatelessBatchAgent:
        """The same agent at every table, in one compiled loop."""
        return StatelessBatchAgent(self._write_moves)

    def _write_moves(self, view: BatchView, actions: np.ndarray) -> None:
        """The moves with the highest expected lead."""
        weights = weight_set(self._name, int(view.box.players))
        best_move_of_many(view.box.record, view.states, view.tables, view.masks, weights, actions)
