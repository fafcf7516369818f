"""The observer of a run that learns, with its time limit; `display.py` shows the run."""

from collections.abc import Iterator, Sequence
from time import monotonic

from oddville_training.oddville.selfplay.folder import RunFolder, Stage
from oddville_training.work.jobs import Job, Workers

MINUTE = 60.0  # seconds


class Watch:
    """Looks on without a word. minutes: the run should stop after so many, at the next part of its work."""

    def __init__(self, minutes: float | None = None) -> None:
        self._end = None if minutes is None else monotonic() + minutes * MINUTE
        self.seconds = 0.0  # that the last stage's jobs took

    @property
    def is_over(self) -> bool:
        """Time is up."""
        return self._end is not None and monotonic() >= self._end

    def begin(self, folder: RunFolder, stages: Sequence[Stage]) -> None:
        """A run begins, or goes on."""

    def jobs(self, stage: Stage, workers: Workers, jobs: Sequence[Job]) -> Iterator[Job]:
        """Let the workers do jobs of a stage, and look on."""
        begun = monotonic()
        for job in workers(jobs):
            self.done(stage, job, len(jobs))
            yield job
        self.seconds = monotonic() - begun

    def done(self, stage: Stage, job: Job, jobs: int) -> None:
        """A job of a stage is done, which has so many."""

    def fitting(self, stage: Stage, parts: Iterator[float]) -> None:
        """Let a fit run to its end."""
        for part in parts:
            self.fit(stage, part)

    def fit(self, stage: Stage, part: float) -> None:
        """So much of a fit is done."""

    def fitted(self, stage: Stage) -> None:
        """A stage has its network and its report."""
