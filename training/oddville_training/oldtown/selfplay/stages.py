"""Self-play, from nothing to a network that says who wins: the algorithm, from top to bottom.

0. The heuristic plays itself, with stray moves, and a network is fitted to who won (a warm start).
1. In each round the newest network plays itself, one move ahead, with stray moves; in some games the heuristic sits at
   the table too. The network is fitted to TD(lambda) (Sutton 1988; TD-Gammon, Tesauro 1995) of the last rounds, all
   numbers of players mixed.

Each stage has a folder with its games, in parts, its network, and a report. What is there is not made again, and
depends on nothing but the plan: a run that was stopped, or killed, goes on where it was, to the same networks.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch

from oddville_agents.oldtown.heuristic.weights import weight_set
from oddville_agents.oldtown.value.evaluator import make_evaluator
from oddville_agents.oldtown.value.files import FILES, write_network
from oddville_agents.oldtown.value.layout import SIZE
from oddville_agents.oldtown.value.network import TENSORS
from oddville_agents.tensors import ArrayKind, check_arrays, read_npz
from oddville_env.core.checked.settings import as_it_was_set
from oddville_env.core.disk.files import JsonFormat, written_whole
from oddville_env.core.game.seeds import game_seeds
from oddville_env.oldtown.settings import PLAYERS, make_box
from oddville_training.oldtown.selfplay.calibration import calibration, log_loss
from oddville_training.oldtown.selfplay.games import HEURISTIC, NEWEST, Deals, Noted, play_games
from oddville_training.oldtown.selfplay.network import (
    Rows,
    ValueNetwork,
    chances,
    fit,
    new_network,
    take_over,
    tensors_of,
)
from oddville_training.oldtown.selfplay.plan import MOST_GAMES, Plan
from oddville_training.selfplay.fit import FitParams
from oddville_training.selfplay.folder import NETWORK, SelfPlayFolder
from oddville_training.selfplay.plan import MOST_ROUNDS, PlanError
from oddville_training.tournament.evaluate import interval
from oddville_training.work.jobs import Job, Workers, write_json

PART = 1000  # games of a part
STRAYS = (0.0, 0.03, 0.08, 0.2)  # parts of moves that are random; games take them in turn
AT_THE_TABLE = 0.5  # how likely a seat of a game with guests is the heuristic's
DEALS = 777  # seed of the deals of evaluations
MOST_SEEN = 65_504.0  # of a number in a row, the largest one of float16
Done = Callable[[], bool]
"""Called when a part of the work is done: True where time is over."""


class RunFolder(SelfPlayFolder[Plan, int]):
    """The files of a run; the warm start is stage 0."""

    PLAN = Plan
    FORMAT = JsonFormat("oldtown-selfplay", 1, "plan of a run", PlanError)
    NETWORKS = FILES

    def _resumed(self, stored: Plan, plan: Plan | None) -> Plan:
        for name, value in (plan or stored).as_plain().items():
            as_it_was_set(name, stored.as_plain()[name], value)
        return stored

    def stage(self, stage: int) -> Path:
        """The folder of a stage."""
        return self.path / "stages" / f"{stage:04}"


def parts_of(plan: Plan, number: int) -> Iterator[tuple[int, int]]:
    """The parts of a stage's games: how many play, and the part's number."""
    games = plan.games if number else plan.warm_games
    for players, size in zip(plan.players, games, strict=True):
        for part in range(-(-size // PART)):
            yield players, part


def pieces_of(plan: Plan) -> int:
    """The number of parts of all the work: games, and a fit for each stage."""
    return sum(1 + len(list(parts_of(plan, number))) for number in range(plan.rounds + 1))


def learn(files: RunFolder, plan: Plan, workers: Workers, done: Done) -> None:
    """Go on with a run, which has begun, until it is over or `done` says so. Raises PlanError."""
    torch.set_num_threads(1)
    stages = range(plan.rounds + 1)
    for number in [number for number in stages if files.is_fitted(number)][-1:]:
        files.publish(number)  # the run may have been killed before it was
    for number in stages:
        if not files.is_fitted(number):
            for _ in workers(list(_open_games(files, plan, number))):
                if done():
                    return
            fit_stage(files, plan, number)
            files.publish(number)
        if done():
            return


# Games


def _open_games(files: RunFolder, plan: Plan, number: int) -> Iterator[Job]:
    """The parts of a stage's games that are not there."""
    newest = files.read_network(number - 1) if number else None
    for players, part in parts_of(plan, number):
        path = files.games(number, players, part)
        if not path.exists():
            yield Job(path, play_part, (plan, number, players, part, newest), save, "games")


def play_part(plan: Plan, number: int, players: int, part: int, newest: dict[str, np.ndarray] | None) -> Noted:
    """The games of a part; what is noted follows from the arguments alone."""
    all_games = (plan.games if number else plan.warm_games)[plan.players.index(players)]
    size = min(PART, all_games - part * PART)
    rng = np.random.default_rng([plan.seed, number, players, part])
    seeds = rng.integers(2**64, size=size, dtype=np.uint64)
    policies = np.full((size, players), HEURISTIC if newest is None else NEWEST, np.int8)
    policies[(rng.random((size, 1)) < plan.guests) & (rng.random((size, players)) < AT_THE_TABLE)] = HEURISTIC
    first = (players * (plan.rounds + 1) + number) * MOST_GAMES + part * PART
    deals = Deals(seeds, policies, np.resize(STRAYS, size), first, plan.share)
    return play_games(make_box(players), weight_set("tuned", players), evaluator_of(newest), deals)[0]


def evaluator_of(tensors: dict[str, np.ndarray] | None) -> np.ndarray:
    """The evaluator [1] of a network, or one that says nothing."""
    return make_evaluator(tensors or {name: np.zeros(shape, np.float32) for name, shape in TENSORS.items()})


def save(path: Path, noted: Noted) -> None:
    """Write what was noted to an npz file."""
    with written_whole(path, "wb") as file:
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


# Learning


def fit_stage(files: RunFolder, plan: Plan, number: int) -> None:
    """Fit a network to the games of the last stages, from the network before; write it, and how that went."""
    used = range(max(number + 1 - plan.window, 0), number + 1)
    some = [load(files.games(stage, *each)) for stage in used for each in parts_of(plan, stage)]
    noted = Noted(*(np.concatenate(arrays) for arrays in zip(*some, strict=True)))
    network = new_network(noted.seen, plan.seed)
    targets = noted.wins
    if number:
        take_over(network, files.read_network(number - 1))
        targets = look_back(noted, chances(network, noted.seen), plan.td_lambda)
    fit(
        network,
        Rows(noted.seen, targets, noted.games),
        FitParams(plan.epochs, plan.batch, plan.rate),
        plan.seed + number,
    )
    wins = {str(players): wins_against_heuristic(network, players, plan.evaluation) for players in plan.players}
    report = {"rows": len(targets)} | judged(network, noted, plan) | {"against_heuristic": wins}
    write_network(files.stage(number) / NETWORK, tensors_of(network), plan.as_plain() | {"stage": number})
    write_json(files.stage(number) / "report.json", report)


def judged(network: ValueNetwork, noted: Noted, plan: Plan) -> dict[str, Any]:
    """How true what a network says is in the games held back: in all, and for each number of players."""
    held = Rows(noted.seen, noted.wins, noted.games).held_back
    said, wins = chances(network, noted.seen[held]), noted.wins[held]
    players = noted.games[held] // (MOST_GAMES * (plan.rounds + 1))  # as `play_part` numbers its games
    of_players = {str(each): calibration(said[players == each], wins[players == each]) for each in np.unique(players)}
    return {"log_loss": log_loss(said, wins), "calibration": of_players}


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


def wins_against_heuristic(network: ValueNetwork, players: int, games: int) -> dict[str, Any]:
    """A network's wins one move ahead, against the heuristic in all other seats, on equal deals in every seat."""
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
