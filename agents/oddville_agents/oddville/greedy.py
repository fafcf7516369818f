"""`greedy`: one-ply search by the value function; `casual` draws by the same chances to win.

    move = argmax over legal moves of: relative_value of the seat to move after the move (value/formula/values.py)

Each move is tried on a copy of the game. Nothing hidden is read: reshuffles are sampled, and what a move would reveal
is not counted.
"""

from typing import Annotated

import numpy as np

from oddville_agents.agent import Candidate, Opinion, StatelessAgent
from oddville_agents.oddville.value.formula.values import value_after_move, values
from oddville_agents.oddville.value.formula.weights import WEIGHTS_TEXT, weight_set
from oddville_agents.policies.baselines import TEMPERATURE, CasualAgent
from oddville_agents.roster import NAMED, Option
from oddville_env.core.compiled.jit import kernel
from oddville_env.core.game.view import BatchView, View
from oddville_env.oddville.cards.words import NOTHING
from oddville_env.oddville.rules.box import Box


class GreedyAgent(StatelessAgent):
    """Looks one move ahead."""

    name = "greedy"

    def __init__(self, weights: Annotated[str, Option(NAMED, WEIGHTS_TEXT)] = "tuned") -> None:
        self._name = weights
        weight_set(weights, 2)  # raises for unknown names
        self._box: Box | None = None

    def opinion(self, view: View) -> Opinion:
        """Return every seat's chance to win after each move, the highest value first."""
        found, chances = np.full(view.mask.size, -np.inf), np.zeros((view.mask.size, view.players))
        weights = weight_set(self._name, view.players)
        after = self._scratch_of(view.box)
        evaluate_moves(view.box.record, view.state, 0, view.mask, weights, *after, found, chances)
        order = view.actions[np.argsort(-found[view.actions], kind="stable")].tolist()
        ranked = (Candidate(each, float(each == order[0]), tuple(chances[each].tolist())) for each in order)
        return Opinion(tuple(ranked))

    def write_moves(self, view: BatchView, actions: np.ndarray) -> None:
        """Write the moves with the highest values, the first of equals."""
        box, weights = view.box, weight_set(self._name, view.box.players)
        best_moves(box.record, view.states, view.tables, view.masks, weights, *self._scratch_of(box), actions)

    def _scratch_of(self, box: Box) -> tuple[np.ndarray, np.ndarray]:
        """A game [1] and a mask [A] to be overwritten, in which moves are tried."""
        if box is not self._box:
            self._box, self._scratch = box, (np.zeros(1, box.games), np.zeros(box.layout.size, np.bool_))
        return self._scratch


@kernel
def evaluate_moves(boxes, games, index, mask, weights, after, scratch, found, chances):
    """Write the mover's `relative_value` after every legal move, found [A], and all chances to win, chances [A, P]."""
    box, seat = boxes[0], games[index].to_move
    for action in range(mask.size):
        if mask[action]:
            after[0] = games[index]
            found[action] = value_after_move(box, after[0], action, seat, weights[0], scratch)
            values(box, after[0], weights[0], chances[action])


@kernel
def best_moves(boxes, states, tables, masks, weights, after, scratch, actions):
    """Write `best_move` at each of the tables [T] with states [T]; actions and masks are those of all tables."""
    for index, table in enumerate(tables):
        actions[table] = best_move(boxes, states, index, masks[table], weights, after, scratch)


@kernel
def best_move(boxes, games, index, mask, weights, after, scratch):
    """Return the id of the move with the highest value, the first of equals; overwrites after [1] and scratch [A]."""
    box, seat = boxes[0], games[index].to_move
    best, most = NOTHING, -np.inf
    for action in range(mask.size):
        if mask[action]:
            after[0] = games[index]
            value = value_after_move(box, after[0], action, seat, weights[0], scratch)
            if value > most:
                best, most = action, value
    return best


class OddVilleCasualAgent(CasualAgent):
    """Boltzmann policy over the chances to win one move ahead."""

    def __init__(self, temperature: Annotated[float, TEMPERATURE] = 0.05) -> None:
        super().__init__(temperature)
        self._greedy = GreedyAgent()

    def judge(self, view: View) -> np.ndarray:
        """Return the seat's chance to win after each legal move."""
        chances = {candidate.action: candidate.values[view.seat] for candidate in self._greedy.opinion(view).candidates}
        return np.array([chances[action] for action in view.actions.tolist()])
