"""`champion`: a race of few play-outs, valued by a network that learned by self-play.

All its randomness follows from what it sees, so it plays the same move in equal views.
"""

from zlib import crc32

import numpy as np

from oddville_agents.networks.graph import Graph
from oddville_agents.oldtown.race import Race, RaceAgent
from oddville_agents.oldtown.value.graph import value_graph
from oddville_agents.oldtown.value.network import network_of
from oddville_agents.options import NetworkName
from oddville_env.core.game.view import View

PLAY_OUTS = 60


class ChampionAgent(RaceAgent):
    """A race of at most so many play-outs."""

    name = "champion"

    def __init__(self, network: NetworkName = "learned") -> None:
        super().__init__(network, "tuned")

    def __deepcopy__(self, memo: dict[int, object]) -> "ChampionAgent":
        return self._new_with(self._network)

    def graph(self) -> Graph:
        """Return the network."""
        return value_graph(network_of(self._network))

    def search(self, view: View) -> tuple[Race, None]:
        """Return the race of the legal moves."""
        race = self.begin(view)
        self.run(view, race, seed_of(view.state), PLAY_OUTS)
        return race, None


def seed_of(games: np.ndarray) -> np.uint64:
    """Return a seed that follows from the fields of a state [1]; the bytes between them are undefined."""
    return np.uint64(crc32(b"".join(games[name].tobytes() for name in games.dtype.names or ())))
