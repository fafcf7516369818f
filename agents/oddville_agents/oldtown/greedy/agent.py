"""`greedy`: plays what brings the most points at once."""

import numpy as np

from oddville_agents.agent import Agent, StatelessBatchAgent
from oddville_agents.oldtown.greedy.choice import best_at_once, best_at_once_of_many
from oddville_env.core.view import BatchView, View


class GreedyAgent(Agent):
    """The most points at once; of buildings the one with the most tokens on the board; the first of equals."""

    name = "greedy"

    def act(self, view: View) -> int:
        """The move that brings the most points."""
        return int(best_at_once(view.box.record, view.state, 0, view.mask))

    def batch_agent(self, tables: int) -> StatelessBatchAgent:
        """The same agent at every table, in one compiled loop."""
        return StatelessBatchAgent(write_moves)


def write_moves(view: BatchView, actions: np.ndarray) -> None:
    """The moves that bring the most points."""
    best_at_once_of_many(view.box.record, view.states, view.tables, view.masks, actions)
