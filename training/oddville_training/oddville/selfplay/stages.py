"""Self-play, from nothing to a network that chooses moves: the algorithm, from top to bottom.

0. `greedy` plays itself, with stray moves, and a network is fitted to who won (a warm start).
1. In each round the newest network plays itself, one move ahead, with stray moves; in some games past networks and
   greedy sit at the table. All seats learn: the network is fitted to TD(lambda) (Sutton 1988; TD-Gammon, Tesauro 1995)
   of the last stages, all numbers of players mixed.
2. In search rounds a search with the newest network says what it would do in some positions of such games, and the
   network is fitted to its visits and values (expert iteration, Anthony et al. 2017; AlphaZero, Silver et al. 2018).
3. In value rounds the network is fitted to what such a search says of positions and of what lies behind moves, as
   sure as it turned out to be, and to who won: choices alone make the network too sure of itself. With `turns` the
   searches play each new position on, as that of `search:ms=` does.

Each stage has a folder with its games, in parts, its network, a report, and what the network wins against frozen
anchors. What is there is not made again, and depends on nothing but the plan: a run that was stopped, or killed, goes
on where it was, to the same networks. One process at a time works in the folder of a run.
"""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch

from oddville_agents.oddville.value.formula.weights import weight_set
from oddville_agents.oddville.value.network.architectures import ARCHITECTURES, architecture_of
from oddville_agents.oddville.value.network.files import network_of, write_network
from oddville_env.core.disk.locks import alone_in
from oddville_env.oddville.settings import make_box
from oddville_training.oddville.selfplay import choices, rows
from oddville_training.oddville.selfplay.card_sets import card_sets
from oddville_training.oddville.selfplay.evaluation import SIMPLE, TUNED, Tensors
from oddville_training.oddville.selfplay.fit import TrainingSet, fit, judged
from oddville_training.oddville.selfplay.folder import SEARCH, VALUE, RunFolder, Stage, stages_of
from oddville_training.oddville.selfplay.network import CorrectionNetwork, new_network, take_over, tensors_of
from oddville_training.oddville.selfplay.parts import SEARCHED, evaluate, parts_of, play_part
from oddville_training.oddville.selfplay.plan import MAY_CHANGE, Plan
from oddville_training.oddville.selfplay.positions import load, save
from oddville_training.oddville.selfplay.watch import Watch
from oddville_training.selfplay.fit import FitParams
from oddville_training.selfplay.folder import NETWORK
from oddville_training.selfplay.plan import PlanError
from oddville_training.work.jobs import Job, Workers, write_json
from oddville_training.work.pools import here

PAST = 3  # past networks of a round
MOVES = 8  # moves of a position, roughly: so many times smaller are batches of choices
RIVAL = "rival"  # what the network to beat is called among the anchors
LOOK_BACK = 2  # stages ago, whose network is an anchor


class Run:
    """A run in its folder, as far as it has come."""

    def __init__(self, folder: RunFolder, plan: Plan) -> None:
        self.folder, self.plan = folder, plan
        self.stages = stages_of(plan)

    def before(self, stage: Stage) -> Tensors | None:
        """The network that a stage begins with; none where greedy plays."""
        if stage.place > 0:
            return self.folder.read_network(self.stages[stage.place - 1])
        return None if self.plan.start is None else network_of(self.plan.start)

    def rival(self) -> Tensors | None:
        """The network to beat; None for greedy, or where there is no rival."""
        return None if self.plan.rival in (None, TUNED) else network_of(str(self.plan.rival))


def learn(folder: Path, plan: Plan | None, resume: bool, workers: Workers = here, watch: Watch | None = None) -> Path:
    """Go on with a run until it is over or the watch says so; the newest network's file.

    Raises PlanError, and what its card sets and networks raise, before anything is made.
    """
    files, watch = RunFolder(folder), watch or Watch()
    if plan is not None:
        _check_named(plan)
    with alone_in(folder, PlanError):
        run = Run(files, files.begin(plan, resume))
        torch.set_num_threads(run.plan.threads)
        _settle(run)
        watch.begin(run.folder, run.stages)
        for stage in run.stages:
            jobs = [*_open_evaluations(run), *(_open_games(run, stage) if not files.is_fitted(stage) else ())]
            for _ in watch.jobs(stage, workers, jobs):
                if watch.is_over:
                    return files.network
            if not files.is_fitted(stage):
                fit_stage(run, stage, watch)
                _settle(run)
                watch.fitted(stage)
        for _ in watch.jobs(run.stages[-1], workers, list(_open_evaluations(run))):
            pass
    return files.network


def _settle(run: Run) -> None:
    """Finish the last stage that is fitted: its network is the run's, and games of no more use are gone."""
    for stage in [stage for stage in run.stages if run.folder.is_fitted(stage)][-1:]:
        run.folder.publish(stage)
        run.folder.forget_games(_window(run, stage)[0].place, run.stages)


def _check_named(plan: Plan) -> None:
    """Raises CardError, SettingError, NetworkError and PlanError where a plan names what is not there."""
    card_sets(plan.cards)
    networks = {name: network_of(name) for name in (plan.start, plan.rival) if name not in (None, TUNED)}
    start = None if plan.start is None else networks.get(plan.start)
    if start is not None and architecture_of(start) != ARCHITECTURES[plan.architecture]:
        raise PlanError(f"start must name a network of the architecture {plan.architecture}: {plan.start} is another")


# Games


def _open_games(run: Run, stage: Stage) -> Iterator[Job]:
    """The parts of a stage's games that are not there."""
    networks = _at_the_table(run, stage)
    for players in run.plan.players:
        for part in range(parts_of(run.plan, stage, players)):
            path = run.folder.games(stage, players, part)
            if not path.exists():
                yield Job(path, play_part, (run.plan, stage, players, part, networks), save, f"{stage.name}: games")


def _at_the_table(run: Run, stage: Stage) -> tuple[Tensors, ...]:
    """The networks that play in a stage, the newest first; none where greedy plays."""
    newest = run.before(stage)
    if newest is None:
        return ()
    if run.plan.rival is not None:
        rival = run.rival()
        return (newest,) if rival is None else (newest, rival)
    rng = np.random.default_rng([run.plan.seed, stage.place])
    past = run.stages[: max(stage.place - 1, 0)]
    some = rng.permutation(len(past))[:PAST] if run.plan.past > 0 else ()
    return (newest, *(run.folder.read_network(past[at]) for at in some))


# Learning


def fit_stage(run: Run, stage: Stage, watch: Watch) -> None:
    """Fit a network to the games of the last stages, from the network before; write it, and how that went."""
    plan, begun = run.plan, time.perf_counter()
    used = _window(run, stage)
    tables = {f"{kind}-{players}": table for players in plan.players for kind, table in _tables(run, used, players)}
    sized = [(table, plan.batch if isinstance(table, rows.Rows) else plan.batch // MOVES) for table in tables.values()]
    made = time.perf_counter()
    first = next(table for table in tables.values())
    network = new_network(first.own, first.shared, ARCHITECTURES[plan.architecture], plan.seed)
    formula = _losses(network, tables, plan.batch)
    if (newest := run.before(stage)) is not None:
        take_over(network, newest)
    before = _losses(network, tables, plan.batch)
    how = FitParams(plan.epochs, plan.batch, plan.rate)
    watch.fitting(stage, fit(network, sized, how, plan.seed + stage.place))
    report = {
        "stage": stage.name,
        "rows": {name: len(table.numbers) for name, table in tables.items()},
        "loss": {"formula": formula, "before": before, "after": _losses(network, tables, plan.batch)},
        "seconds": {"games": watch.seconds, "rows": made - begun, "fit": time.perf_counter() - made},
    }
    about = {name: value for name, value in plan.as_plain().items() if name not in MAY_CHANGE} | {"stage": stage.name}
    folder = run.folder.stage(stage)
    write_network(folder / NETWORK, tensors_of(network), about)
    write_json(folder / "report.json", report)


def _window(run: Run, stage: Stage) -> list[Stage]:
    """The stages whose games a stage learns from: the last ones, or all of its kind where a search was asked."""
    so_far = run.stages[: stage.place + 1]
    if stage.kind in SEARCHED:
        return [each for each in so_far if each.kind == stage.kind]
    return so_far[-run.plan.window :]


def _tables(run: Run, used: list[Stage], players: int) -> Iterator[tuple[str, Any]]:
    """The training sets of the games of some stages."""
    formula, boxes, paths = weight_set("search", players), [], []
    sets, kind = card_sets(run.plan.cards), used[-1].kind
    for stage in used:
        for part in range(parts_of(run.plan, stage, players)):
            boxes.append(make_box(players, cards=sets[part % len(sets)]))
            paths.append(run.folder.games(stage, players, part))
    games = (load(path, box) for path, box in zip(paths, boxes, strict=True))  # one part after the other in memory
    if kind == SEARCH:
        made = [choices.make_choices(box, formula, each) for box, each in zip(boxes, games, strict=True)]
        yield "choices", choices.joined(made)
    else:
        known = rows.calibrated(list(games), players) if kind == VALUE else games
        some = [rows.make_rows(box, formula, each, run.plan.td_lambda) for box, each in zip(boxes, known, strict=True)]
        yield "rows", rows.joined(some)


def _losses(network: CorrectionNetwork, tables: dict[str, TrainingSet], batch: int) -> dict[str, float]:
    return {name: judged(network, table, batch) for name, table in tables.items()}


# Measuring


def _open_evaluations(run: Run) -> Iterator[Job]:
    """The evaluations of fitted networks that are not there."""
    for stage in run.stages:
        for players in run.plan.players if run.folder.is_fitted(stage) else ():
            path = run.folder.evaluation(stage, players)
            if not path.exists():
                anchors: dict[str, Tensors | None] = {SIMPLE: None, TUNED: None}
                if (rival := run.rival()) is not None:
                    anchors[RIVAL] = rival
                if stage.place >= LOOK_BACK:
                    past = run.stages[stage.place - LOOK_BACK]
                    anchors[past.name] = run.folder.read_network(past)
                arguments = (players, run.folder.read_network(stage), anchors, run.plan.evaluation)
                yield Job(path, evaluate, arguments, write_json, f"{stage.name}: evaluation")
