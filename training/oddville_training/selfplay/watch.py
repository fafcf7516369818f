"""The observer of a self-play run: its time limit and its progress bar."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import monotonic

from rich.console import Console, RenderableType
from rich.live import Live
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from oddville_env.core.system.progress import console_if
from oddville_training.selfplay.folder import SelfPlayFolder
from oddville_training.selfplay.plan import Stage
from oddville_training.work.pools import Job, Workers

MINUTE = 60.0  # seconds
FIT = 0.3  # of a stage's time, roughly, for the bar


class Watch:
    """Ends a run after some minutes, at the next part of its work, and shows its progress on a console, if any."""

    def __init__(self, minutes: float | None = None, console: Console | None = None) -> None:
        self._end = None if minutes is None else monotonic() + minutes * MINUTE
        self.seconds = 0.0  # that the last stage's jobs took
        console = console or console_if(False)
        columns = (TextColumn("{task.description}", markup=False), BarColumn(30), TaskProgressColumn())
        self._bar = Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn(), console=console)
        self._live = Live(console=console, refresh_per_second=2)

    @property
    def is_over(self) -> bool:
        """Whether the time limit has passed."""
        return self._end is not None and monotonic() >= self._end

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Show the progress in this block."""
        with self._live:
            yield

    def begin(self, folder: SelfPlayFolder, stages: Sequence[Stage]) -> None:
        """A run begins or is resumed."""
        self._folder, self._stages = folder, stages
        self._task = self._bar.add_task("begins", total=len(stages))
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
        self._bar.update(self._task, description=job.title, completed=stage.place + share * (1 - FIT))
        self._draw()

    def fitting(self, stage: Stage, parts: Iterator[float]) -> None:
        """Run a fit to its end."""
        for part in parts:
            done = stage.place + 1 - FIT + FIT * part
            self._bar.update(self._task, description=f"{stage.name}: fit", completed=done)

    def fitted(self, stage: Stage) -> None:
        """A stage has its network and its report."""
        self._bar.update(self._task, completed=stage.place + 1)
        self._draw()

    def _draw(self) -> None:
        self._live.update(self._picture())

    def _picture(self) -> RenderableType:
        return self._bar
