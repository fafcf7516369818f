"""OddVille's self-play, from nothing to a network that chooses moves: the algorithm, from top to bottom.

0. `greedy` plays itself, with stray moves, and a network is fitted to the winners (a warm start).
1. In each round the newest network plays itself, one move ahead, with stray moves; in some games past networks and
   greedy sit at the table. All seats learn: the network is fitted to TD(lambda) (Sutton 1988; TD-Gammon, Tesauro 1995)
   of the last stages, all numbers of players mixed.
2. In search rounds a search with the newest network examines some positions of such games, and the network is fitted
   to its visits and values (expert iteration, Anthony et al. 2017; AlphaZero, Silver et al. 2018).
3. In value rounds the network is fitted to such searches' values of positions and of those behind moves, after
   temperature scaling, and to outcomes; visit targets alone make it overconfident. With `turns` the searches play each
   new position on, as that of `search:ms=` does.

`selfplay/run.py` is the loop over the stages. After each of them the network plays against frozen anchors.
"""

import time
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

import numpy as np

from oddville_agents.oddville.search.tree import make_tree
from oddville_agents.oddville.value.evaluator import make_evaluator, make_scratch
from oddville_agents.oddville.value.formula.weights import weight_set
from oddville_agents.oddville.value.network import ARCHITECTURES, LEARNED_3, architecture_of, network_of, write_network
from oddville_agents.spec import AgentSpec
from oddville_env.core.disk.reading import JsonFormat
from oddville_env.core.game.game_type import GameType, Outcome, game_type
from oddville_env.envs.live_game import LiveGame
from oddville_env.oddville.settings import OddVilleSettings, make_box
from oddville_training.oddville.selfplay import fits, parts, positions
from oddville_training.oddville.selfplay import plan as plans
from oddville_training.oddville.selfplay.display import RunDisplay
from oddville_training.oddville.selfplay.games import SMALLEST, GameScratch, note_played
from oddville_training.oddville.selfplay.parts import ALL_NUMBERS, NUMBERS, ROOM, card_sets
from oddville_training.oddville.selfplay.plan import SEARCH, TUNED, OddVilleFolder, Plan
from oddville_training.oddville.selfplay.positions import Positions, finish, make_positions, trimmed
from oddville_training.processes.pools import Job, write_json
from oddville_training.selfplay import run as skeleton
from oddville_training.selfplay.exploit import PART, STAGE, Exploit
from oddville_training.selfplay.plan import MOST_ROUNDS, NETWORK, REPORT, Part, PlanError, Stage
from oddville_training.selfplay.run import FitParams, SelfPlay, SelfPlayResult, Tensors, Watch

PAST = 3  # past networks of a round
MOVES = 8  # moves of a position, roughly: so many times smaller are batches of choices
RIVAL = "rival"  # the name of the network to beat among the anchors
ANCHOR_AGE = 2  # stages ago, whose network is an anchor
SIMS, SEARCHED_GAMES = 64, 100  # of the evaluation in search


class OddVilleSelfPlay(SelfPlay[Plan]):
    """A run of OddVille's self-play."""

    FOLDER = OddVilleFolder
    DISPLAY = RunDisplay
    OPTIONS = (*SelfPlay.OPTIONS, "best_response", "threads")
    play_part = staticmethod(parts.play_part)
    save = staticmethod(positions.save)
    folder: OddVilleFolder

    @property
    def threads(self) -> int:  # type: ignore[override]
        """Threads of torch."""
        return self.plan.threads

    @classmethod
    def check(cls, plan: Plan) -> None:
        """Raises CardError, SettingError, NetworkError and PlanError where a plan names what is missing."""
        OddVilleSettings(plan.players[0], **plan.settings(card_sets(plan.cards)[0]))
        networks = {name: network_of(name) for name in (plan.start, plan.rival) if name not in (None, TUNED)}
        start = None if plan.start is None else networks.get(plan.start)
        if start is not None and architecture_of(start) != ARCHITECTURES[plan.architecture]:
            raise PlanError(f"start must name a network of the architecture {plan.architecture}: {plan.start} differs")

    # Games

    def networks(self, stage: Stage) -> tuple[Tensors, ...]:
        """The networks that play in a stage, the newest first; none where greedy plays alone."""
        newest = self._before(stage)
        if newest is None:
            return ()
        if self.plan.rival is not None:
            rival = self._rival()
            return (newest,) if rival is None else (newest, rival)
        rng = np.random.default_rng([self.plan.seed, stage.number])
        past = self.stages[: max(stage.number - 1, 0)]
        some = rng.permutation(len(past))[:PAST] if self.plan.past > 0 else ()
        return (newest, *(self.folder.read_network(past[at]) for at in some))

    def _before(self, stage: Stage) -> Tensors | None:
        """The network that a stage begins with; None where greedy plays."""
        if stage.number > 0:
            return self.folder.read_network(self.stages[stage.number - 1])
        return None if self.plan.start is None else network_of(self.plan.start)

    def _rival(self) -> Tensors | None:
        """The network to beat; None for greedy, or without a rival."""
        return None if self.plan.rival in (None, TUNED) else network_of(str(self.plan.rival))

    # Learning

    def window(self, stage: Stage) -> list[Stage]:
        """The stages whose games a stage learns from: the last ones, or all of its kind if positions are searched."""
        if stage.kind in plans.SEARCHED:
            return [each for each in self.stages[: stage.number + 1] if each.kind == stage.kind]
        return super().window(stage)

    def fit(self, stage: Stage, watch: Watch) -> None:
        """Fit a network to the games of `window`, beginning with the one before; write it, then its report."""
        plan, begun = self.plan, time.perf_counter()
        kind = "choices" if stage.kind == SEARCH else "rows"
        tables = {f"{kind}-{players}": self._table(stage, players) for players in plan.players}
        made = time.perf_counter()
        first = next(iter(tables.values()))
        network = fits.new_network(first.own, first.shared, ARCHITECTURES[plan.architecture], plan.seed)
        formula = _losses(network, tables, plan.batch)
        if (newest := self._before(stage)) is not None:
            fits.take_over(network, newest)
        before = _losses(network, tables, plan.batch)
        how = FitParams(plan.epochs, plan.batch // MOVES if stage.kind == SEARCH else plan.batch, plan.rate)
        watch.fitting(stage, fits.fit(network, list(tables.values()), how, plan.seed + stage.number))
        report = {
            "stage": stage.name,
            "rows": {name: len(table.numbers) for name, table in tables.items()},
            "loss": {"formula": formula, "before": before, "after": _losses(network, tables, plan.batch)},
            "seconds": {"games": watch.seconds, "rows": made - begun, "fit": time.perf_counter() - made},
        }
        about = {name: value for name, value in plan.as_stored().items() if name not in plan.MAY_CHANGE}
        folder = self.folder.stage(stage)
        write_network(folder / NETWORK, fits.tensors_of(network), about | {"stage": stage.name})
        write_json(folder / REPORT, report)

    def _table(self, stage: Stage, players: int) -> fits.Rows | fits.Choices:
        """The training set of the games of the window with so many players."""
        formula, sets = weight_set("search", players), card_sets(self.plan.cards)
        found = [(each, part) for each in self.window(stage) for part in self.plan.parts(each, players)]
        boxes = [make_box(players, **self.plan.settings(sets[part.number % len(sets)])) for _, part in found]
        games = (  # one part in memory at a time
            positions.load(self.folder.games(*each), box) for each, box in zip(found, boxes, strict=True)
        )
        if stage.kind == SEARCH:
            some = [fits.make_choices(box, formula, each) for box, each in zip(boxes, games, strict=True)]
            return fits.joined(some)
        known = fits.calibrated(list(games), players) if stage.kind == plans.VALUE else games
        td_lambda = self.plan.td_lambda
        made = [fits.make_rows(box, formula, each, td_lambda) for box, each in zip(boxes, known, strict=True)]
        return fits.Rows(*(np.concatenate(arrays) for arrays in zip(*made, strict=True)))

    # Measuring

    def open_evaluations(self) -> Iterator[Job]:
        """The evaluations of fitted networks that are missing."""
        for stage in self.stages:
            for players in self.plan.players if self.folder.is_fitted(stage) else ():
                path = self.folder.evaluation(stage, players)
                if not path.exists():
                    arguments = (self.plan, players, self.folder.read_network(stage), self._anchors(stage))
                    yield Job(path, parts.evaluate, arguments, write_json, f"{stage.name}: evaluation")

    def _anchors(self, stage: Stage) -> dict[str, Tensors | None]:
        anchors: dict[str, Tensors | None] = {plans.SIMPLE: None, TUNED: None}
        if (rival := self._rival()) is not None:
            anchors[RIVAL] = rival
        if stage.number >= ANCHOR_AGE:
            past = self.stages[stage.number - ANCHOR_AGE]
            anchors[past.name] = self.folder.read_network(past)
        return anchors


def _losses(network: fits.CorrectionNetwork, tables: Mapping[str, fits.TrainingSet], batch: int) -> dict[str, float]:
    return {name: fits.judged(network, table, batch) for name, table in tables.items()}


learn = partial(skeleton.learn, OddVilleSelfPlay)  # runs or resumes a plan: see `selfplay.run.learn`


# The command


def run(
    game_type: GameType, folder: Path, typed: Mapping[str, Any], resume: bool, minutes: float | None
) -> SelfPlayResult:
    """Learn by command-line options: see `selfplay.run.command`. A best response is evaluated against its rival."""
    result = skeleton.command(OddVilleSelfPlay, game_type, folder, typed, resume, minutes)
    plan = OddVilleFolder(folder).plan()
    result = result._replace(settings={**result.settings, "settings": plan.settings(card_sets(plan.cards[:1])[0])})
    if plan.rival is not None:
        return result._replace(settings={**result.settings, "against": [plans.spec_of(plan.rival)]})
    searching = AgentSpec("search", {"value": result.model.options["network"], "sims": SIMS})
    return result._replace(also=[(searching, TUNED, SEARCHED_GAMES)])


def rehearse() -> None:
    """Learn a little of everything, so that all kernels are compiled."""
    few: dict[str, Any] = dict.fromkeys(Plan.GAMES.values(), (2,)) | {"warm_games": (21,)}
    with TemporaryDirectory() as folder:
        learn(
            Path(folder) / "run", Plan(rounds=1, search_rounds=1, sims=2, batch=64, evaluation=12, **few), resume=False
        )


# Best responses: see `selfplay/exploit.py`


class SeatNotes:
    """The positions before the response's own moves."""

    def __init__(self, box: Any, network: str, games: int) -> None:
        self._boxes = box.record
        self._evaluators = make_evaluator(weight_set("search", box.players), network_of(network))
        self._positions = make_positions(box, games * ROOM, 2)
        mask = np.zeros(box.layout.size, np.bool_)
        self._scratch = GameScratch(np.zeros(1, box.games), mask, make_scratch(box), make_tree(box, SMALLEST))
        self._start = 0

    def look(self, seat: int, live: LiveGame, action: int) -> None:
        """Note the position before a move of the seat."""
        if live.to_move == seat:
            note_played(self._boxes, live.state, action, self._evaluators, self._positions, self._scratch)

    def end(self, game: int, seat: int, outcome: Outcome) -> None:
        """Note the winner."""
        finish(self._positions, self._start, game, outcome.winner)
        self._start = int(self._positions.used[0])

    def found(self) -> Positions:
        """All positions."""
        return trimmed(self._positions)


class ResponsePlan(Plan):
    """Settings of a run; `rival` is the spec of the frozen agent."""

    def part_games(self, kind: str) -> int:
        """Games of a part of a stage."""
        return PART

    def first_game(self, stage: Stage, part: Part) -> int:
        """The number of a part's first game."""
        return (stage.number * NUMBERS + part.first) % ALL_NUMBERS


class ResponseFolder(OddVilleFolder):
    """The files of a run."""

    PLAN = ResponsePlan
    FORMAT = JsonFormat("oddville-exploit", 1, "plan of a run", PlanError)


class OddVilleExploit(Exploit, OddVilleSelfPlay):
    """A run of OddVille's best responses."""

    GAME, NOTES, FOLDER = game_type("oddville"), SeatNotes, ResponseFolder
    SETTINGS: ClassVar = {"start": LEARNED_3.stem, "rounds": MOST_ROUNDS, "games": [STAGE], "window": 3, "rate": 5e-4}


METHOD = OddVilleExploit
