"""`greedy`: plays each legal move in its head and keeps the one after which its prospects are best.

It looks at nothing hidden: reshuffles are imagined, and what a move would reveal is not counted.
"""

from typing import Annotated

import numpy as np

from oddville_agents.agent import Agent, BatchAgent, Candidate, Opinion
from oddville_agents.oddville.value.formula.prospects import values, worth_of_move
from oddville_agents.oddville.value.formula.weights import WEIGHTS_TEXT, weight_set
from oddville_agents.options import NAMED, Option
from oddville_env.core.jit import kernel
from oddville_env.core.view import BatchView, View
from oddville_env.oddville.cards.words import NOTHING
from oddville_env.oddville.rules.box import Box


class GreedyAgent(Agent):
    """Looks one move ahead."""

    name = "greedy"

    def __init__(self, weights: Annotated[str, Option(NAMED, WEIGHTS_TEXT)] = "tuned") -> None:
        self._name = weights
        weight_set(weights, 2)  # a wrong name is told at once
        self._head = Head()

    def act(self, view: View) -> int:
        """The move with the best prospects, the first of equals."""
        weights = weight_set(self._name, view.players)
        return int(best_move(view.box.record, view.state, 0, view.mask, weights, *self._head.room(view.box)))

    def opinion(self, view: View) -> Opinion:
        """Every seat's chance to win after each move, by the value function; moves with the best prospects first."""
        worth, chances = np.full(view.mask.size, -np.inf), np.zeros((view.mask.size, view.players))
        weights = weight_set(self._name, view.players)
        room = self._head.room(view.box)
        judge_moves(view.box.record, view.state, 0, view.mask, weights, *room, worth, chances)
        order = view.actions[np.argsort(-worth[view.actions], kind="stable")]
        return Opinion(
            tuple(
                Candidate(int(action), float(action == order[0]), tuple(chances[action].tolist())) for action in order
            )
        )

    def batch_agent(self, tables: int) -> "GreedyBatchAgent":
        """The same agent at every table: it remembers nothing."""
        return GreedyBatchAgent(self._name)


class GreedyBatchAgent(BatchAgent):
    """`greedy` at many tables, in one compiled loop."""

    def __init__(self, weights: str) -> None:
        self._name, self._head = weights, Head()

    def reset_all(self, seats: np.ndarray, players: int, seeds: np.ndarray) -> None:
        """Greedy remembers nothing."""

    def act(self, view: BatchView, actions: np.ndarray) -> None:
        """Write the moves with the best prospects."""
        box = view.box
        weights = weight_set(self._name, box.players)
        best_moves(box.record, view.states, view.tables, view.masks, weights, *self._head.room(box), actions)


class Head:
    """Where moves are played in the head: a game [1] and its mask [A], made once for a box."""

    def __init__(self) -> None:
        self._box: Box | None = None

    def room(self, box: Box) -> tuple[np.ndarray, np.ndarray]:
        """The imagined game and its scratch mask; whoever plays in them overwrites them."""
        if box is not self._box:
            self._box, self._game, self._mask = box, np.zeros(1, box.games), np.zeros(box.layout.size, np.bool_)
        return self._game, self._mask


@kernel
def judge_moves(boxes, games, index, mask, weights, imagined, scratch, worth, chances):
    """Of every legal move the prospects behind it, worth [A], and every seat's chance to win, chances [A, P]."""
    box, seat = boxes[0], games[index].to_move
    for action in range(mask.size):
        if mask[action]:
            imagined[0] = games[index]
            worth[action] = worth_of_move(box, imagined[0], action, seat, weights[0], scratch)
            values(box, imagined[0], weights[0], chances[action])


@kernel
def best_moves(boxes, states, tables, masks, weights, imagined, scratch, actions):
    """`best_move` at each of the tables [T], whose states [T] are given: actions and masks are those of all tables."""
    for place, table in enumerate(tables):
        actions[table] = best_move(boxes, states, place, masks[table], weights, imagined, scratch)


@kernel
def best_move(boxes, games, index, mask, weights, imagined, scratch):
    """The id after which the seat to move has the best prospects; imagined [1] and scratch [A] are overwritten."""
    box, seat = boxes[0], games[index].to_move
    best, best_worth = NOTHING, -np.inf
    for action in range(mask.size):
        if mask[action]:
            imagined[0] = games[index]
            worth = worth_of_move(box, imagined[0], action, seat, weights[0], scratch)
            if worth > best_worth:
                best, best_worth = action, worth
    return best
