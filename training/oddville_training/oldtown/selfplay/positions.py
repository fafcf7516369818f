"""Positions of games as arrays in files, and the jobs that play the games. They need no torch."""

from pathlib import Path

import numpy as np

from oddville_agents.oldtown.heuristic.weights import weight_set
from oddville_agents.oldtown.value.evaluator import make_evaluator
from oddville_agents.oldtown.value.network import SIZE, TENSORS
from oddville_agents.tensors import ArrayKind, check_arrays, read_npz
from oddville_env.core.disk.files import atomic_write
from oddville_env.oldtown.settings import PLAYERS, make_box
from oddville_training.oldtown.selfplay.games import HEURISTIC, NEWEST, Deals, Noted, play_games
from oddville_training.oldtown.selfplay.plan import MOST_GAMES, Plan
from oddville_training.selfplay.plan import MOST_ROUNDS, Part, PlanError, Stage

STRAYS = (0.0, 0.03, 0.08, 0.2)  # parts of moves that are random; games take them in turn
AT_THE_TABLE = 0.5  # how likely a seat of a game with guests is the heuristic's
MOST_SEEN = 65_504.0  # of a number in a row, the largest one of float16
Tensors = dict[str, np.ndarray]


def play_part(plan: Plan, stage: Stage, part: Part, networks: tuple[Tensors, ...]) -> Noted:
    """The positions of the games of a part; they follow from the arguments alone."""
    size, players = part.games, part.players
    rng = np.random.default_rng([plan.seed, stage.place, players, part.number])
    seeds = rng.integers(2**64, size=size, dtype=np.uint64)
    policies = np.full((size, players), NEWEST if networks else HEURISTIC, np.int8)
    policies[(rng.random((size, 1)) < plan.guests) & (rng.random((size, players)) < AT_THE_TABLE)] = HEURISTIC
    first = first_game(plan, stage, players) + part.first
    deals = Deals(seeds, policies, np.resize(STRAYS, size), first, plan.share)
    return play_games(make_box(players), weight_set("tuned", players), evaluator_of(*networks), deals)[0]


def first_game(plan: Plan, stage: Stage, players: int) -> int:
    """The number of a stage's first game with so many players."""
    return (players * (plan.rounds + 1) + stage.place) * MOST_GAMES


def evaluator_of(tensors: Tensors | None = None) -> np.ndarray:
    """The evaluator [1] of a network, or one whose values are all 0."""
    return make_evaluator(tensors or {name: np.zeros(shape, np.float32) for name, shape in TENSORS.items()})


def save(path: Path, noted: Noted) -> None:
    """Write positions to an npz file."""
    with atomic_write(path, "wb") as file:
        np.savez(file, **noted._asdict())


KINDS = {
    "seen": ArrayKind(np.float16, ("N", SIZE), -MOST_SEEN, MOST_SEEN),
    "seats": ArrayKind(np.int8, ("N",), 0, PLAYERS[-1] - 1),
    "games": ArrayKind(np.int64, ("N",), 0, (PLAYERS[-1] + 1) * (MOST_ROUNDS + 1) * MOST_GAMES),
    "wins": ArrayKind(np.float32, ("N",), 0, 1),
}


def load(path: Path) -> Noted:
    """Read what `save` wrote. Raises PlanError."""
    plain = read_npz(path, PlanError)
    check_arrays(path, plain, KINDS, PlanError)
    return Noted(**plain)
