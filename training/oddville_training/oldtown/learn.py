"""Self-play, from nothing to a network that says who wins: the algorithm, from top to bottom.

0. The heuristic plays itself, with stray moves, and a network is fitted to who won (a warm start).
1. In each round the newest network plays itself, one move ahead, with stray moves; in some games the heuristic sits at
   the table too. The network is fitted to TD(lambda) of the last rounds, all numbers of players mixed.

Each stage has a folder with its games, in parts, its network, and a report. What is there is not made again, and
depends on nothing but the plan: a run that was stopped, or killed, goes on where it was, to the same networks.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
import torch

from oddville_agents.oldtown.heuristic.weights import weight_set
from oddville_agents.oldtown.value.evaluator import make_evaluator
from oddville_agents.oldtown.value.files import read_network, write_network
from oddville_agents.oldtown.value.layout import SIZE
from oddville_agents.oldtown.value.network import TENSORS
from oddville_env.core.files import JsonFormat, written_whole
from oddville_env.core.seeds import game_seeds
from oddville_env.oldtown.settings import make_box
from oddville_training.learning.selfplay.folder import write_json
from oddville_training.learning.selfplay.jobs import Job, Workers
from oddville_training.oldtown.games import HEURISTIC, NEWEST, Deals, Noted, play_games
from oddville_training.oldtown.network import (
    Fit,
    Network,
    Rows,
    chances,
    fit,
    log_loss,
    new_network,
    take_over,
    tensors_of,
)
from oddville_training.oldtown.plan import Plan, PlanError, plan_of
from oddville_training.tournament.evaluate import interval

PART = 1000  # games of a part
STRAYS = (0.0, 0.03, 0.08, 0.2)  # parts of moves that are random; games take them in turn
AT_THE_TABLE = 0.5  # how likely a seat of a game with guests is the heuristic's
NUMBERS = 1_000_000  # numbers of games that a stage has for each number of players
DEALS = 777  # seed of the deals of evaluations
PLAN_FILE = JsonFormat("oldtown-selfplay", 1, "plan of a run", PlanError)
Done = Callable[[], bool]
"""Called when a part of the work is done: True where time is over."""


class RunFolder:
    """Where everything of a run lies; all files are written whole."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.network = path / "network.safetensors"
        self._plan = path / "plan.json"

    def begin(self, plan: Plan | None, resume: bool) -> Plan:
        """The plan to follow; without one that of the folder. Raises PlanError."""
        if not self._plan.exists():
            if resume:
                raise PlanError(f"{self.path} holds no run to go on with: begin it without --resume")
            plan = plan or Plan()
            PLAN_FILE.write(self._plan, plan.as_plain())
            return plan
        if not resume:
            raise PlanError(f"{self.path} already holds a run: --resume goes on with it, or name another folder")
        stored = self.plan()
        if plan is not None and plan != stored:
            raise PlanError(f"{self.path} holds a run with other settings: --resume alone goes on with it")
        return stored

    def plan(self) -> Plan:
        """The plan that the run follows; raises PlanError."""
        plain = PLAN_FILE.read(self._plan)
        return plan_of({name: value for name, value in plain.items() if name not in ("format", "version")})

    def stage(self, number: int) -> Path:
        """The folder of a stage: 0 is the warm start."""
        return self.path / "stages" / f"{number:04}"

    def is_fitted(self, number: int) -> bool:
        """The stage has a network and a report."""
        return (self.stage(number) / "report.json").exists()

    def games(self, number: int, players: int, part: int) -> Path:
        """The file of a part of a stage's games."""
        return self.stage(number) / f"games-{players}-{part:05}.npz"

    def tensors(self, number: int) -> dict[str, np.ndarray]:
        """The network of a stage."""
        return read_network(self.stage(number) / "network.safetensors")


def parts_of(plan: Plan, number: int) -> Iterator[tuple[int, int]]:
    """The parts of a stage's games: how many play, and the part's number."""
    games = plan.games if number else plan.warm_games
    for players, size in zip(plan.players, games, strict=True):
        for part in range(-(-size // PART)):
            yield players, part


def pieces_of(plan: Plan) -> int:
    """How many parts all the work has: games, and a fit for each stage."""
    return sum(1 + len(list(parts_of(plan, number))) for number in range(plan.rounds + 1))


def learn(files: RunFolder, workers: Workers, done: Done) -> None:
    """Go on with a run that has begun until it is over or `done` says so. Raises PlanError."""
    plan = files.plan()
    torch.set_num_threads(1)
    for number in range(plan.rounds + 1):
        if files.is_fitted(number):
            continue
        newest = files.tensors(number - 1) if number else None
        jobs = [
            Job(files.games(number, *each), play_part, (plan, number, *each, newest), save, "games")
            for each in parts_of(plan, number)
            if not files.games(number, *each).exists()
        ]
        for _ in workers(jobs):
            if done():
                return
        fit_stage(files, plan, number)
        if done():
            return


# Games


def play_part(plan: Plan, number: int, players: int, part: int, newest: dict[str, np.ndarray] | None) -> Noted:
    """The games of a part; what is noted follows from the arguments alone."""
    all_games = (plan.games if number else plan.warm_games)[plan.players.index(players)]
    size = min(PART, all_games - part * PART)
    rng = np.random.default_rng([plan.seed, number, players, part])
    seeds = rng.integers(2**64, size=size, dtype=np.uint64)
    policies = np.full((size, players), HEURISTIC if newest is None else NEWEST, np.int8)
    policies[(rng.random((size, 1)) < plan.guests) & (rng.random((size, players)) < AT_THE_TABLE)] = HEURISTIC
    first = (players * (plan.rounds + 1) + number) * NUMBERS + part * PART
    deals = Deals(seeds, policies, np.resize(STRAYS, size), first, plan.share)
    return play_games(make_box(players), weight_set("tuned", players), evaluator_of(newest), deals)[0]


def evaluator_of(tensors: dict[str, np.ndarray] | None) -> np.ndarray:
    """The evaluator [1] of a network, or one that says nothing."""
    return make_evaluator(tensors or {name: np.zeros(shape, np.float32) for name, shape in TENSORS.items()})


def save(path: Path, noted: Noted) -> None:
    """Write what was noted to an npz file."""
    with written_whole(path, "wb") as file:
        np.savez(file, **noted._asdict())


def load(path: Path) -> Noted:
    """Read what `save` wrote. Raises PlanError."""
    try:
        with np.load(path) as stored:
            noted = Noted(**{name: stored[name] for name in Noted._fields})
        found, number = [(array.dtype.name, array.shape) for array in noted], len(noted.seats)
        if found != [("float16", (number, SIZE)), *((kind, (number,)) for kind in ("int8", "int64", "float32"))]:
            raise ValueError(f"its arrays are {found}")
    except (OSError, ValueError, KeyError, TypeError, EOFError, BadZipFile) as error:
        raise PlanError(f"{path} is damaged ({error}): remove it, and --resume makes it again") from None
    return noted


# Learning


def fit_stage(files: RunFolder, plan: Plan, number: int) -> None:
    """Fit a network to the games of the last stages, from the network before; write it, and how that went."""
    used = range(max(number + 1 - plan.window, 0), number + 1)
    some = [load(files.games(stage, *each)) for stage in used for each in parts_of(plan, stage)]
    noted = Noted(*(np.concatenate(arrays) for arrays in zip(*some, strict=True)))
    network = new_network(noted.seen, plan.seed)
    targets = noted.wins
    if number:
        take_over(network, files.tensors(number - 1))
        targets = look_back(noted, chances(network, noted.seen), plan.td_lambda)
    fit(network, Rows(noted.seen, targets, noted.games), Fit(plan.epochs, plan.batch, plan.rate), plan.seed + number)
    wins = {str(players): measure(network, players, plan.evaluation) for players in plan.players}
    loss = log_loss(network, Rows(noted.seen, noted.wins, noted.games))
    about = plan.as_plain() | {"stage": number}
    for path in (files.stage(number) / "network.safetensors", files.network):
        write_network(path, tensors_of(network), about)
    write_json(files.stage(number) / "report.json", {"rows": len(targets), "log_loss": loss, "against_heuristic": wins})


def look_back(noted: Noted, found: np.ndarray, td_lambda: float) -> np.ndarray:
    """TD(lambda) from the end of each game, for each seat by what it saw itself: float32 [N].

    found [N]: the chances to win that the network finds in the rows.
    """
    targets = noted.wins.copy()
    last: dict[tuple[int, int], int] = {}
    for row in range(len(targets) - 1, -1, -1):
        key = int(noted.games[row]), int(noted.seats[row])
        if key in last:
            following = last[key]
            targets[row] = td_lambda * targets[following] + (1 - td_lambda) * found[following]
        last[key] = row
    return targets


def measure(network: Network, players: int, games: int) -> dict[str, Any]:
    """What a network wins one move ahead, against the heuristic in all other seats, on equal deals in every seat."""
    deals = games // players
    seats = np.tile(np.arange(players), deals)
    policies = np.full((len(seats), players), HEURISTIC, np.int8)
    policies[np.arange(len(seats)), seats] = NEWEST
    asked = Deals(np.repeat(game_seeds(DEALS + players, deals), players), policies, np.zeros(len(seats)), 0, 0.0)
    box = make_box(players)
    _, wins = play_games(box, weight_set("tuned", players), make_evaluator(tensors_of(network)), asked)
    won = wins[np.arange(len(seats)), seats].reshape(deals, players)
    low, high = interval(won)
    return {"games": won.size, "won": float(won.mean()), "low": low, "high": high}
