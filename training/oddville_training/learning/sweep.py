"""Sweeps: Optuna searches the settings of training that win most games; each trial is a training run.

A trial is evaluated on the same deals at equal parts of its run. It is stopped early where it wins less than the median
of earlier trials (`MedianPruner`). New settings are drawn by a tree-structured Parzen estimator (Bergstra et al. 2011),
seeded by the number of the trial, so that a resumed sweep tries the same settings as one that was never stopped.
"""

import logging
import shutil
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import optuna
import torch
from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter
from optuna import Study, Trial
from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.trial import FrozenTrial, TrialState
from rich.box import SIMPLE
from rich.table import Table
from rich.text import Text
from sqlalchemy.exc import SQLAlchemyError

from oddville_agents.policies.models import ENCODING
from oddville_agents.policies.policy import PolicyAgent
from oddville_agents.policies.torch_network import scores_of
from oddville_agents.spec import check_spec_from_file
from oddville_env.core.checked import check, having, number, several, text, truth, whole
from oddville_env.core.disk.files import write_whole
from oddville_env.core.disk.locks import alone_in
from oddville_env.core.disk.reading import read_toml
from oddville_env.core.errors import located, shown
from oddville_env.core.game.game_type import GameType
from oddville_env.core.system.progress import console_if
from oddville_training.figure import COLOURS, INK, drawing, label
from oddville_training.learning.config import TrainConfig, TrainError
from oddville_training.learning.learner import network_of
from oddville_training.learning.train import Update, run
from oddville_training.settings import LARGEST_SEED, kinds_of, known_settings, setting
from oddville_training.tournament.evaluate import MOST_GAMES, evaluate

MOST_SEARCHED = 6  # settings: a panel of the picture for each
FAINT = 0.25  # opacity of lines behind the points
STOPPED = "stopped early"
DATABASE, PICTURE, TRIALS = "sweep.db", "sweep.svg", "trials"


@dataclass(frozen=True, kw_only=True)
class Sweep:
    """What a sweep file holds. Raises TrainError."""

    game: GameType
    search: Mapping[str, Any] = setting(None, having({}))  # by setting: a list of values, or {low, high, log}
    settings: Mapping[str, Any] = setting(None, having({}))  # of every trial, by the names of `TrainConfig`
    trials: int = setting(20, whole(1, 10_000))
    against: tuple[str, ...] = setting(("greedy",), several(text(), 1, 100))
    games: int = setting(200, whole(1, MOST_GAMES))  # against each of them, in every evaluation
    evaluations: int = setting(4, whole(1, 100))  # of a trial, the last one at its end
    seed: int = setting(0, whole(0, LARGEST_SEED))  # of the drawn settings and the deals

    def __post_init__(self) -> None:
        """Check all of it, with a training run at each end of what is searched."""
        check(vars(self), kinds_of(self), TrainError)
        if not 1 <= len(self.search) <= MOST_SEARCHED:
            raise TrainError(f"search must name 1 to {MOST_SEARCHED} settings, not {len(self.search)}")
        for values in zip(*map(_ends, self.distributions().values()), strict=True):
            config = self.config(dict(zip(self.search, values, strict=True)))
            if config.minutes is None and config.steps is None:
                raise TrainError("settings must limit each trial, by minutes or steps")

    def distributions(self) -> dict[str, BaseDistribution]:
        """What is searched, as Optuna takes it; raises TrainError."""
        return {name: _distribution(name, given) for name, given in self.search.items()}

    def config(self, drawn: Mapping[str, Any]) -> TrainConfig:
        """The settings of a trial; raises TrainError."""
        return TrainConfig.of(self.game, {**self.settings, **drawn})

    @classmethod
    def read(cls, path: Path, game: GameType) -> Self:
        """The sweep that a TOML file describes; raises TrainError."""
        plain = read_toml(path, "a sweep", TrainError)
        with located(path, TrainError):
            sweep = cls(game=game, **known_settings(plain, kinds_of(cls), TrainError))
        first = sweep.config({})
        for spec in (*sweep.against, first.teacher, *first.opponents):
            check_spec_from_file(spec, path, game.name)
        return sweep


_RANGE = {"low": number(-1e9, 1e9), "high": number(-1e9, 1e9), "log": truth()}


def _distribution(name: str, given: Any) -> BaseDistribution:
    if isinstance(given, list) and given and all(isinstance(each, int | float | str) for each in given):
        return CategoricalDistribution(given)
    if not isinstance(given, dict) or not {"low", "high"} <= given.keys() <= _RANGE.keys():
        raise TrainError(f"search must give {name} a list of values, or low and high, not {shown(given)}")
    check({"log": False, **given}, _RANGE, TrainError)
    made = IntDistribution if type(given["low"]) is type(given["high"]) is int else FloatDistribution
    try:
        return made(**given)
    except ValueError as error:
        raise TrainError(f"search gives {name} no range: {error}") from None


def _ends(searched: BaseDistribution) -> list[Any]:
    """The first and the last value of a distribution."""
    if isinstance(searched, CategoricalDistribution):
        return [searched.choices[0], searched.choices[-1]]
    assert isinstance(searched, IntDistribution | FloatDistribution)
    return [searched.low, searched.high]


def run_sweep(sweep: Sweep, folder: Path, resume: bool = False, progress: bool = True) -> Study:
    """Run the trials that are missing, each in `folder/trials/NUMBER`; write `folder/sweep.svg` after each.

    Finished trials are kept in `folder/sweep.db` (SQLite). Ctrl-C ends the sweep; the trial that it interrupts begins
    anew when the sweep is resumed. Returns the study. Raises TrainError, and what training and evaluation raise.
    """
    console = console_if(progress)
    with alone_in(folder, TrainError):
        study = _study(sweep, folder, resume)
        for number in range(sweep.trials):
            if number < len(study.trials) and study.trials[number].state.is_finished():
                continue
            state = _try(sweep, study, number, folder)
            if state is None:
                console.print(f"Stopped in trial {number}; finished trials are in {folder}. Continue with --resume.")
                break
            last = study.trials[number]
            settings = ", ".join(f"{name} {_shown(value)}" for name, value in last.params.items())
            early = f", {STOPPED}" if state is TrialState.PRUNED else ""
            console.print(f"trial {number}: {_share(last):.1%} with {settings}{early}")
            write_whole(folder / PICTURE, picture(study))
    return study


def _study(sweep: Sweep, folder: Path, resume: bool) -> Study:
    """The folder's study, or a new one. Raises TrainError where it is another sweep's."""
    database = folder / DATABASE
    if resume != database.exists():
        raise TrainError(
            f"{folder} holds no sweep to resume" if resume else f"{folder} already holds a sweep: resume it"
        )
    optuna.logging.set_verbosity(logging.WARNING)
    searched = {name: optuna.distributions.distribution_to_json(each) for name, each in sweep.distributions().items()}
    mine = {"search": searched, **{name: getattr(sweep, name) for name in ("settings", "games", "evaluations", "seed")}}
    mine["against"] = list(sweep.against)
    try:
        study = optuna.create_study(
            storage=f"sqlite:///{database}", study_name="sweep", direction="maximize",
            pruner=optuna.pruners.MedianPruner(), load_if_exists=True,
        )  # fmt: skip
        stored = study.user_attrs.setdefault("sweep", mine)
        study.set_user_attr("sweep", stored)
    except (SQLAlchemyError, optuna.exceptions.OptunaError) as error:
        raise TrainError(f"{database} holds no sweep ({error})") from None
    if stored != mine:
        changed = next(name for name in mine if mine[name] != stored.get(name))
        raise TrainError(f"{folder} was begun with another {changed}: name another folder, or restore the file")
    return study


def _try(sweep: Sweep, study: Study, number: int, folder: Path) -> TrialState | None:
    """Run a trial; returns None if Ctrl-C ended it."""
    if number < len(study.trials):  # interrupted before
        trial = Trial(study, study.trials[number]._trial_id)
    else:
        study.sampler = optuna.samplers.TPESampler(seed=sweep.seed + number)
        trial = study.ask(sweep.distributions())
    config, trial_folder = sweep.config(trial.params), folder / TRIALS / f"{number:04}"
    shutil.rmtree(trial_folder, ignore_errors=True)
    scores: list[float] = []
    stopped = False

    def watch(update: Update) -> bool:
        nonlocal stopped
        if update.share is not None and update.share * sweep.evaluations >= len(scores) + 1:
            scores.append(_wins(sweep, config, update))
            trial.report(scores[-1], len(scores))
            stopped = update.share < 1 and trial.should_prune()
        return not stopped

    if run(config, trial_folder, progress=False, callback=watch).interrupted:
        return None
    if stopped:
        study.tell(trial, state=TrialState.PRUNED)
    else:
        study.tell(trial, scores[-1])
    return study.trials[number].state


def _wins(sweep: Sweep, config: TrainConfig, update: Update) -> float:
    """The mean share of wins against the opponents of the sweep."""
    agent = PolicyAgent(scores_of(deepcopy(network_of(update.learner))), lambda box: ENCODING, Path(TRIALS))
    torch.set_num_threads(config.threads)
    found = evaluate(
        agent, sweep.against, sweep.games, config.players, sweep.seed, game=sweep.game, progress=False,
        **config.settings,
    )  # fmt: skip
    return sum(each.wins for each in found.against) / len(found.against)


def _share(trial: FrozenTrial) -> float:
    """The share of wins at a trial's last evaluation."""
    values = trial.intermediate_values
    return values[max(values)]


def _shown(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def _evaluated(study: Study) -> list[FrozenTrial]:
    """The trials that have an evaluation, the best first; those that were stopped early are last."""
    found = [each for each in study.trials if each.state.is_finished() and each.intermediate_values]
    return sorted(found, key=lambda each: (each.state is TrialState.PRUNED, -_share(each)))


def table(study: Study) -> Table:
    """The trials for the terminal, the best first."""
    names = list(study.trials[0].params) if study.trials else []
    made = Table(box=SIMPLE, pad_edge=False, collapse_padding=True)
    for name in ("trial", "wins", *names, ""):
        made.add_column(Text(name), justify="right")
    for each in _evaluated(study):
        early = STOPPED if each.state is TrialState.PRUNED else ""
        made.add_row(str(each.number), f"{_share(each):.1%}", *(_shown(each.params[name]) for name in names), early)
    return made


def picture(study: Study) -> str:
    """The share of wins of each trial over each setting, as SVG; trials that were stopped early are hollow."""
    trials, searched = _evaluated(study), study.trials[0].distributions
    ground = [COLOURS[0] if each.state is TrialState.COMPLETE else "none" for each in trials]
    with drawing("sweep", 2.6, len(searched)) as made:
        for axes, (name, distribution) in zip(made.panels, searched.items(), strict=True):
            values = [each.params[name] for each in trials]
            xs = values if not isinstance(distribution, CategoricalDistribution) else list(map(_shown, values))
            axes.scatter(xs, [100 * _share(each) for each in trials], s=24, facecolors=ground, edgecolors=COLOURS[0])
            if getattr(distribution, "log", False):
                axes.set_xscale("log")
                axes.xaxis.set(major_locator=LogLocator(subs=(1, 3)), major_formatter=StrMethodFormatter("{x:g}"))
                axes.xaxis.set_minor_formatter(NullFormatter())
            axes.set_xlabel(label(name))
            axes.grid(axis="y", color=INK, alpha=FAINT, linewidth=0.8)
        made.axes.set_ylabel("wins, %")
    return made.svg
