"""Old Town's self-play, from nothing to a network that predicts the winner: the algorithm, from top to bottom.

0. The heuristic plays itself, with stray moves, and a network is fitted to the winners (a warm start).
1. In each round the newest network plays itself, one move ahead, with stray moves; in some games the heuristic sits at
   the table too. The network is fitted to TD(lambda) (Sutton 1988; TD-Gammon, Tesauro 1995) of the last rounds, all
   numbers of players mixed.

    loss = mean over rows of the cross-entropy of sigmoid(odds) with: target, the chance to win

`selfplay/run.py` is the loop over the stages. Letters of shapes: N rows, B rows of a batch.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor, nn

from oddville_agents.oldtown.heuristic.choice import weight_set
from oddville_agents.oldtown.value.evaluator import make_evaluator
from oddville_agents.oldtown.value.network import FILES, HIDDEN, LAST, SIZE, network_of, write_network
from oddville_env.core.checked import game_seeds, text
from oddville_env.core.disk.reading import JsonFormat
from oddville_env.core.game.game_type import Outcome, game_type
from oddville_env.envs.live_game import LiveGame
from oddville_env.oldtown.settings import make_box
from oddville_training.oldtown.selfplay import games
from oddville_training.oldtown.selfplay.games import (
    HEURISTIC,
    NEWEST,
    ROOM,
    Deals,
    Noted,
    first_game,
    note,
    play_games,
    room_for,
    trimmed,
)
from oddville_training.oldtown.selfplay.plan import MOST_GAMES, Plan
from oddville_training.processes.pools import write_json
from oddville_training.selfplay import run as skeleton
from oddville_training.selfplay.exploit import LEARNED, PART, STAGE, Exploit
from oddville_training.selfplay.plan import MOST_ROUNDS, NETWORK, REPORT, Part, PlanError, SelfPlayFolder, Stage
from oddville_training.selfplay.run import (
    HELD_BACK,
    Descent,
    FitParams,
    SelfPlay,
    Tensors,
    Watch,
    full_batches,
    input_scale,
)
from oddville_training.settings import setting
from oddville_training.tournament.evaluate import interval

DEALS = 777  # seed of the deals of evaluations
BINS = 10  # of the table, equally wide
LEAST_CHANCE = 1e-6  # that is counted as such, lest one row decide all


class ValueNetwork(nn.Module):
    """The log odds of winning for batches, the same numbers as `value/network.py` has; inputs are scaled to about 1."""

    scale: Tensor

    def __init__(self, scale: Tensor) -> None:
        super().__init__()
        self.register_buffer("scale", scale)
        self.first = nn.Linear(SIZE, HIDDEN)
        self.second = nn.Linear(HIDDEN, LAST)
        self.third = nn.Linear(LAST, 1, bias=False)
        self.plain = nn.Linear(SIZE, 1)
        for layer in (self.third, self.plain):
            nn.init.zeros_(layer.weight)
        nn.init.zeros_(self.plain.bias)

    def forward(self, seen: Tensor) -> Tensor:
        """Seen [B, SIZE] -> log odds [B]."""
        scaled = seen * self.scale
        hidden = self.second(self.first(scaled).relu()).relu()
        odds: Tensor = (self.third(hidden) + self.plain(scaled)).squeeze(1)
        return odds


def new_network(seen: np.ndarray, seed: int) -> ValueNetwork:
    """A network that knows nothing yet, for inputs such as seen [N, SIZE]."""
    torch.manual_seed(seed)
    return ValueNetwork(input_scale(seen))


def tensors_of(network: ValueNetwork) -> dict[str, np.ndarray]:
    """The tensors that compiled code reads, scales folded in."""
    plain = {name: value.detach().numpy() for name, value in network.state_dict().items()}
    return {
        "first": plain["first.weight"].T * plain["scale"][:, None],
        "first_bias": plain["first.bias"],
        "second": plain["second.weight"].T.copy(),
        "second_bias": plain["second.bias"],
        "third": plain["third.weight"][0],
        "plain": plain["plain.weight"][0] * plain["scale"],
        "bias": plain["plain.bias"],
    }


def take_over(network: ValueNetwork, tensors: Mapping[str, np.ndarray]) -> None:
    """Begin with the tensors of a file."""
    scale = network.scale.numpy()
    unscaled = np.where(scale > 0, 1 / np.where(scale > 0, scale, 1), 0)
    for parameter, value in (
        (network.first.weight, (tensors["first"] * unscaled[:, None]).T),
        (network.first.bias, tensors["first_bias"]),
        (network.second.weight, tensors["second"].T),
        (network.second.bias, tensors["second_bias"]),
        (network.third.weight, tensors["third"][None]),
        (network.plain.weight, (tensors["plain"] * unscaled)[None]),
        (network.plain.bias, tensors["bias"]),
    ):
        parameter.data.copy_(torch.tensor(value))


def chances(network: ValueNetwork, seen: np.ndarray, batch: int = 8192) -> np.ndarray:
    """The chances to win that a network finds in seen [N, SIZE]: float32 [N]."""
    with torch.inference_mode():
        parts = [network(torch.from_numpy(seen[low : low + batch]).float()) for low in range(0, len(seen), batch)]
    return torch.cat(parts).sigmoid().numpy() if parts else np.zeros(0, np.float32)


def fit(
    network: ValueNetwork, seen: np.ndarray, targets: np.ndarray, games: np.ndarray, how: FitParams, seed: int
) -> None:
    """Fit a network in place to all but the games held back. The rate rises and falls to 0.

    seen: float16 [N, SIZE]; targets: float32 [N], the chances to win that it should find; games: int64 [N], numbers.
    """
    rng, mine = np.random.default_rng(seed), np.flatnonzero(games % HELD_BACK)
    descent, loss_of = Descent(network, how.rate, how.epochs * (len(mine) // how.batch)), nn.BCEWithLogitsLoss()
    for _ in range(how.epochs):
        for at in full_batches(mine, how.batch, rng):
            odds = network(torch.from_numpy(seen[at]).float())
            descent.step(loss_of(odds, torch.from_numpy(targets[at])))


class OldTownFolder(SelfPlayFolder[Plan]):
    """The files of a run; the warm start is stage 0."""

    PLAN = Plan
    FORMAT = JsonFormat("oldtown-selfplay", 1, "plan of a run", PlanError)
    NETWORKS = FILES


class OldTownSelfPlay(SelfPlay[Plan]):
    """A run of Old Town's self-play."""

    FOLDER = OldTownFolder
    play_part = staticmethod(games.play_part)
    save = staticmethod(games.save)

    def networks(self, stage: Stage) -> tuple[Tensors, ...]:
        """The network that plays in a stage; none where the heuristic plays alone."""
        return (self.folder.read_network(self.stages[stage.number - 1]),) if stage.number else ()

    def fit(self, stage: Stage, watch: Watch) -> None:
        """Fit a network to the games of `window`, beginning with the one before; write it, then its report."""
        plan, folder = self.plan, self.folder.stage(stage)
        paths = [self.folder.games(each, part) for each in self.window(stage) for part in plan.parts(each)]
        noted = Noted(*(np.concatenate(arrays) for arrays in zip(*map(games.load, paths), strict=True)))
        network, targets = new_network(noted.seen, plan.seed), noted.wins
        for before in self.networks(stage):
            take_over(network, before)
            targets = td_targets(noted, chances(network, noted.seen), plan.td_lambda)
        how = FitParams(plan.epochs, plan.batch, plan.rate)
        fit(network, noted.seen, targets, noted.games, how, plan.seed + stage.number)
        wins = {str(players): wins_against_heuristic(network, players, plan.evaluation) for players in plan.players}
        report = {"rows": len(targets)} | judged(network, noted, plan) | {"against_heuristic": wins}
        write_network(folder / NETWORK, tensors_of(network), plan.as_plain() | {"stage": stage.number})
        write_json(folder / REPORT, report)


def judged(network: ValueNetwork, noted: Noted, plan: Plan) -> dict[str, Any]:
    """The calibration of a network in the games held back: in all, and for each number of players."""
    held = noted.games % HELD_BACK == 0
    predicted, wins = chances(network, noted.seen[held]), noted.wins[held]
    players = noted.games[held] // (MOST_GAMES * (plan.rounds + 1))  # see `first_game`
    of_players = {str(n): calibration(predicted[players == n], wins[players == n]) for n in np.unique(players)}
    return {"log_loss": log_loss(predicted, wins), "calibration": of_players}


def td_targets(noted: Noted, found: np.ndarray, td_lambda: float) -> np.ndarray:
    """TD(lambda) targets from the end of each game, for each seat by its own positions: float32 [N].

    found [N]: the network's chances to win in the rows.
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


def log_loss(said: np.ndarray, wins: np.ndarray) -> float:
    """The mean log loss of chances [N] that were said, where the parts [N] of a win came."""
    said = np.clip(said, LEAST_CHANCE, 1 - LEAST_CHANCE)
    return float(-(wins * np.log(said) + (1 - wins) * np.log1p(-said)).mean())


def calibration(said: np.ndarray, wins: np.ndarray) -> dict[str, Any]:
    """The log loss of chances [N], that of the mean chance, and a reliability table.

    error: how far the chances are from what was won, in the mean over the rows of the table (expected calibration
    error, Naeini et al. 2015). A chance without rows has no line in the table.
    """
    bins = np.minimum((said * BINS).astype(np.int64), BINS - 1)
    table = [
        {"rows": int(here.sum()), "said": float(said[here].mean()), "won": float(wins[here].mean())}
        for here in (bins == each for each in np.unique(bins))
    ]
    error = sum(line["rows"] * abs(line["said"] - line["won"]) for line in table) / len(said)
    even = log_loss(np.full(len(wins), wins.mean()), wins)
    return {"log_loss": log_loss(said, wins), "even_log_loss": even, "error": error, "table": table}


learn = partial(skeleton.learn, OldTownSelfPlay)  # runs or resumes a plan: see `selfplay.run.learn`
run = partial(skeleton.command, OldTownSelfPlay)  # learns by command-line options: see `selfplay.run.command`


def rehearse() -> None:
    """Learn a little of everything, so that all kernels are compiled."""
    few = Plan(warm_games=(21,), rounds=1, games=(2,), batch=64, evaluation=12)
    with TemporaryDirectory() as folder:
        learn(Path(folder) / "run", few, resume=False)


# Best responses: see `selfplay/exploit.py`


class SeatNotes:
    """What the seat of the response sees before every move."""

    def __init__(self, box: Any, network: str, games: int) -> None:
        self._box, self._evaluator = box.record[0], make_evaluator(network_of(network))[0]
        self._noted = room_for(games * ROOM)
        self._start = self._used = 0

    def look(self, seat: int, live: LiveGame, action: int) -> None:
        """Note what the seat sees."""
        if self._used < self._start + ROOM:
            self._used = note(self._box, live.state, 0, seat, self._evaluator, self._noted, self._used)

    def end(self, game: int, seat: int, outcome: Outcome) -> None:
        """Note the seat's part of the win."""
        rows, self._start = slice(self._start, self._used), self._used
        self._noted.games[rows] = game
        self._noted.wins[rows] = outcome.win_share(seat)

    def found(self) -> Noted:
        """All rows."""
        return trimmed(self._noted, self._used)


@dataclass(frozen=True, kw_only=True)
class ResponsePlan(Plan):
    """Settings of a run; `rival` is the spec of the frozen agent."""

    rival: str = setting("heuristic", text())

    def part_games(self, kind: str) -> int:
        """Games of a part of a stage."""
        return PART

    def first_game(self, stage: Stage, part: Part) -> int:
        """The number of a part's first game."""
        return first_game(self, stage, part.players) + part.first


class ResponseFolder(OldTownFolder):
    """The files of a run."""

    PLAN = ResponsePlan
    FORMAT = JsonFormat("oldtown-exploit", 1, "plan of a run", PlanError)


class OldTownExploit(Exploit, OldTownSelfPlay):
    """A run of Old Town's best responses."""

    GAME, NOTES, FOLDER = game_type("oldtown"), SeatNotes, ResponseFolder
    SETTINGS: ClassVar = {
        "rounds": MOST_ROUNDS, "warm_games": [STAGE], "games": [STAGE], "window": 3, "rate": 3e-4, "evaluation": 12
    }  # fmt: skip

    def networks(self, stage: Stage) -> tuple[Tensors, ...]:
        """The network that a stage begins with."""
        return super().networks(stage) or (network_of(LEARNED),)


METHOD = OldTownExploit
