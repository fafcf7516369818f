"""`champion`: one-ply search by the learned value, and behind the best moves to the end of its own turn.

    move = argmax over moves of: the mover's chance to win behind the move, or behind the rest of its turn

`value/turn.py` computes it. So plays TD-Gammon (Tesauro 1995): a network trained by self-play values the positions
behind all moves. It looks neither beyond its turn nor at anything hidden, in compiled code and numpy alone.
"""

import numpy as np

from oddville_agents.agent import Agent, Candidate, Opinion, StatelessBatchAgent
from oddville_agents.networks.graph import Graph
from oddville_agents.oddville.value.evaluator import make_evaluator
from oddville_agents.oddville.value.formula.weights import weight_set
from oddville_agents.oddville.value.graph import value_graph
from oddville_agents.oddville.value.network.files import network_of
from oddville_agents.oddville.value.turn import best_move_of_turn, chances_after_moves, make_scratch
from oddville_agents.options import NetworkName
from oddville_agents.player import AgentError
from oddville_env.core.game.view import BatchView, View
from oddville_env.oddville.rules.box import Box


class ChampionAgent(Agent):
    """Plays the move behind which its network sees the best chances."""

    name = "champion"

    def __init__(self, network: NetworkName = "learned") -> None:
        self._tensors = network_of(network)  # a wrong name is told at once
        self._network = network
        self._box: Box | None = None

    def __deepcopy__(self, memo: dict[int, object]) -> "ChampionAgent":
        return self._new_with(self._network)

    def act(self, view: View) -> int:
        """The move with the best chances, the first of equals."""
        return self.move(view.box, view.state, 0, view.mask)

    def move(self, box: Box, states: np.ndarray, index: int, mask: np.ndarray) -> int:
        """The move in one of the states, in which all that is hidden lies in a fixed order."""
        self._load(box)
        return int(best_move_of_turn(box.record, states, index, mask, self._evaluator, self._scratch))

    def opinion(self, view: View) -> Opinion:
        """Its move first, for which it looks to the end of its turn; then those with the best chances behind them."""
        chosen, chances = self.act(view), np.zeros((view.mask.size, view.players))
        asked = (view.box.record, view.state, 0, view.mask, self._evaluator, self._scratch)
        chances_after_moves(*asked, chances)
        order = sorted(view.actions.tolist(), key=lambda action: (action != chosen, -chances[action, view.seat]))
        return Opinion(
            tuple(Candidate(action, float(action == chosen), tuple(chances[action].tolist())) for action in order)
        )

    def graph(self) -> Graph:
        """The network. Raises AgentError for the formula, which is none."""
        if self._tensors is None:
            raise AgentError("champion:network=formula has no network")
        return value_graph(self._tensors)

    def batch_agent(self, tables: int) -> StatelessBatchAgent:
        """The same agent at every table: it remembers nothing."""
        return StatelessBatchAgent(self._write_moves)

    def _write_moves(self, view: BatchView, actions: np.ndarray) -> None:
        """The moves with the best chances."""
        for place, table in enumerate(view.tables.tolist()):
            actions[table] = self.move(view.box, view.states, place, view.masks[table])

    def _load(self, box: Box) -> None:
        """Make ready for games of a box, if it is another one than before."""
        if box is self._box:
            return
        self._evaluator = make_evaluator(weight_set("search", box.players), self._tensors)
        self._scratch = make_scratch(box)
        self._box = box
