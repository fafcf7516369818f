"""`search`: Monte Carlo tree search over re-dealt hidden cards, with a value for every seat.

Every few iterations all that the seat cannot know is dealt anew; the tree's nodes are what the seat to move sees
(information set Monte Carlo tree search, Cowling, Powley, Whitehouse 2012).
"""

import time
from collections.abc import Iterator
from math import inf

import numpy as np

from oddville_agents.agent import Agent, Candidate, Opinion
from oddville_agents.oldtown.heuristic.weights import weight_set
from oddville_agents.oldtown.search import iteration, tree
from oddville_agents.oldtown.search.iteration import Settings
from oddville_env.core.checks import whole_number
from oddville_env.core.view import View
from oddville_env.oldtown.cards.words import NOTHING
from oddville_env.oldtown.rules.box import Box

MS = 200  # milliseconds for a move where nothing else is asked for
CLOCK = 8  # milliseconds after which the clock is looked at again
CHUNK = 32  # iterations, while the speed is not known, and where no clock rules
NODES = 1 << 17  # of a tree
KEPT = 4  # a tree that has less than this part of its room left is emptied
LINE = 6  # moves of an expected line, at most
ENOUGH = 4  # visits that a move of it needs
MOST_SIMS = 10**9


class SearchAgent(Agent):
    """Thinks for at most `ms` milliseconds, or for `sims` iterations.

    It stops early where nothing can change its choice. With `sims` equal seeds give equal moves; a clock does not.
    weights: of the heuristic, `tuned` for the number of players or a json file.
    """

    name = "search"

    def __init__(self, ms: float | None = None, sims: int | None = None, weights: str = "tuned") -> None:
        if ms is not None and sims is not None:
            raise ValueError("it thinks for ms milliseconds or for sims iterations, not for both")
        self.ms = None if sims is not None else _above_zero("ms", MS if ms is None else ms)
        self._sims = None if sims is None else whole_number("sims", sims, 1, MOST_SIMS)
        self._weights_name = weights
        weight_set(weights, 2)  # a wrong name is told at once
        self._box: Box | None = None
        self._settings = Settings()
        self.reset(0, 2, 0)

    def __deepcopy__(self, memo: dict[int, object]) -> "SearchAgent":
        twin = type(self)(self.ms, self._sims, self._weights_name)
        twin.spec = self.spec
        return twin

    def reset(self, seat: int, players: int, seed: int) -> None:
        """A game begins: nothing is kept of the last one."""
        self._seed, self._begun = np.uint64(seed), 0
        if self._box is not None:
            tree.clear(self._tree)

    def act(self, view: View) -> int:
        """The most visited move."""
        if np.count_nonzero(view.mask) == 1:
            return int(view.mask.argmax())
        self.ponder(view)
        edges = self._edges()
        return int(edges["action"][np.lexsort((edges["prior_value"], edges["visits"]))[-1]])

    def ponder(self, view: View) -> int:
        """Search from what a seat sees, and return the number of iterations."""
        box, games, weights = view.box, view.state, weight_set(self._weights_name, view.players)
        self._make_room(box)
        self._root = iteration.find_root(box.record, self._tree, games, 0, view.mask, weights, self._settings)
        self._grow(box, games, weights, 0)  # compiled code is loaded: no move's time should pay for that
        start, done, left, chunk = time.perf_counter(), 0, inf, CHUNK
        while left >= 1 and not self._is_decided(left):
            self._grow(box, games, weights, chunk)
            done += chunk
            if self.ms is None:
                left = (self._sims or 0) - done
                chunk = int(min(CHUNK, max(left, 1)))
            else:
                spent = 1000 * (time.perf_counter() - start)
                left = (self.ms - spent) * done / spent
                chunk = max(int(min(CLOCK * done / spent, left)), 1)
        self._seconds = time.perf_counter() - start
        return done

    def opinion(self, view: View) -> Opinion:
        """What a search finds for every legal move, the most visited first; `share` is that of all visits."""
        iterations = self.ponder(view)
        edges = self._edges()
        total, values = max(int(edges["visits"].sum()), 1), edges["total"][:, : view.players]
        order = np.lexsort((edges["prior_value"], edges["visits"]))[::-1].tolist()
        candidates = (
            Candidate(
                int(edges["action"][at]),
                float(edges["visits"][at] / total),
                tuple((values[at] / edges["visits"][at]).tolist()) if edges["visits"][at] else (),
                int(edges["visits"][at]),
                tuple(self._line(edges[at])),
            )
            for at in order
        )
        return Opinion(tuple(candidates), iterations, self._seconds)

    def _make_room(self, box: Box) -> None:
        """A tree for this box; one that is nearly full is emptied."""
        if box is not self._box:
            self._box, self._tree = box, tree.make_tree(box, NODES)
        if self._tree.used[0] > NODES * (KEPT - 1) // KEPT:
            tree.clear(self._tree)

    def _grow(self, box: Box, games: np.ndarray, weights: np.ndarray, chunk: int) -> None:
        everything = (games, 0, weights, self._seed, self._begun, chunk, self._settings)
        iteration.grow(box.record, self._tree, *everything)
        self._begun += chunk

    def _edges(self) -> np.ndarray:
        """The root's edges."""
        return tree.edges_of(self._tree, self._root)

    def _is_decided(self, left: float) -> bool:
        """No other move can catch up with the most visited one."""
        visits = self._edges()["visits"]
        if left == inf or visits.size < 2:
            return visits.size < 2
        second, first = np.partition(visits, -2)[-2:]
        return bool(first - second > left)

    def _line(self, edge: np.record) -> Iterator[int]:
        """The ids that a root's move is expected to be followed by, itself first."""
        for _ in range(LINE):
            yield int(edge["action"])
            node = int(edge["node"])
            if node == NOTHING or not self._tree.nodes[node].edges:
                return
            edges = tree.edges_of(self._tree, node)
            edge = edges[edges["visits"].argmax()]
            if edge["visits"] < ENOUGH:
                return


def _above_zero(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < inf:
        raise ValueError(f"{name} must be a number above 0, not {value!r}")
    return value
