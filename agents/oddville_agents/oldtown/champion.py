"""`champion`: tries its moves in a few deals of what it cannot know, and weights by a network some turns later.

All its chance follows from what it sees, so that it plays the same move wherever it sees the same.
"""

from zlib import crc32

import numpy as np

from oddville_agents.agent import Agent, Opinion
from oddville_agents.networks.graph import Graph
from oddville_agents.oldtown.heuristic.weights import weight_set
from oddville_agents.oldtown.search import race
from oddville_agents.oldtown.value.evaluator import make_evaluator
from oddville_agents.oldtown.value.files import network_of
from oddville_agents.oldtown.value.graph import value_graph
from oddville_agents.options import NetworkName
from oddville_env.core.game.view import View
from oddville_env.oldtown.rules.box import Box

PLAY_OUTS = 60


class ChampionAgent(Agent):
    """A race of at most so many play-outs."""

    name = "champion"
    version = "2"

    def __init__(self, network: NetworkName = "learned") -> None:
        self._network = network
        self._evaluators = make_evaluator(network_of(network))  # a wrong name is told at once
        self._params = race.RaceParams()
        self._box: Box | None = None

    def __deepcopy__(self, memo: dict[int, object]) -> "ChampionAgent":
        return self._new_with(self._network)

    def act(self, view: View) -> int:
        """The move with the best chances, the first of equals."""
        if np.count_nonzero(view.mask) == 1:
            return int(view.mask.argmax())
        return int(race.best_first(self._run(view), view.seat, self._params)[0])

    def opinion(self, view: View) -> Opinion:
        """The moves with the best chances first."""
        found = self._run(view)
        return Opinion(race.candidates(found, view, self._params), int(found.deals.sum()))

    def graph(self) -> Graph:
        """The network."""
        return value_graph(network_of(self._network))

    def _run(self, view: View) -> race.Race:
        """The race of the legal moves."""
        if view.box is not self._box:
            self._box, self._scratch = view.box, race.make_scratch(view.box)
        games, seed = view.state, seed_of(view.state)
        weights = weight_set("tuned", view.players)
        found = race.begin(view.box, games, view.mask, self._evaluators, self._scratch)
        everything = (games, weights, self._evaluators, found, self._scratch, seed)
        race.run(view.box.record, *everything, PLAY_OUTS, self._params)
        return found


def seed_of(games: np.ndarray) -> np.uint64:
    """A seed that follows from a state [1] alone: from its fields, for what lies between them is anything."""
    return np.uint64(crc32(b"".join(games[name].tobytes() for name in games.dtype.names or ())))
