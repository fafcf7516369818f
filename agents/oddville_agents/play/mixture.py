"""Several agents as one opponent: a different one at each table, or in each game."""

from collections.abc import Sequence

import numpy as np

from oddville_agents.agent import Agent, BatchAgent
from oddville_agents.player import MOVING, SEATED, TOLD, faults_of, name_of
from oddville_env.core.game.view import BatchView, View


class Mixture(Agent):
    """Several agents: in a batch table t belongs to agent t modulo their number; alone they take turns, a game each."""

    def __init__(self, agents: Sequence[Agent]) -> None:
        self._agents, self._games = list(agents), -1
        self.name = "+".join(agent.name for agent in agents)

    def reset(self, seat: int, players: int, seed: int) -> None:
        """Start a game of the next agent."""
        self._games += 1
        with faults_of(name_of(self._now), TOLD):
            self._now.reset(seat, players, seed)

    @property
    def _now(self) -> Agent:
        return self._agents[max(self._games, 0) % len(self._agents)]

    def act(self, view: View) -> int:
        """Return the move of the agent whose game it is."""
        with faults_of(name_of(self._now), MOVING):
            return self._now.act(view)

    def batch_agent(self, tables: int) -> "MixedBatchAgent":
        """Return the agents for many tables."""
        return MixedBatchAgent(self._agents, tables)


class MixedBatchAgent(BatchAgent):
    """Batch agents that share the tables in turn."""

    def __init__(self, agents: Sequence[Agent], tables: int) -> None:
        self._batch_agents: list[tuple[str, BatchAgent]] = []
        for agent in agents:
            name = name_of(agent)
            with faults_of(name, SEATED):
                self._batch_agents.append((name, agent.batch_agent(tables)))

    def reset(self, table: int, seat: int, players: int, seed: int) -> None:
        """Start a game at a table."""
        name, batch_agent = self._batch_agents[table % len(self._batch_agents)]
        with faults_of(name, TOLD):
            batch_agent.reset(table, seat, players, seed)

    def act(self, view: BatchView, actions: np.ndarray) -> None:
        """Write the moves, each agent at its own tables."""
        for turn, (name, batch_agent) in enumerate(self._batch_agents):
            own = view.tables[view.tables % len(self._batch_agents) == turn]
            if len(own):
                with faults_of(name, MOVING):
                    batch_agent.act(view.at(own), actions)
