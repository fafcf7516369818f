"""`bench`: the speed of the engine on this machine, as CPU time on one core in several runs."""

import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Annotated, Any, NamedTuple

import numpy as np
from rich.table import Table

from oddville_env.cli.options import JsonOut, option, whole_numbers
from oddville_env.cli.output import terminal, write_json
from oddville_env.core.checked import whole_number
from oddville_env.core.compiled.arrays import copied
from oddville_env.core.compiled.jit import kernel
from oddville_env.core.game.game_type import GameType
from oddville_env.core.parts.chance import random_move
from oddville_env.core.system.processes import machine, python
from oddville_env.envs.game_batch import MOST_THREADS, GameBatch, Sampler
from oddville_env.envs.self_play import SelfPlayEnv

RUNS = 5
ROUNDS = 15  # of runs with each number of threads in turn
GAMES = 1024
STEPS = 60  # of the vector environment, in a run
WARM_UP = 20
PLAYOUTS = 2000
REPEATS = 400  # passes over the states that single operations are measured on
STATES = 256
QUARTERS = 4
NEARLY = 0.95  # of the most decisions/s: more threads than reach it are wasted


class Figure(NamedTuple):
    """A measured figure: the value of each run in a unit; `better` is `more` or `less`."""

    what: str
    unit: str
    runs: tuple[float, ...]
    better: str = "more"


def figures(game_type: GameType, quick: bool = False) -> Iterator[Figure]:
    """Measure the figures one by one; quick: only the fast ones."""
    least, most = game_type.players[0], game_type.players[-1]
    shown = [(game_type.encodings[0], least), (game_type.encodings[0], most)]
    shown += [(encoding, least) for encoding in game_type.encodings[1:]]
    with _one_core():
        for players in game_type.players:
            yield Figure(f"random play, {players} players", "decisions/s", _runs(_playouts(game_type, players)))
        for encoding, players in shown:
            what = f"{GAMES} games, {encoding}, {players} players"
            yield Figure(what, "decisions/s", _runs(_vector(game_type, encoding, players)))
        doors = import_module(f"oddville_env.{game_type.name}_v0")
        yield Figure("raw_env(), AEC loop with observations", "steps/s", _runs(aec(doors.raw_env(least))))
        yield Figure("env(), with PettingZoo's wrappers", "steps/s", _runs(aec(doors.env(least))))
        yield from _operations(game_type)
        if not quick:
            yield from _growth(game_type)
    yield Figure("bytes of a game state", "bytes", (float(_box(game_type, least).games.itemsize),), "less")
    if not quick:
        one, two = _in_turn(game_type, (1, 2), ROUNDS)
        ratios = tuple(a / b for a, b in zip(one, two, strict=True))
        yield Figure(f"{GAMES} games, {shown[0][0]}, two threads by one", "x", ratios)
        yield from _starts(game_type)


def scaling(game_type: GameType, threads: Sequence[int], quick: bool = False) -> Iterator[Figure]:
    """Measure how decisions/s grow with numbers of threads, one among them, by wall clock; quick: fewer rounds."""
    counts = sorted({1, *threads})
    times = dict(zip(counts, _in_turn(game_type, counts, RUNS if quick else ROUNDS), strict=True))
    names = {count: f"{count} thread{'s' if count > 1 else ''}" for count in counts}
    speeds = {count: tuple(1 / seconds for seconds in times[count]) for count in counts}
    for count in counts:
        yield Figure(f"{GAMES} games, {game_type.encodings[0]}, {names[count]}", "decisions/s", speeds[count])
    for count in counts[1:]:
        shares = tuple(100 * one / (count * each) for one, each in zip(times[1], times[count], strict=True))
        yield Figure(f"efficiency of {names[count]}", "%", shares)
    medians = {count: statistics.median(speeds[count]) for count in counts}
    enough = next(count for count in counts if medians[count] >= NEARLY * max(medians.values()))
    yield Figure("fewest threads within 5 % of the fastest", "threads", (enough,), "less")


def rehearse(game_type: GameType) -> None:
    """Compile the kernels that only `bench` uses."""
    aec(import_module(f"oddville_env.{game_type.name}_v0").raw_env(game_type.players[0]))()
    for _ in _operations(game_type):
        pass


def _box(game_type: GameType, players: int) -> Any:
    return game_type.box(game_type.settings(players))


def _batch(game_type: GameType, players: int, size: int) -> GameBatch:
    box = _box(game_type, players)
    return GameBatch(game_type, box, game_type.make_encoder(box, game_type.encodings[1]), size)


@contextmanager
def _one_core() -> Iterator[None]:
    """Pin the process to one core, where the system allows it."""
    cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else None
    if cores:
        os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        if cores:
            os.sched_setaffinity(0, cores)


def _runs(work: Callable[[], int]) -> tuple[float, ...]:
    """Units of work per second of each run, after a warm-up."""
    work()
    return tuple(1 / _seconds(work, time.process_time) for _ in range(RUNS))


def _seconds(work: Callable[[], int], clock: Callable[[], float]) -> float:
    start = clock()
    done = work()
    return (clock() - start) / done


def _playouts(game_type: GameType, players: int) -> Callable[[], int]:
    games = _batch(game_type, players, PLAYOUTS)

    def play() -> int:
        games.deal(1)
        return games.play_out(1)

    return play


def _vector(game_type: GameType, encoding: str, players: int, threads: int = 1) -> Callable[[], int]:
    env = SelfPlayEnv(game_type, game_type.settings(players), GAMES, encoding=encoding, threads=threads)
    sampler = Sampler(GAMES)
    env.reset(seed=1)
    for _ in range(WARM_UP):
        env.step(sampler.sample(env.batch))

    def play() -> int:
        for _ in range(STEPS):
            env.step(sampler.sample(env.batch))
        return STEPS * GAMES

    return play


def sampled(observation: dict[str, np.ndarray], number: int) -> int:
    """A random legal move by the compiled sampler."""
    return int(random_move(observation["action_mask"], np.uint64(1), number))


def aec(env: Any, choose: Callable[[dict[str, np.ndarray], int], int] = sampled) -> Callable[[], int]:
    """A function that plays games of an AEC environment and returns their steps.

    choose: (observation, number of steps before) -> move.
    """

    def play() -> int:
        steps = 0
        for deal in range(30):
            env.reset(seed=deal)
            for _ in env.agent_iter():
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                else:
                    env.step(choose(observation, steps))
                    steps += 1
        return steps

    return play


def _operations(game_type: GameType) -> Iterator[Figure]:
    """Copy, mask and step of states from the middles of random games, as a search uses them."""
    players, own = game_type.players[0], game_type.loops.kernels
    box = _box(game_type, players)
    games, sampler = _batch(game_type, players, STATES), Sampler(STATES)
    games.deal(1)
    for _ in range(STATES // 2):
        games.step(sampler.sample(games))
    states, actions = games.games, sampler.sample(games).copy()
    scratch, mask = np.zeros(1, box.games), np.zeros(box.layout.size, np.bool_)

    def nanoseconds(loop: Callable[..., None]) -> tuple[float, ...]:
        def work() -> int:
            loop(box.record, states, actions, scratch, mask, REPEATS)
            return STATES * REPEATS

        return tuple(1e9 / run for run in _runs(work))

    copied = nanoseconds(copy_states)
    yield Figure("copy of a state", "ns", copied, "less")
    yield Figure("legal mask", "ns", nanoseconds(mask_loop(own.legal)), "less")
    stepped = nanoseconds(step_loop(own.step))
    yield Figure("step with its next legal mask", "ns", tuple(a - statistics.median(copied) for a in stepped), "less")


@kernel
def copy_states(boxes, states, actions, scratch, mask, repeats):
    """Copy every state, again and again."""
    for _ in range(repeats):
        for index in range(states.size):
            scratch[0] = states[index]


def mask_loop(legal):
    """A loop over many states by a game's `legal`."""

    @kernel
    def mask_states(boxes, states, actions, scratch, mask, repeats):
        """Mark the legal moves of every state, again and again."""
        for _ in range(repeats):
            for index in range(states.size):
                legal(boxes[0], states[index], mask)

    return mask_states


def step_loop(step):
    """A loop over many states by a game's `step`."""

    @kernel
    def step_states(boxes, states, actions, scratch, mask, repeats):
        """Copy every state and play its action, again and again."""
        for _ in range(repeats):
            for index in range(states.size):
                scratch[0] = states[index]
                step(boxes[0], scratch[0], actions[index], mask)

    return step_states


def _growth(game_type: GameType) -> Iterator[Figure]:
    """The time of a late decision relative to an early one, in random play."""
    for players in (game_type.players[0], game_type.players[-1]):
        lines = [_line(game_type, players, seed) for seed in range(STATES // QUARTERS)]
        costs = [_line_cost(game_type, players, lines, quarter) for quarter in (0, QUARTERS - 1)]
        ratios = tuple(late / early for early, late in zip(*costs, strict=True))
        yield Figure(f"a late decision against an early one, {players} players", "x", ratios, "less")


def _line(game_type: GameType, players: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """All states of a random game, and the action played in each."""
    game, states, actions = game_type.game(players, seed), [], []
    rng = np.random.default_rng(seed)
    while not game.is_over:
        states.append(copied(game.state))
        actions.append(int(rng.choice(np.flatnonzero(game.mask))))
        game.push(actions[-1])
    return np.concatenate(states), np.array(actions, np.int64)


def _line_cost(
    game_type: GameType, players: int, lines: list[tuple[np.ndarray, np.ndarray]], quarter: int
) -> tuple[float, ...]:
    """Seconds for a step in one quarter of the games, of each run."""
    parts = [tuple(np.array_split(array, QUARTERS)[quarter] for array in line) for line in lines]
    states, actions = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    box, step_states = _box(game_type, players), step_loop(game_type.loops.kernels.step)
    scratch, mask = np.zeros(1, states.dtype), np.zeros(box.layout.size, np.bool_)

    def work() -> int:
        step_states(box.record, states, actions, scratch, mask, WARM_UP)
        return len(states) * WARM_UP

    return tuple(1 / run for run in _runs(work))


def _in_turn(game_type: GameType, threads: Sequence[int], rounds: int) -> list[tuple[float, ...]]:
    """Seconds of a decision with each number of threads, measured in turn because the machine is shared."""
    works = [_vector(game_type, game_type.encodings[0], game_type.players[0], each) for each in threads]
    for work in works:
        work()
    return list(zip(*([_seconds(work, time.perf_counter) for work in works] for _ in range(rounds)), strict=True))


FIRST_STEP = "from oddville_env import {name}_v0 as o; e = o.env(); e.reset(seed=1); e.last()"
FIRST_STEP += "; e.step(int(e.observe(e.agent_selection)['action_mask'].argmax()))"


def _starts(game_type: GameType) -> Iterator[Figure]:
    """A new process: the import, the first step from the cache, and the first step ever."""
    empty, first_step = _process("pass"), FIRST_STEP.format(name=game_type.name)
    for what, code in (
        ("import oddville_env", "import oddville_env"),
        ("first step in a new process, kernels cached", first_step),
    ):
        _process(code)
        yield Figure(what, "s", tuple(_process(code) - empty for _ in range(RUNS)), "less")
    with tempfile.TemporaryDirectory() as folder:
        compiled = _process(first_step, NUMBA_CACHE_DIR=folder) - empty
        yield Figure("first step ever, kernels compiled", "s", (compiled,), "less")


def _process(code: str, **environment: str) -> float:
    """CPU seconds of an interpreter that runs some code."""
    start = os.times()
    subprocess.run(python("-c", code), check=True, env={**os.environ, **environment})
    end = os.times()
    return end.children_user + end.children_system - start.children_user - start.children_system


ROUND = 100  # figures from here on are shown without decimals


def bench(
    game_type: GameType,
    quick: Annotated[bool, option("Skip the slow measurements; takes half a minute.", "--quick")] = False,
    threads: Annotated[list[str] | None, option("Compare these numbers of threads by wall clock.")] = None,
    json_out: JsonOut = None,
) -> None:
    """Measure the speed of the engine and environments: CPU time on one core, median of several runs."""
    named = whole_numbers("--threads", "1, 2, or several as 1,2,4", threads or [])
    counts = [whole_number("threads", each, 1, MOST_THREADS) for each in named]
    where = machine()
    found: list[dict[str, Any]] = []
    with terminal(err=True).status("measuring") as status:
        for figure in scaling(game_type, counts, quick) if counts else figures(game_type, quick):
            found.append({**figure._asdict(), "median": statistics.median(figure.runs)})
            status.update(f"measured: {figure.what}")
    table = Table(title=", ".join(f"{name} {value}" for name, value in where.items()), title_justify="left")
    for column in ("what", "median", "least", "most", "unit"):
        table.add_column(column, justify="left" if column in ("what", "unit") else "right")
    for row in found:
        values = (row["median"], min(row["runs"]), max(row["runs"]))
        shown = [f"{value:,.{0 if value >= ROUND or isinstance(value, int) else 2}f}" for value in values]
        table.add_row(row["what"], *shown, row["unit"])
    terminal(json_out).print(table)
    write_json(json_out, {"machine": where, "figures": found})
