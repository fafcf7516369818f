"""A run on the screen: a table of its stages that grows, a bar, curves as a picture, and TensorBoard's files."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import Any

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from torch.utils.tensorboard import SummaryWriter

from oddville_training.oddville.selfplay.curves import draw, elo_of
from oddville_training.oddville.selfplay.evaluation import TUNED
from oddville_training.oddville.selfplay.folder import RunFolder, Stage
from oddville_training.oddville.selfplay.watch import Watch
from oddville_training.work.jobs import Job

SHOWN = 12  # the last stages
FIT = 0.3  # of a stage's time, roughly, for the bar


class RunDisplay(Watch):
    """Shows a run on a console, and writes its curves."""

    def __init__(self, console: Console, minutes: float | None = None) -> None:
        super().__init__(minutes)
        columns = (TextColumn("{task.description}", markup=False), BarColumn(30), TaskProgressColumn())
        self._bar = Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn(), console=console)
        self._live = Live(console=console, refresh_per_second=2)
        self._console, self._told = console, 0

    @contextmanager
    def shown(self) -> Iterator["RunDisplay"]:
        """Show it in this block."""
        with self._live:
            yield self

    def begin(self, folder: RunFolder, stages: Sequence[Stage]) -> None:
        """Show the stages that are there, and an empty bar."""
        self._folder, self._stages, self._begun = folder, stages, monotonic()
        self._task = self._bar.add_task("begins", total=len(stages))
        self._measured: set[str] = set()
        if any(folder.report(stage)["wins"] for stage in stages if folder.is_fitted(stage)):
            self._write_curves()  # a run that was killed may have been about to
        self._draw()

    def done(self, stage: Stage, job: Job, jobs: int) -> None:
        """Move the bar by a job of a stage, which has so many; after an evaluation draw the curves."""
        self._told = self._told + 1 if self._of == stage else 1
        self._of = stage
        if job.path.suffix == ".json":
            self._write_curves()
        share = min(self._told / max(jobs, 1), 1.0) * (1 - FIT)
        self._bar.update(self._task, description=job.title, completed=stage.place + share)
        self._draw()

    _of: Stage | None = None

    def fit(self, stage: Stage, part: float) -> None:
        """Move the bar by a part of a fit."""
        self._bar.update(self._task, description=f"{stage.name}: fit", completed=stage.place + 1 - FIT + FIT * part)

    def fitted(self, stage: Stage) -> None:
        """Show the stage in the table."""
        self._draw()

    def _draw(self) -> None:
        self._live.update(Group(stage_table(self._folder, self._stages), self._bar))

    def _write_curves(self) -> None:
        """The picture, and what TensorBoard does not know yet."""
        draw(self._folder, self._stages)
        elo = elo_of(self._folder, self._stages)
        with SummaryWriter(str(self._folder.tensorboard)) as writer:
            for stage in self._stages:
                if stage.name not in self._measured and self._folder.is_fitted(stage):
                    report = self._folder.report(stage)
                    if len(report["wins"]) == len(report["rows"]):
                        self._measured.add(stage.name)
                        for name, value in scalars(report, elo.get(stage.name)).items():
                            writer.add_scalar(name, value, stage.place)


def scalars(report: dict[str, Any], elo: float | None) -> dict[str, float]:
    """The curves of a stage for TensorBoard, by name."""
    found = {
        f"win_share/{anchor}/{players}": wins["won"]
        for players, by in report["wins"].items()
        for anchor, wins in by.items()
        if anchor.startswith(TUNED)
    }
    found |= {f"loss/{when}/{table}": loss for when, by in report["loss"].items() for table, loss in by.items()}
    found |= {f"seconds/{what}": seconds for what, seconds in report["seconds"].items()}
    return found if elo is None else found | {"elo": elo}


def stage_table(folder: RunFolder, stages: Sequence[Stage]) -> Table:
    """The last stages: what they learned from, their losses, what they win against greedy."""
    table = Table(box=None)
    for name in ("stage", "positions", "loss", "of the formula", f"against {TUNED}, 95 %", "Elo"):
        table.add_column(name, justify="left" if name == "stage" else "right")
    fitted = [stage for stage in stages if folder.is_fitted(stage)]
    elo = elo_of(folder, stages)
    for stage in fitted[-SHOWN:]:
        report = folder.report(stage)
        losses = ["/".join(f"{loss:.3f}" for loss in report["loss"][when].values()) for when in ("after", "formula")]
        rating = f"{elo[stage.name]:+.0f}" if stage.name in elo else ""
        table.add_row(stage.name, f"{sum(report['rows'].values()):,}", *losses, _wins(report["wins"]), rating)
    return table


def _wins(wins: dict[str, Any]) -> str:
    return "  ".join(
        f"{players}: {by[TUNED]['won']:.0%} ({by[TUNED]['low']:.0%}-{by[TUNED]['high']:.0%})"
        for players, by in wins.items()
    )
