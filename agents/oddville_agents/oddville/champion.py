"""`champion`: lookahead by the learned value to the end of the turn, and beyond it where moves are close.

    move = argmax over moves of: the mover's chance to win after the rest of its turn, or after the replies to it

As in TD-Gammon (Tesauro 1995) a network trained by self-play values the positions after all moves. `value/evaluator.py`
and `value/replies.py` compute it, from nothing hidden, and need numpy and numba only. Version 1 ends at the turn and
plays by `learned`.
"""

from typing import Annotated

import numpy as np

from oddville_agents.agent import Candidate, Opinion, StatelessAgent
from oddville_agents.oddville.value import evaluator
from oddville_agents.oddville.value.formula.weights import weight_set
from oddville_agents.oddville.value.network import LEARNED, LEARNED_3, network_of
from oddville_agents.oddville.value.replies import best_move_by_replies, make_reply_scratch
from oddville_agents.player import AgentError
from oddville_agents.policies.graph import Graph
from oddville_agents.roster import Option
from oddville_env.core.checked import text, truth
from oddville_env.core.game.view import BatchView, View
from oddville_env.oddville.rules.box import Box

NETWORK_TEXT = "the value network: `learned_3`, with `reply=false` `learned`; or a `.safetensors` file"


class ChampionAgent(StatelessAgent):
    """Plays the move with the best chances by its network."""

    name = "champion"

    def __init__(
        self,
        network: Annotated[str | None, Option(text(), NETWORK_TEXT)] = None,
        reply: Annotated[bool, Option(truth(), "look at replies; `false` is version 1, by `learned`")] = True,
    ) -> None:
        self._network, self._reply = network or None, reply
        self._tensors = network_of(network or (LEARNED_3 if reply else LEARNED).stem)  # raises for unknown names
        self.version = "7" if reply else "1"
        self._box: Box | None = None

    def __deepcopy__(self, memo: dict[int, object]) -> "ChampionAgent":
        return self._new_with(self._network, self._reply)

    def opinion(self, view: View) -> Opinion:
        """Return its move first, then the others by their chances one move ahead."""
        chosen, chances = self.act(view), np.zeros((view.mask.size, view.players))
        asked = (view.box.record, view.state, 0, view.mask, self._evaluator, self._scratch.turn)
        evaluator.chances_after_moves(*asked, chances)
        order = sorted(view.actions.tolist(), key=lambda action: (action != chosen, -chances[action, view.seat]))
        found = (Candidate(each, float(each == chosen), tuple(chances[each].tolist())) for each in order)
        return Opinion(tuple(found))

    def graph(self) -> Graph:
        """Return the graph of its network. Raises AgentError for `formula`."""
        if self._tensors is None:
            raise AgentError("champion:network=formula has no network")
        return evaluator.value_graph(self._tensors)

    def write_moves(self, view: BatchView, actions: np.ndarray) -> None:
        """Write the moves with the best chances, the first of equals."""
        box = view.box
        if box is not self._box:
            self._evaluator = evaluator.make_evaluator(weight_set("search", box.players), self._tensors)
            self._box, self._scratch = box, make_reply_scratch(box)
        for index, table in enumerate(view.tables.tolist()):
            asked = (box.record, view.states, index, view.masks[table], self._evaluator)
            if self._reply:
                actions[table] = best_move_by_replies(*asked, self._scratch)
            else:
                actions[table] = evaluator.best_move_of_turn(*asked, self._scratch.turn)
