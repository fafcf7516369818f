"""Search with an evaluator of one's own: a network, or any function, says how good positions are and what to try.

    move while descending = argmax over legal moves of: Q + C_PUCT x P x sqrt(N + 1) / (1 + n)
    Q = mean of the mover's values behind the move, and the position's own value while nobody has tried it

N are the visits of the legal moves together, n those of the move, P its prior among the legal ones. The move that is
played is the most visited one.

It plays any game. Every iteration deals anew what the seat cannot know, goes down a tree of moves by PUCT (Silver et
al. 2017), asks the evaluator about the position that is new there, and counts what it says on the way back, with a
value for every seat (max-n). One tree serves all deals (information set Monte Carlo tree search, Cowling et al.
2012): a node is a line of moves from the root, of which those are looked at that the deal allows. Leaves are asked
about in batches.

`search` with its own value is a hundred times faster, for all of it is compiled. Letters of shapes: T positions, A
actions, P seats.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from oddville_agents.agent import Agent, Candidate, Opinion
from oddville_agents.player import AgentError
from oddville_env.core.checked.settings import whole_number
from oddville_env.core.compiled.arrays import copied
from oddville_env.core.errors import shown
from oddville_env.core.game.game_type import NOBODY
from oddville_env.core.game.view import View

MOST_SIMS = 10**9
MOST_AT_ONCE = 4096
C_PUCT = 1.5  # how far a move's prior carries it beyond its value
DEEPEST = 200  # moves from the root


class Evaluator(Protocol):
    """Priors and values for a search. It sees what the seat to move sees, and nothing else."""

    def evaluate(self, views: Sequence[View]) -> tuple[np.ndarray, np.ndarray]:
        """Priors and values of T positions, each seen by its seat to move.

        Priors, float [T, A]: how much each move is worth a try, at least 0; those of illegal moves are not read, the
        others are divided by their sum. Values, float [T, P]: every seat's chance to win, by seat as the game counts
        them and not "me first". Whatever it answers must depend on the views alone.
        """


class Node:
    """A line of moves: what the evaluator said there, and what came back through each move.

    asked: bool [A], the moves that the evaluator has given a prior.
    """

    def __init__(self, actions: int, players: int) -> None:
        self.asked = np.zeros(actions, np.bool_)
        self.priors = np.zeros(actions)
        self.visits = np.zeros(actions, np.int64)
        self.totals = np.zeros((actions, players))
        self.value = np.zeros(players)
        self.behind: dict[int, Node] = {}

    def select(self, mask: np.ndarray, seat: int) -> int:
        """The legal move to follow, the first of equals; a move that nobody has tried is as good as the position."""
        legal = np.flatnonzero(mask)
        visits, priors = self.visits[legal], self.priors[legal]
        values = np.where(visits > 0, self.totals[legal, seat] / np.maximum(visits, 1), self.value[seat])
        exploration = C_PUCT * priors / priors.sum() * np.sqrt(visits.sum() + 1) / (1 + visits)
        return int(legal[(values + exploration).argmax()])


class Leaf(NamedTuple):
    """The end of an iteration: the nodes and moves that led there, and the position, states [1]."""

    path: list[tuple[Node, int]]
    node: Node
    states: np.ndarray
    mask: np.ndarray


class EvaluatorSearch(Agent):
    """Thinks for so many iterations by an evaluator. Equal seeds give equal moves.

    batch: leaves that the evaluator is asked about at once; on its way each counts as lost for those behind it. To name
    such an agent in commands, write a class in a file of your own: examples/torch_evaluator.py.
    """

    name = "evaluator-search"

    def __init__(self, evaluator: Evaluator, sims: int = 100, batch: int = 8) -> None:
        self._evaluator = evaluator
        self._sims = whole_number("sims", sims, 1, MOST_SIMS)
        self._batch = whole_number("batch", batch, 1, MOST_AT_ONCE)
        self.reset(0, 2, 0)

    def reset(self, seat: int, players: int, seed: int) -> None:
        """A game begins."""
        self._seed, self._begun = seed, 0

    def act(self, view: View) -> int:
        """The move that was tried most. Raises AgentError where the evaluator answers something else than it should."""
        if np.count_nonzero(view.mask) == 1:
            return int(view.mask.argmax())
        return self._ranked(self.search(view), view)[0]

    def opinion(self, view: View) -> Opinion:
        """Every legal move with its visits and values, the most visited first. Raises AgentError."""
        root = self.search(view)
        found, most = [], max(int(root.visits.sum()), 1)
        for action in self._ranked(root, view):
            visits = int(root.visits[action])
            values = tuple((root.totals[action] / visits).tolist()) if visits else ()
            found.append(Candidate(action, visits / most, values, visits, (action,)))
        return Opinion(tuple(found), int(root.visits.sum()))

    def search(self, view: View) -> Node:
        """The root of a tree that has grown for all iterations. Raises AgentError."""
        rng = np.random.default_rng([self._seed, self._begun])
        self._begun += 1
        root = Node(len(view.mask), view.players)
        self._ask([Leaf([], root, view.state, view.mask)], view)
        done = 0
        while done < self._sims:
            leaves = [self._descend(view, root, rng) for _ in range(min(self._batch, self._sims - done))]
            self._ask(leaves, view)
            done += len(leaves)
        return root

    def _descend(self, view: View, root: Node, rng: np.random.Generator) -> Leaf:
        """Deal, and follow the tree to a position that is over, or in which a move is legal that has no prior."""
        entries, boxes = view.game_type.entries, view.box.record
        states, mask = copied(view.state), view.mask.copy()
        entries.sample_unseen(boxes, states, 0, view.seat, rng.integers(2**63, dtype=np.uint64))
        node = root
        path: list[tuple[Node, int]] = []
        while states[0].to_move != NOBODY and node.asked[mask].all() and len(path) < DEEPEST:
            action = node.select(mask, int(states[0].to_move))
            node.visits[action] += 1
            path.append((node, action))
            entries.step(boxes, states, 0, action, mask)
            if action not in node.behind:
                node.behind[action] = Node(len(mask), view.players)
            node = node.behind[action]
        return Leaf(path, node, states, mask)

    def _ask(self, leaves: list[Leaf], view: View) -> None:
        """Let the evaluator judge what is not over, and count all values along their paths."""
        game_type, box = view.game_type, view.box
        open_ones = [leaf for leaf in leaves if leaf.states[0].to_move != NOBODY]
        views = [View(game_type, box, leaf.states, 0, leaf.mask) for leaf in open_ones]
        priors, values = self._judged(views, view) if views else (np.zeros(0), np.zeros(0))
        for leaf, prior, value in zip(open_ones, priors, values, strict=True):
            _expand(leaf, prior, value)
            _backpropagate(leaf.path, value)
        for leaf in leaves:
            outcome = game_type.outcome(box, leaf.states, 0)
            if outcome is not None:
                _backpropagate(leaf.path, np.array([outcome.win_share(seat) for seat in range(view.players)]))

    def _judged(self, views: list[View], root: View) -> tuple[np.ndarray, np.ndarray]:
        """The evaluator's answer, checked."""
        answer: Any = self._evaluator.evaluate(views)
        if not isinstance(answer, tuple) or len(answer) != 2:
            raise AgentError(f"an evaluator answers with priors and values, not {shown(answer)}")
        found = [np.asarray(each, np.float64) for each in answer]
        for name, each, width in zip(("priors", "values"), found, (len(root.mask), root.players), strict=True):
            if each.shape != (len(views), width) or not np.isfinite(each).all():
                told = f"finite numbers of shape {(len(views), width)}"
                raise AgentError(f"an evaluator's {name} must be {told}, not of shape {each.shape}: {shown(each)}")
        if (found[0] < 0).any():
            raise AgentError("an evaluator's priors must not be below 0")
        return found[0], found[1]

    @staticmethod
    def _ranked(root: Node, view: View) -> list[int]:
        """The legal moves, the most visited first, of equals the one with the better prior."""
        actions = view.actions
        order: list[int] = actions[np.lexsort((-root.priors[actions], -root.visits[actions]))].tolist()
        return order


def _expand(leaf: Leaf, prior: np.ndarray, value: np.ndarray) -> None:
    """The moves of a node that have no prior yet get theirs."""
    node, total = leaf.node, prior[leaf.mask].sum()
    shares = prior / total if total > 0 else leaf.mask / leaf.mask.sum()
    if not node.asked.any():
        node.value = value
    new = leaf.mask & ~node.asked
    node.priors[new] = np.maximum(shares[new], np.finfo(np.float64).tiny)
    node.asked |= leaf.mask


def _backpropagate(path: list[tuple[Node, int]], value: np.ndarray) -> None:
    """Count every seat's value along a path, whose visits were counted on the way down."""
    for node, action in path:
        node.totals[action] += value
