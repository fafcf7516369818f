"""A run on the screen: a table of its stages, a bar, learning curves as a picture, and TensorBoard's files."""

from collections.abc import Sequence
from typing import Any

from matplotlib.ticker import MaxNLocator
from rich.console import Group
from rich.table import Table
from torch.utils.tensorboard import SummaryWriter

from oddville_env.core.disk.files import write_whole
from oddville_training.figure import COLOURS, drawing
from oddville_training.oddville.selfplay.parts import elo
from oddville_training.oddville.selfplay.plan import SIMPLE, TUNED, OddVilleFolder
from oddville_training.processes.pools import Job
from oddville_training.selfplay.plan import Stage
from oddville_training.selfplay.run import Watch

SHOWN = 12  # the last stages
PICTURE = "curves.svg"
HEIGHT = 3.6  # inches
STYLES = {SIMPLE: ":", TUNED: "-"}


class RunDisplay(Watch):
    """Shows a run on a console, and writes its curves."""

    _folder: OddVilleFolder

    def begin(self, folder: Any, stages: Sequence[Stage]) -> None:
        """Show the finished stages and an empty bar."""
        self._measured: set[str] = set()
        super().begin(folder, stages)
        if any(folder.report(stage)["wins"] for stage in stages if folder.is_fitted(stage)):
            self._write_curves()  # a run that was killed may have been about to

    def done(self, stage: Stage, job: Job, share: float) -> None:
        """Move the bar by a job; after an evaluation draw the curves."""
        if job.path.suffix == ".json":
            self._write_curves()
        super().done(stage, job, share)

    def _picture(self) -> Group:
        return Group(stage_table(self._folder, self._stages), self._bar)

    def _write_curves(self) -> None:
        write_whole(self._folder.path / PICTURE, curves(self._folder, self._stages))
        elo = elo_of(self._folder, self._stages)
        with SummaryWriter(str(self._folder.tensorboard)) as writer:
            for stage in self._stages:
                if stage.name not in self._measured and self._folder.is_fitted(stage):
                    report = self._folder.report(stage)
                    if len(report["wins"]) == len(report["rows"]):
                        self._measured.add(stage.name)
                        for name, value in scalars(report, elo.get(stage.name)).items():
                            writer.add_scalar(name, value, stage.number)


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


def stage_table(folder: OddVilleFolder, stages: Sequence[Stage]) -> Table:
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


def elo_of(folder: OddVilleFolder, stages: Sequence[Stage]) -> dict[str, float]:
    """The ratings of the stages that were measured, and of the anchors."""
    matches = [
        (stage.name, anchor, int(players), wins)
        for stage in stages
        if folder.is_fitted(stage)
        for players, by in folder.report(stage)["wins"].items()
        for anchor, wins in by.items()
    ]
    return elo(matches) if matches else {}


def curves(folder: OddVilleFolder, stages: Sequence[Stage]) -> str:
    """The win shares against greedy, with their intervals, as an SVG."""
    reports = [(stage, folder.report(stage)["wins"]) for stage in stages if folder.is_fitted(stage)]
    counts = sorted({players for _, wins in reports for players in wins})
    with drawing(PICTURE, HEIGHT) as picture:
        for players, colour in zip(counts, COLOURS, strict=False):
            for anchor, style in STYLES.items():
                points = [(stage.number, wins[players][anchor]) for stage, wins in reports if players in wins]
                indices, shares = zip(*points, strict=True)
                label = f"{players} players, {anchor}"
                middle = [100 * each["won"] for each in shares]
                picture.axes.plot(indices, middle, style, color=colour, label=label, marker=".")
                low, high = ([100 * each[end] for each in shares] for end in ("low", "high"))
                picture.axes.fill_between(indices, low, high, color=colour, alpha=0.15, linewidth=0)
        picture.axes.set(xlabel="stage", ylabel="games won, %", ylim=(0, 100))
        picture.axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        picture.axes.legend(ncols=2)
    return picture.svg
