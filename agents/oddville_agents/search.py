"""`search`: Monte Carlo tree search for 2-4 players, on copies of the state in which everything unknowable is dealt anew.

`tree` tells how; this is the agent: when it thinks, for how long, and what it makes of the visits.
"""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from oddville_agents import tree
from oddville_agents.agent import GameAgent
from oddville_agents.weights import weight_set
from oddville_env.cards.words import NOTHING
from oddville_env.game import Game
from oddville_env.rules.box import Box

MS = 200  # milliseconds for a move where nothing else is asked for
CHUNK_MS = 4  # how often the clock is looked at
FIRST_CHUNK = 64  # iterations, before the speed is known
MOST_PER_MS = 80  # iterations for which there is room
NODES = (1 << 12, 1 << 18)  # the smallest and the largest tree
MOVES = 4  # for which a tree has room


SETTINGS = {
    "explore": 0.5,  # how much a move's prior draws
    "trust": 2.0,  # visits that the guess of a move counts as
    "sharpness": 2.0,  # how much the better guess is preferred
    "widening": 1.0,  # outcomes of a revealing move: so many times the root of its visits, and one
}


@dataclass(frozen=True)
class Candidate:
    """A legal move as the search sees it: visits, each seat's chance to win, and the ids of the line expected."""

    action: int
    visits: int
    values: tuple[float, ...]
    line: tuple[int, ...]


class SearchAgent(GameAgent):
    """Thinks for `ms` milliseconds, or for `sims` iterations, in each of so many threads a tree of its own."""

    name = "search"

    def __init__(self, ms: float | None = None, sims: int | None = None, threads: int = 1) -> None:
        if ms is not None and sims is not None:
            raise ValueError("either ms or sims can be given, not both")
        for name, value in (("ms", ms), ("sims", sims), ("threads", threads)):
            if value is not None and (isinstance(value, bool) or not isinstance(value, int | float) or not value > 0):
                raise ValueError(f"{name} must be a number above 0, not {value!r}")
        self._ms = MS if ms is None and sims is None else ms
        self._sims, self._threads = sims, int(threads)
        self._settings = np.array([tuple(SETTINGS.values())], tree.SETTINGS)
        self._box: Box | None = None
        self._pool = ThreadPoolExecutor(self._threads) if self._threads > 1 else None
        self.reset(0, 2, 0)

    def __deepcopy__(self, memo: dict[int, object]) -> "SearchAgent":
        return SearchAgent(self._ms if self._sims is None else None, self._sims, self._threads)

    def reset(self, seat: int, players: int, seed: int) -> None:
        """A game begins: forget the last one."""
        self._seed, self._begun = np.uint64(seed), 0
        self.iterations = 0
        if self._box is not None:
            for one in self._trees:
                tree.clear(one)

    def think(self, game: Game) -> int:
        """The most visited move."""
        return self.act_on(game.box, game.state, 0, game.mask)

    def act_on(self, box: Box, games: np.ndarray, index: int, mask: np.ndarray) -> int:
        """The most visited move; nothing is looked at that nobody can know."""
        if mask.sum() == 1:
            return int(mask.argmax())
        self.ponder(box, games, index)
        return self.best()

    def ponder(self, box: Box, games: np.ndarray, index: int) -> None:
        """Search from a position until the time is over or nothing can change the choice."""
        end = time.perf_counter() + self._ms / 1000 if self._ms is not None else np.inf
        self._make_room(box)
        self._weights = weight_set("tuned", box.players)
        self._roots = [tree.find_root(box.record, one, games, index, self._weights) for one in self._trees]
        done, chunk, start = 0, FIRST_CHUNK, time.perf_counter()
        while True:
            if self._sims is not None:
                chunk = min(chunk, -(-self._sims // self._threads) - done)
            self._grow(box, chunk)
            done += chunk
            now = time.perf_counter()
            rate = done / (now - start)
            left = (end - now) * rate if self._sims is None else -(-self._sims // self._threads) - done
            if left < 1 or self._is_decided(left * self._threads):
                break
            chunk = max(1, min(int(CHUNK_MS / 1000 * rate), int(left)))
        self.iterations += done * self._threads

    def _make_room(self, box: Box) -> None:
        wanted = (self._sims or self._ms * MOST_PER_MS) * MOVES
        size = 1 << int(np.clip(wanted, *NODES) - 1).bit_length()
        if self._box is not box:
            self._box, self._trees = box, [tree.make_tree(box, size) for _ in range(self._threads)]
        for one in self._trees:
            if one.used[0] > size * (MOVES - 1) / MOVES or one.used[1] > one.edges.size * (MOVES - 1) / MOVES:
                tree.clear(one)

    def _grow(self, box: Box, chunk: int) -> None:
        def grow(number: int) -> None:
            seed = self._seed + np.uint64(number)
            one, root = self._trees[number], self._roots[number]
            tree.grow(box.record, one, root, self._weights, seed, self._begun, chunk, self._settings)

        if self._pool is None:
            grow(0)
        else:
            list(self._pool.map(grow, range(self._threads)))
        self._begun += chunk

    def _root_edges(self) -> list[np.ndarray]:
        roots = [(one, one.nodes[root]) for one, root in zip(self._trees, self._roots, strict=True)]
        return [one.edges[node.edge : node.edge + node.edges] for one, node in roots]

    def _is_decided(self, left: float) -> bool:
        """No other move can catch up with the most visited one."""
        visits = sum(edges["visits"] for edges in self._root_edges())
        if np.size(visits) < 2:
            return False
        second, first = np.partition(visits, -2)[-2:]
        return first - second > left

    def best(self) -> int:
        edges = self._root_edges()
        visits = sum(edge["visits"] for edge in edges)
        order = np.lexsort((edges[0]["guess"], visits))
        return int(edges[0]["action"][order[-1]])
