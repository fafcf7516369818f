"""Several agents taking turns at being the opponent: one at each table of a crowd, one game after the other alone."""

from collections.abc import Sequence

import numpy as np

from oddville_agents.agent import Agent, Crowd
from oddville_env.oddville.rules.box import Box


class Mixture(Agent):
    """In a crowd the agents are dealt out to the tables in order; alone each plays one game, then the next does."""

    def __init__(self, agents: Sequence[Agent]) -> None:
        self._agents, self._games = list(agents), -1
        self.name = "+".join(agent.name for agent in agents)

    def reset(self, seat: int, players: int, seed: int) -> None:
        """The next agent's game begins."""
        self._games += 1
        self._now.reset(seat, players, seed)

    @property
    def _now(self) -> Agent:
        return self._agents[max(self._games, 0) % len(self._agents)]

    def act(self, observation: np.ndarray, mask: np.ndarray) -> int:
        """The move of the agent whose game it is."""
        return self._now.act(observation, mask)

    def act_on(self, box: Box, games: np.ndarray, index: int, mask: np.ndarray) -> int:
        """The move of the agent whose game it is."""
        return self._now.act_on(box, games, index, mask)

    def crowd(self, tables: int) -> "MixedCrowd":
        """The agents, dealt out to the tables."""
        return MixedCrowd([agent.crowd(tables) for agent in self._agents])


class MixedCrowd(Crowd):
    """Several crowds that share the tables: the t-th table belongs to the t-th of them, round and round."""

    def __init__(self, crowds: Sequence[Crowd]) -> None:
        self._crowds = crowds

    def reset(self, table: int, seat: int, players: int, seed: int) -> None:
        """A game begins at a table of one of them."""
        self._crowds[table % len(self._crowds)].reset(table, seat, players, seed)

    def act_on(self, box: Box, games: np.ndarray, tables: np.ndarray, masks: np.ndarray, actions: np.ndarray) -> None:
        """Every crowd moves at its own tables."""
        for turn, crowd in enumerate(self._crowds):
            own = tables[tables % len(self._crowds) == turn]
            if len(own):
                crowd.act_on(box, games, own, masks, actions)
