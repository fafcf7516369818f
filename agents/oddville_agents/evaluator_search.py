"""Tree search with an evaluator of your own: a network, or any function, that gives priors and values.

    move while descending = argmax over legal moves of: Q + C_PUCT x P x sqrt(N + 1) / (1 + n)
    Q = mean of the mover's values behind the move; the position's own value before the first visit

N are the visits of all legal moves together, n those of the move, P its prior among the legal ones. The most visited
move is played.

It plays any game. Every iteration samples what the seat cannot know, descends a tree of moves by PUCT (Silver et al.
2017), evaluates the new position, and backs up a value for every seat (max-n). One tree serves all samples (information
set Monte Carlo tree search, Cowling et al. 2012): a node is a line of moves from the root, and only the moves that are
legal in the sample are considered there. Leaves are evaluated in batches.

`search` with its own value is a hundred times faster, because it is compiled. Shapes: T positions, A actions, P seats.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from oddville_agents.agent import Agent, Candidate, Opinion
from oddville_agents.player import AgentError, one_line
from oddville_env.core.checked import whole_number
from oddville_env.core.compiled.arrays import copied
from oddville_env.core.errors import shown
from oddville_env.core.game.game_type import NOBODY
from oddville_env.core.game.view import View

MOST_SIMS = 10**9
MOST_AT_ONCE = 4096
C_PUCT = 1.5  # weight of exploration
DEEPEST = 200  # moves from the root


class Evaluator(Protocol):
    """Priors and values for a search."""

    def evaluate(self, views: Sequence[View]) -> tuple[np.ndarray, np.ndarray]:
        """Return the priors and values of T positions. The answer must depend on the views alone.

        Args:
            views: T positions, each as its seat to move sees it.

        Returns:
            priors: float [T, A], at least 0. Priors of illegal moves are ignored; the others are divided by their sum.
            values: float [T, P], every seat's chance to win, by absolute seat (not "me first").
        """


class Node:
    """A line of moves: the evaluator's priors and value there, and the visits and values of each move.

    asked: bool [A], the moves that have a prior.
    """

    def __init__(self, actions: int, players: int) -> None:
        self.asked = np.zeros(actions, np.bool_)
        self.priors = np.zeros(actions)
        self.visits = np.zeros(actions, np.int64)
        self.totals = np.zeros((actions, players))
        self.value = np.zeros(players)
        self.behind: dict[int, Node] = {}

    def select(self, mask: np.ndarray, seat: int) -> int:
        """Return the legal move to follow, the first of equals."""
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
    """Tree search by an evaluator. Equal seeds give equal moves.

    Args:
        evaluator: an object with the method `Evaluator.evaluate`.
        sims: iterations for a move.
        batch: leaves that are evaluated at once. A leaf of the same batch counts as lost until its values are back.

    Raises:
        AgentError: if the evaluator has no such method, or later if its answer is malformed.
        SettingError: if a number is out of its range.

    Commands can name such an agent once a class in a file builds it: see examples/torch_evaluator.py.
    """

    name = "evaluator-search"

    def __init__(self, evaluator: Evaluator, sims: int = 100, batch: int = 8) -> None:
        if isinstance(evaluator, type) or not callable(getattr(evaluator, "evaluate", None)):
            raise AgentError(f"an evaluator is an object with a method evaluate(views), not {shown(evaluator)}")
        self._evaluator = evaluator
        self._sims = whole_number("sims", sims, 1, MOST_SIMS)
        self._batch = whole_number("batch", batch, 1, MOST_AT_ONCE)
        self.reset(0, 2, 0)

    def reset(self, seat: int, players: int, seed: int) -> None:
        """Start a new game with this seed."""
        self._seed, self._begun = seed, 0

    def act(self, view: View) -> int:
        """Return the most visited move. Raises AgentError for a malformed answer of the evaluator."""
        if np.count_nonzero(view.mask) == 1:
            return int(view.mask.argmax())
        return self._ranked(self.search(view), view)[0]

    def opinion(self, view: View) -> Opinion:
        """Return every legal move with its visits and values, the most visited first. Raises AgentError."""
        root = self.search(view)
        found, most = [], max(int(root.visits.sum()), 1)
        for action in self._ranked(root, view):
            visits = int(root.visits[action])
            values = tuple((root.totals[action] / visits).tolist()) if visits else ()
            found.append(Candidate(action, visits / most, values, visits, (action,)))
        return Opinion(tuple(found), int(root.visits.sum()))

    def search(self, view: View) -> Node:
        """Return the root of the tree after all iterations. Raises AgentError."""
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
        """Sample the hidden cards and follow the tree to a finished game or to a legal move without a prior."""
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
        """Evaluate the leaves that are not over, and back up the values of all of them."""
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
        answer: Any = self._evaluator.evaluate(views)
        if not isinstance(answer, tuple) or len(answer) != 2:
            raise AgentError(f"an evaluator answers with priors and values, not {shown(answer)}")
        priors = _numbers("priors", answer[0], (len(views), len(root.mask)))
        values = _numbers("values", answer[1], (len(views), root.players))
        if (priors < 0).any():
            raise AgentError("an evaluator's priors must not be below 0")
        return priors, values

    @staticmethod
    def _ranked(root: Node, view: View) -> list[int]:
        """The legal moves by visits, then by prior."""
        actions = view.actions
        order: list[int] = actions[np.lexsort((-root.priors[actions], -root.visits[actions]))].tolist()
        return order


def _numbers(name: str, answer: object, shape: tuple[int, int]) -> np.ndarray:
    """A part of an evaluator's answer as float64 of this shape; raises AgentError for anything else."""
    told = f"an evaluator's {name} must be finite numbers of shape {shape}"
    try:
        found = np.asarray(answer)
    except (TypeError, ValueError, RuntimeError) as error:  # of numpy for ragged lists, of torch for tensors
        raise AgentError(f"{told}: {one_line(str(error))}") from None
    if found.dtype.kind not in "fiub":
        raise AgentError(f"{told}, not of dtype {found.dtype}: {shown(answer)}")
    if found.shape != shape or not np.isfinite(found).all():
        raise AgentError(f"{told}, not of shape {found.shape}: {shown(answer)}")
    return found.astype(np.float64)


def _expand(leaf: Leaf, prior: np.ndarray, value: np.ndarray) -> None:
    """Give priors to the moves of a node that have none."""
    node, total = leaf.node, prior[leaf.mask].sum()
    shares = prior / total if total > 0 else leaf.mask / leaf.mask.sum()
    if not node.asked.any():
        node.value = value
    new = leaf.mask & ~node.asked
    node.priors[new] = np.maximum(shares[new], np.finfo(np.float64).tiny)
    node.asked |= leaf.mask


def _backpropagate(path: list[tuple[Node, int]], value: np.ndarray) -> None:
    """Add every seat's value along a path; its visits were counted on the way down."""
    for node, action in path:
        node.totals[action] += value
