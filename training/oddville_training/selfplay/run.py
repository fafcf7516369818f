"""Self-play from nothing to a network: the loop that both games share, its command, and its fits.

A run has stages. Each plays games, in parts, and fits a network to them; the next stage begins with that network. What
a stage has made is not made again and depends on nothing but the plan, so that a run that was stopped or killed can be
resumed to the same networks. One process at a time works in the folder of a run.

A fit is by AdamW (Loshchilov and Hutter 2019) with a one-cycle rate (Smith and Topin 2019); games held back judge it.

    weights -= rate(step) x (Adam's direction for the loss of a batch + DECAY x weights)
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any, ClassVar, Generic, NamedTuple

import numpy as np
import torch
from rich.console import Console, RenderableType
from rich.live import Live
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from torch import Tensor, nn

from oddville_agents.spec import AgentSpec
from oddville_env.core.checked import check_unchanged
from oddville_env.core.disk.locks import alone_in
from oddville_env.core.errors import SettingError
from oddville_env.core.game.game_type import GameType
from oddville_env.core.system.progress import console_if, error_console
from oddville_training.processes.pools import PROCESSES, Job, Workers, here, workers_of
from oddville_training.selfplay.plan import Plan, PlanError, SelfPlayFolder, Stage
from oddville_training.settings import check_minutes

MINUTE = 60.0  # seconds
FIT = 0.3  # of a stage's time, roughly, for the bar
HELD_BACK = 20  # every twentieth game is for judging
DECAY = 1e-4
RISING = 0.1  # the part of all steps in which the rate rises
LEAST_SCALE = 1e-3
SAMPLE = 50_000  # rows by which inputs are scaled
Tensors = Mapping[str, np.ndarray]


class Watch:
    """Ends a run after some minutes, at the next part of its work, and shows its progress on a console, if any.

    live: `with` it, the progress is shown.
    """

    def __init__(self, minutes: float | None = None, console: Console | None = None) -> None:
        self._begun, self._most = monotonic(), inf if minutes is None else minutes * MINUTE
        self.seconds = 0.0  # that the last stage's jobs took
        console = console or console_if(False)
        columns = (TextColumn("{task.description}", markup=False), BarColumn(30), TaskProgressColumn())
        self._bar = Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn(), console=console)
        self.live = Live(console=console, refresh_per_second=2)

    @property
    def is_over(self) -> bool:
        """Whether the time limit has passed."""
        return monotonic() - self._begun >= self._most

    def begin(self, folder: SelfPlayFolder, stages: Sequence[Stage]) -> None:
        """A run begins or is resumed."""
        self._folder, self._stages = folder, stages
        self._task = self._bar.add_task("begins", total=1.0)
        self._draw()

    def jobs(self, stage: Stage, workers: Workers, jobs: Sequence[Job]) -> Iterator[Job]:
        """Do a stage's jobs, yielding each when it is done."""
        begun = monotonic()
        for number, job in enumerate(workers(jobs), 1):
            self.done(stage, job, number / len(jobs))
            yield job
        self.seconds = monotonic() - begun

    def done(self, stage: Stage, job: Job, share: float) -> None:
        """A job of a stage is done, and so much of all its jobs."""
        self._move(stage.number + share * (1 - FIT), job.title)
        self._draw()

    def fitting(self, stage: Stage, parts: Iterator[float]) -> None:
        """Run a fit to its end."""
        for part in parts:
            self._move(stage.number + 1 - FIT + FIT * part, f"{stage.name}: fit")

    def fitted(self, stage: Stage) -> None:
        """A stage has its network and its report."""
        self._move(stage.number + 1)
        self._draw()

    def _move(self, stages: float, title: str | None = None) -> None:
        """So many stages are done; the bar shows the part of them, or of the time, whichever is larger."""
        done = max(stages / len(self._stages), (monotonic() - self._begun) / self._most)
        self._bar.update(self._task, description=title, completed=min(done, 1.0))

    def _draw(self) -> None:
        self.live.update(self._picture())

    def _picture(self) -> RenderableType:
        return self._bar


class SelfPlay(ABC, Generic[Plan]):
    """A run of self-play as far as it has come; a subclass for each game."""

    FOLDER: ClassVar[type[SelfPlayFolder]]
    DISPLAY: ClassVar[type[Watch]] = Watch
    OPTIONS: ClassVar[tuple[str, ...]] = ("players", "seed", "preset", "config", "workers", "executor", "address")
    play_part: Callable[..., Any]
    """(plan, stage, part, networks) -> the positions of the games of a part: a job, which needs no torch."""
    save: Callable[[Path, Any], None]
    """Writes what `play_part` returns."""
    threads = 1  # of torch

    def __init__(self, folder: SelfPlayFolder, plan: Plan) -> None:
        self.folder, self.plan = folder, plan
        self.stages = plan.stages()

    @classmethod
    def check(cls, plan: Plan) -> None:
        """Raise an error where a plan names card sets or networks that are missing."""

    @abstractmethod
    def networks(self, stage: Stage) -> tuple[Tensors, ...]:
        """The networks that play in a stage, the newest first; none where a heuristic plays alone."""

    @abstractmethod
    def fit(self, stage: Stage, watch: Watch) -> None:
        """Fit a network to the games of `window`, beginning with the one before; write it, then its report."""

    def window(self, stage: Stage) -> list[Stage]:
        """The stages whose games a stage learns from."""
        window: int = self.plan.window  # type: ignore[attr-defined]  # of each game
        return self.stages[: stage.number + 1][-window:]

    def open_games(self, stage: Stage) -> Iterator[Job]:
        """The parts of a stage's games that are missing."""
        return self.missing(stage, self.play_part, self.networks(stage), self.save)

    def missing(self, stage: Stage, play_part: Any, networks: Any, save: Any) -> Iterator[Job]:
        """The jobs of the parts of a stage that have no file."""
        for part in self.plan.parts(stage):
            path = self.folder.games(stage, part)
            if not path.exists():
                yield Job(path, play_part, (self.plan, stage, part, networks), save, f"{stage.name}: games")

    def open_evaluations(self) -> Iterator[Job]:
        """The evaluations of fitted networks that are missing."""
        return iter(())

    def settle(self) -> None:
        """Finish the last fitted stage: publish its network, and remove games that no later stage reads."""
        for stage in [stage for stage in self.stages if self.folder.is_fitted(stage)][-1:]:
            self.folder.publish(stage)
            for read in self.stages[: self.window(stage)[0].number]:
                for path in self.folder.stage(read).glob("games-*.npz"):
                    path.unlink()


def learn(
    game: type[SelfPlay[Any]],
    folder: Path,
    plan: Any,
    resume: bool,
    workers: Workers = here,
    watch: Watch | None = None,
) -> Path:
    """Run or resume self-play until it is done or the watch's time is over; returns the newest network's file.

    plan: None for that of the folder, which a resumed run has. Raises PlanError, and what the plan's card sets and
    networks raise, before anything is written.
    """
    files, watch = game.FOLDER(folder), watch or Watch()
    if plan is not None:
        game.check(plan)
    with alone_in(folder, PlanError):
        run = game(files, files.begin(plan, resume))
        torch.set_num_threads(run.threads)
        run.settle()
        watch.begin(files, run.stages)
        for stage in run.stages:
            jobs = [*run.open_evaluations(), *(() if files.is_fitted(stage) else run.open_games(stage))]
            for _ in watch.jobs(stage, workers, jobs):
                if watch.is_over:
                    return files.network
            if not files.is_fitted(stage):
                run.fit(stage, watch)
                run.settle()
                watch.fitted(stage)
        for _ in watch.jobs(run.stages[-1], workers, list(run.open_evaluations())):
            pass
    return files.network


class SelfPlayResult(NamedTuple):
    """The result of `command`: the agent that plays by the network, and the settings of its evaluation."""

    model: AgentSpec
    interrupted: bool
    settings: Mapping[str, Any]
    also: Sequence[tuple[AgentSpec, str, int]] = ()
    """Further agents that play by the network, each with an opponent and a number of games."""


def command(
    game: type[SelfPlay[Any]],
    game_type: GameType,
    folder: Path,
    typed: Mapping[str, Any],
    resume: bool,
    minutes: float | None,
) -> SelfPlayResult:
    """Learn by command-line options, those given by name, and show the progress. Raises SettingError and PlanError."""
    for name in typed:
        if name not in game.OPTIONS:
            flag = name.replace("_", "-")
            raise SettingError(f"--{flag} does not apply to self-play of {game_type.title}")
    check_minutes(minutes)
    workers = workers_of(typed.get("workers"), typed.get("executor", PROCESSES), typed.get("address"))
    files, watch, interrupted = game.FOLDER(folder), game.DISPLAY(minutes, error_console()), False
    plan = files.PLAN.asked(typed, resume)
    if plan is None:
        there = files.plan().options()
        for name in there.keys() & typed.keys():
            check_unchanged(name, there[name], typed[name])
    with watch.live:
        try:
            learn(game, folder, plan, resume, workers, watch)
        except KeyboardInterrupt:
            interrupted = True
    if interrupted or watch.is_over:
        error_console().print(f"Stopped; all finished work is kept in {folder}. Continue with --resume.")
    if not files.network.exists():
        raise PlanError(f"{folder} has no network yet: continue the run with --resume")
    model = AgentSpec("champion", {"network": str(files.network)})
    return SelfPlayResult(model, interrupted, {"players": files.plan().players[0], "settings": {}})


class FitParams(NamedTuple):
    """Parameters of a fit. batch: rows, or moves of positions."""

    epochs: int = 2
    batch: int = 1024
    rate: float = 1.5e-3


class Descent:
    """A fit of so many steps; the rate rises in the first of them and falls to 0."""

    def __init__(self, network: nn.Module, rate: float, steps: int) -> None:
        self._optimizer = torch.optim.AdamW(network.parameters(), rate, weight_decay=DECAY)
        rising = max(RISING, 2 / (steps + 1)) if steps else RISING  # one whole step at least
        self._schedule = torch.optim.lr_scheduler.OneCycleLR(self._optimizer, rate, steps + 1, pct_start=rising)

    def step(self, loss: Tensor) -> None:
        """Go down a loss."""
        self._optimizer.zero_grad()
        loss.backward()
        self._optimizer.step()
        self._schedule.step()


def full_batches(items: np.ndarray, size: int, rng: np.random.Generator) -> Iterator[np.ndarray]:
    """Items [N] in random order, cut into batches [size], each sorted; what is left over is left out."""
    order = rng.permutation(items)
    return (np.sort(order[low : low + size]) for low in range(0, len(order) - size + 1, size))


def input_scale(inputs: np.ndarray) -> Tensor:
    """Factors [I] that bring inputs [N, I] to a root mean square of 1; 0 for those that are always about 0."""
    some = inputs[:: max(len(inputs) // SAMPLE, 1)].astype(np.float32)
    spread = np.sqrt((some**2).mean(0))
    return torch.from_numpy(np.where(spread > LEAST_SCALE, 1 / np.maximum(spread, LEAST_SCALE), 0).astype(np.float32))
