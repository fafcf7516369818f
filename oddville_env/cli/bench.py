"""How fast it is: every figure measured here and now, in CPU time on one core, several runs each.

`oddville bench` prints them. A run's figure is work done by CPU seconds used; the table shows the median of the runs,
their least and their most.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from oddville_env import OddVilleSelfPlayEnv, oddville_v0
from oddville_env.core.jit import kernel
from oddville_env.envs.game_batch import GameBatch, Sampler
from oddville_env.oddville.game import Game
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oddville.observation import make_encoder
from oddville_env.oddville.rules import batch, turn
from oddville_env.oddville.settings import make_box

RUNS = 5
PAIRS = 15  # of runs with one thread and with two
GAMES = 1024
STEPS = 60  # of the vector environment, in a run
WARM_UP = 20
PLAYOUTS = 2000
AEC_GAMES = 30
REPEATS = 400  # passes over the states that single operations are measured on
STATES = 256
QUARTERS = 4


class Figure(NamedTuple):
    """What was measured: the runs' values in a unit, `better` telling whether more or less is better."""

    what: str
    unit: str
    runs: tuple[float, ...]
    better: str = "more"

    @property
    def median(self) -> float:
        """The middle run."""
        return statistics.median(self.runs)

    def as_json(self) -> dict[str, Any]:
        """All of it as plain values."""
        return {**self._asdict(), "runs": list(self.runs), "median": self.median}


def figures(quick: bool = False) -> Iterator[Figure]:
    """Measure one figure after the other, on one core but for the threads' figure; quick: only what takes no time."""
    with OneCore():
        for players in (2, 3, 4):
            yield Figure(f"random play, {players} players", "decisions/s", _runs(_playouts(players)))
        for encoding, players in (("features", 2), ("features", 4), ("ids", 2)):
            what = f"{GAMES} games, {encoding}, {players} players"
            yield Figure(what, "decisions/s", _runs(_vector(encoding, players)))
        yield Figure("raw_env(), AEC loop with observations", "steps/s", _runs(_aec(oddville_v0.raw_env())))
        yield Figure("env(), with PettingZoo's wrappers", "steps/s", _runs(_aec(oddville_v0.env())))
        yield from _operations()
        if not quick:
            yield from _growth()
    yield Figure("bytes of a game state", "bytes", (float(make_box().games.itemsize),), "less")
    if not quick:
        yield from _threads()
        yield from _starts()


def _threads() -> Iterator[Figure]:
    yield Figure(f"{GAMES} games, features, two threads by one", "x", _thread_ratios())


class OneCore:
    """Pin the process to one core, where the system lets it."""

    def __enter__(self) -> None:
        self._cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else None
        if self._cores:
            os.sched_setaffinity(0, {max(self._cores)})

    def __exit__(self, *_: object) -> None:
        if self._cores:
            os.sched_setaffinity(0, self._cores)


def _runs(work: Callable[[], int], clock: Callable[[], float] = time.process_time) -> tuple[float, ...]:
    """Units of work by second of each run, after one that warms up."""
    work()
    found = []
    for _ in range(RUNS):
        start = clock()
        done = work()
        found.append(done / (clock() - start))
    return tuple(found)


def _playouts(players: int) -> Callable[[], int]:
    games = GameBatch(ODDVILLE, make_box(players), make_encoder(make_box(players), "ids"), PLAYOUTS)

    def play() -> int:
        games.deal(1)
        return games.play_out(1)

    return play


def _vector(encoding: str, players: int, threads: int = 1) -> Callable[[], int]:
    env = OddVilleSelfPlayEnv(GAMES, players, encoding=encoding, threads=threads)  # type: ignore[arg-type]
    sampler = Sampler(GAMES)
    env.reset(seed=1)
    for _ in range(WARM_UP):
        env.step(sampler.sample(env.batch))

    def play() -> int:
        for _ in range(STEPS):
            env.step(sampler.sample(env.batch))
        return STEPS * GAMES

    return play


def _aec(env: Any) -> Callable[[], int]:
    seed = np.uint64(1)

    def play() -> int:
        steps = 0
        for deal in range(AEC_GAMES):
            env.reset(seed=deal)
            for _ in env.agent_iter():
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                else:
                    env.step(batch.random_move(observation["action_mask"], seed, steps))
                    steps += 1
        return steps

    return play


def _middles(players: int) -> tuple[np.ndarray, np.ndarray]:
    """States from the middles of random games, and a legal action for each."""
    games = GameBatch(ODDVILLE, make_box(players), make_encoder(make_box(players), "ids"), STATES)
    games.deal(1)
    sampler = Sampler(STATES)
    for _ in range(STATES // 2):
        games.step(sampler.sample(games))
    return games.games, sampler.sample(games).copy()


def _operations() -> Iterator[Figure]:
    """A copy, a mask and a step, as a search uses them."""
    box = make_box()
    states, actions = _middles(2)
    scratch, mask = np.zeros(1, box.games), np.zeros(box.layout.size, np.bool_)

    def nanoseconds(loop: Callable[..., None]) -> tuple[float, ...]:
        def work() -> int:
            loop(box.record, states, actions, scratch, mask, REPEATS)
            return STATES * REPEATS

        return tuple(1e9 / run for run in _runs(work))

    copied = nanoseconds(copy_states)
    yield Figure("copy of a state", "ns", copied, "less")
    yield Figure("legal mask", "ns", nanoseconds(mask_states), "less")
    stepped = nanoseconds(step_states)
    yield Figure("step with its next legal mask", "ns", tuple(a - statistics.median(copied) for a in stepped), "less")


@kernel
def copy_states(boxes, states, actions, scratch, mask, repeats):
    """Copy every state, again and again."""
    for _ in range(repeats):
        for index in range(states.size):
            scratch[0] = states[index]


@kernel
def mask_states(boxes, states, actions, scratch, mask, repeats):
    """Mark the legal moves of every state, again and again."""
    for _ in range(repeats):
        for index in range(states.size):
            turn.legal(boxes[0], states[index], mask)


@kernel
def step_states(boxes, states, actions, scratch, mask, repeats):
    """Copy every state and play its action, again and again."""
    for _ in range(repeats):
        for index in range(states.size):
            scratch[0] = states[index]
            turn.step(boxes[0], scratch[0], actions[index], mask)


def _growth() -> Iterator[Figure]:
    """What a decision costs late in a game against early in it, in random play."""
    for players in (2, 4):
        box = make_box(players)
        lines = [_line(players, seed) for seed in range(STATES // QUARTERS)]
        costs = [_line_cost(box.record, lines, quarter) for quarter in (0, QUARTERS - 1)]
        ratios = tuple(late / early for early, late in zip(*costs, strict=True))
        yield Figure(f"a late decision against an early one, {players} players", "x", ratios, "less")


def _line(players: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """All states of a random game, and the action played in each."""
    game, states, actions = Game(players, seed), [], []
    rng = np.random.default_rng(seed)
    while not game.is_over:
        states.append(game.state.copy())
        actions.append(int(rng.choice(np.flatnonzero(game.mask))))
        game.push(actions[-1])
    return np.concatenate(states), np.array(actions, np.int64)


def _line_cost(boxes: np.ndarray, lines: list[tuple[np.ndarray, np.ndarray]], quarter: int) -> tuple[float, ...]:
    """Seconds for a step in one quarter of the games, of each run."""
    parts = [tuple(np.array_split(array, QUARTERS)[quarter] for array in line) for line in lines]
    states, actions = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    scratch, mask = np.zeros(1, states.dtype), np.zeros(int(boxes[0].actions), np.bool_)

    def work() -> int:
        step_states(boxes, states, actions, scratch, mask, WARM_UP)
        return len(states) * WARM_UP

    return tuple(1 / run for run in _runs(work))


def _thread_ratios() -> tuple[float, ...]:
    """Wall time of one thread by that of two, turn about, as what else the machine does would change a lone one."""
    one, two = (_vector("features", 2, threads) for threads in (1, 2))
    one(), two()
    return tuple(_wall_seconds(one) / _wall_seconds(two) for _ in range(PAIRS))


def _wall_seconds(work: Callable[[], int]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


FIRST_STEP = "from oddville_env import oddville_v0 as o; e = o.env(); e.reset(seed=1); e.last()"
FIRST_STEP += "; e.step(int(e.observe(e.agent_selection)['action_mask'].argmax()))"


def _starts() -> Iterator[Figure]:
    """A new process: the import, the first step from the cache, and the first step ever."""
    empty = _process("pass")
    yield Figure("import oddville_env", "s", _seconds("import oddville_env", empty), "less")
    yield Figure("first step in a new process, kernels cached", "s", _seconds(FIRST_STEP, empty), "less")
    with tempfile.TemporaryDirectory() as folder:
        compiled = _process(FIRST_STEP, NUMBA_CACHE_DIR=folder) - empty
        yield Figure("first step ever, kernels compiled", "s", (compiled,), "less")


def _seconds(code: str, empty: float) -> tuple[float, ...]:
    _process(code)
    return tuple(_process(code) - empty for _ in range(RUNS))


def _process(code: str, **environment: str) -> float:
    """CPU seconds of an interpreter that runs some code."""
    start = os.times()
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, **environment})
    end = os.times()
    return end.children_user + end.children_system - start.children_user - start.children_system
