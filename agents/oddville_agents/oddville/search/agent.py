"""`search`: Monte Carlo tree search for 2-4 players over public positions, with a value for every seat.

    move = argmax over moves of: visits, summed over the trees of all threads; of equals the best prior value

`tree` holds the nodes (max-n, Luckhardt and Irani 1986), `iteration` an iteration (PUCT). Each thread grows its own
tree, and visits are added: root parallelization (Chaslot et al. 2008).
"""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from heapq import heappop, heappush
from math import ceil, inf
from typing import Annotated

import numpy as np

from oddville_agents.agent import Agent, Branch, Candidate, Opinion
from oddville_agents.oddville.search import iteration, tree
from oddville_agents.oddville.value.evaluator import make_evaluator
from oddville_agents.oddville.value.formula.weights import WEIGHTS_TEXT, weight_set
from oddville_agents.oddville.value.network import FORMULA, LEARNED, LEARNED_3, network_of
from oddville_agents.roster import NAMED, Ms, Option, clock_of
from oddville_env.core.checked import text, whole
from oddville_env.core.compiled.arrays import copied
from oddville_env.core.game.view import View
from oddville_env.oddville.cards.words import NOWHERE
from oddville_env.oddville.rules.box import Box

CLOCK = 4  # milliseconds between looks at the clock
FIRST_CHUNK = 32  # iterations until the speed is known
GROWTH = 4  # largest ratio of successive chunks with rollouts
CHUNK = 128  # iterations between looks at the visits, without a clock
QUICKEST = 80  # iterations a millisecond for which a tree has room
KEPT = 4  # moves for which a tree has room
NODES = (1 << 12, 1 << 18)  # the smallest and the largest tree
LINE = 8  # longest expected line
ENOUGH = 4  # least visits of its moves
WIDE = 8  # most moves of a position in `tree`
MOST_SIMS = 10**12
MOST_TURNS = 100
PLAYED_ON = 4  # default turns of a rollout with a clock and a network

VALUE_TEXT = "the formula corrected by `learned_3`, `learned` (version 2) or a network's file; or `formula` (version 1)"
TURNS_TEXT = (
    f"turns of a truncated rollout from each new position; default {PLAYED_ON} with a clock and a network, else 0"
)


class SearchAgent(Agent):
    """Tree search for at most `ms` milliseconds or for `sims` iterations, with a tree in each thread.

    It stops early once no move can catch up. Equal seeds give equal moves with `sims`, but not with a clock.
    """

    name = "search"

    def __init__(
        self,
        ms: Ms = None,
        sims: Annotated[int | None, Option(whole(1, MOST_SIMS), "iterations for a move, without a clock")] = None,
        threads: Annotated[int, Option(whole(1), "trees, each in its own thread")] = 1,
        weights: Annotated[str, Option(NAMED, WEIGHTS_TEXT)] = "search",
        value: Annotated[str, Option(text(), VALUE_TEXT)] = LEARNED_3.stem,
        turns: Annotated[int | None, Option(whole(0, MOST_TURNS), TURNS_TEXT)] = None,
    ) -> None:
        self.ms, self._sims = clock_of(ms, sims), sims
        self._threads = threads
        self._weights_name = weights
        self._value = value
        by_clock = PLAYED_ON if self.ms is not None and value != FORMULA else 0
        self._turns = by_clock if turns is None else turns
        self.version = {FORMULA: "1", LEARNED.stem: "2"}.get(value, "4")
        weight_set(weights, 2)  # raises for unknown names
        network_of(value)
        self._pool = ThreadPoolExecutor(self._threads) if self._threads > 1 else None
        self._box: Box | None = None
        self._trees: list[tree.Tree] = []
        self.reset(0, 2, 0)

    def __deepcopy__(self, memo: dict[int, object]) -> "SearchAgent":
        return self._new_with(self.ms, self._sims, self._threads, self._weights_name, self._value, self._turns)

    def reset(self, seat: int, players: int, seed: int) -> None:
        """Start a game with empty trees."""
        self._seed, self._begun = np.uint64(seed), 0
        self._roots: list[int] = []
        for one in self._trees:
            tree.clear(one)

    def act(self, view: View) -> int:
        """Return the most visited move."""
        if np.count_nonzero(view.mask) == 1:
            return int(view.mask.argmax())
        self.search(view.box, view.state, 0)
        actions, visits, prior_values = self._root()
        return int(actions[np.lexsort((prior_values, visits))[-1]])

    def search(self, box: Box, games: np.ndarray, index: int) -> int:
        """Search from a position, and return the number of iterations."""
        self._make_room(box)
        game = copied(games[index : index + 1])
        self._roots = [NOWHERE] * self._threads
        self._grow(box, game, 0)  # loads compiled code before the clock runs
        start = time.perf_counter()
        done, left = 0, inf
        chunk = 1 if self._turns else FIRST_CHUNK
        if self._sims is not None:
            chunk = min(CHUNK, ceil(self._sims / self._threads))
        while left >= 1 and not self._is_decided(left):
            self._grow(box, game, chunk)
            done += chunk * self._threads
            spent = 1000 * (time.perf_counter() - start)
            if self.ms is not None:
                left = (self.ms - spent) * done / spent
                most = GROWTH * chunk if self._turns else inf  # rollouts differ in length
                chunk = max(int(min(CLOCK * done / spent / self._threads, left / self._threads, most)), 1)
            else:
                left = (self._sims or 0) - done
                chunk = min(CHUNK, ceil(left / self._threads))
        self._seconds = time.perf_counter() - start
        return done

    def opinion(self, view: View) -> Opinion:
        """Return every legal move with its visits and values, the most visited first."""
        iterations = self.search(view.box, view.state, 0)
        return Opinion(self.candidates(), iterations, self._seconds)

    def candidates(self) -> tuple[Candidate, ...]:
        """Return the legal moves of the last search, the most visited first."""
        actions, visits, prior_values = self._root()
        assert self._box is not None
        total = np.sum([edges["total"] for edges in self._edges()], axis=0)[:, : self._box.players]
        shares, found = (visits / max(visits.sum(), 1)).tolist(), []
        for at in np.lexsort((prior_values, visits))[::-1].tolist():
            seen = int(visits[at])
            values = tuple((total[at] / seen).tolist()) if seen else ()
            found.append(Candidate(int(actions[at]), shares[at], values, seen, tuple(self._line(at))))
        return tuple(found)

    def _make_room(self, box: Box) -> None:
        """Make trees for this box, and empty those that are nearly full."""
        if box is not self._box:
            wanted = KEPT * (self._sims or (self.ms or 0) * QUICKEST) / self._threads
            size = 1 << int(np.clip(wanted, *NODES) - 1).bit_length()
            self._box, self._trees = box, [tree.make_tree(box, size) for _ in range(self._threads)]
            weights, network = weight_set(self._weights_name, box.players), network_of(self._value)
            self._evaluators = [make_evaluator(weights, network) for _ in range(self._threads)]
        for one in self._trees:
            if max(one.used / (one.nodes.size, one.edges.size, one.outcomes.size)) > 1 - 1 / KEPT:
                tree.clear(one)

    def _grow(self, box: Box, game: np.ndarray, chunk: int) -> None:
        def grow(number: int) -> None:
            seed, one, root = self._seed + np.uint64(number), self._trees[number], self._roots[number]
            its, begun = self._evaluators[number], self._begun
            self._roots[number] = iteration.grow(box.record, one, root, game, 0, its, seed, begun, chunk, self._turns)

        if self._pool is None:
            grow(0)
        else:
            list(self._pool.map(grow, range(self._threads)))
        self._begun += chunk

    def _edges(self) -> list[np.ndarray]:
        """The root's edges in every tree: the same moves in the same order."""
        return [tree.edges_of(one, root) for one, root in zip(self._trees, self._roots, strict=True)]

    def _root(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The ids of the root's moves, their visits in all trees together, and their prior values."""
        edges = self._edges()
        return edges[0]["action"], np.sum([one["visits"] for one in edges], axis=0), edges[0]["prior_value"]

    def _is_decided(self, left: float) -> bool:
        """No other move can catch up with the most visited one."""
        _, visits, _ = self._root()
        if left == inf or visits.size < 2:
            return False
        second, first = np.partition(visits, -2)[-2:]
        return bool(first - second > left)

    def _line(self, number: int) -> Iterator[int]:
        """The expected line of play after a root's move, itself first."""
        one, root = self._largest
        edge = tree.edges_of(one, root)[number]
        for _ in range(LINE):
            yield int(edge["action"])
            node = tree.likeliest(one, edge)
            if node == NOWHERE or not one.nodes[node].edges:
                return
            edges = tree.edges_of(one, node)
            edge = edges[edges["visits"].argmax()]
            if edge["visits"] < ENOUGH:
                return

    @property
    def _largest(self) -> tuple[tree.Tree, int]:
        """The tree with most iterations, and its root."""
        return max(zip(self._trees, self._roots, strict=True), key=lambda pair: pair[0].nodes[pair[1]].visits)

    def tree(self, most: int) -> tuple[Branch, ...]:
        """Return at most `most` moves of the largest tree: the root's, then those behind the most visited moves."""
        if not self._roots:
            return ()
        assert self._box is not None
        one, root = self._largest
        found: list[Branch] = []
        queue: list[tuple[int, int | None, int]] = [(0, None, root)]
        while queue and len(found) < most:
            _, parent, node = heappop(queue)
            games, edges = copied(one.states[node : node + 1]), tree.edges_of(one, node)
            for at in np.argsort(-edges["visits"], kind="stable")[:WIDE]:
                edge, visits = edges[at], int(edges[at]["visits"])
                if visits:
                    values = tuple((edge["total"][: self._box.players] / visits).tolist())
                    known = int(edge["action"]), parent, int(games[0].to_move), games, visits, values
                    found.append(Branch(*known, float(edge["prior"])))
                behind = tree.likeliest(one, edge)
                if visits >= ENOUGH and behind != NOWHERE and one.nodes[behind].edges:
                    heappush(queue, (-visits, len(found) - 1, behind))
        return tuple(found[:most])
