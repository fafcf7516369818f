"""Learning curves: Elo and win shares over a run's stages, as a picture beside the run."""

from collections.abc import Sequence
from pathlib import Path

from oddville_env.core.disk.files import written_whole
from oddville_training.oddville.selfplay.evaluation import SIMPLE, TUNED, elo
from oddville_training.oddville.selfplay.folder import RunFolder, Stage

PICTURE = "curves.svg"
HEIGHT = 3.6  # inches
STYLES = {SIMPLE: ":", TUNED: "-"}


def elo_of(folder: RunFolder, stages: Sequence[Stage]) -> dict[str, float]:
    """The ratings of the stages that were measured, and of the anchors."""
    matches = [
        (stage.name, anchor, int(players), wins)
        for stage in stages
        if folder.is_fitted(stage)
        for players, by in folder.report(stage)["wins"].items()
        for anchor, wins in by.items()
    ]
    return elo(matches) if matches else {}


def draw(folder: RunFolder, stages: Sequence[Stage]) -> Path:
    """Draw the win shares against greedy, with their intervals, and write them into the run's folder."""
    from matplotlib.ticker import MaxNLocator

    from oddville_training.figure import COLOURS, drawing

    reports = [(stage, folder.report(stage)["wins"]) for stage in stages if folder.is_fitted(stage)]
    counts = sorted({players for _, wins in reports for players in wins})
    with drawing(PICTURE, HEIGHT) as picture:
        for players, colour in zip(counts, COLOURS, strict=False):
            for anchor, style in STYLES.items():
                points = [(stage.place, wins[players][anchor]) for stage, wins in reports if players in wins]
                places, shares = zip(*points, strict=True)
                label = f"{players} players, {anchor}"
                middle = [100 * each["won"] for each in shares]
                picture.axes.plot(places, middle, style, color=colour, label=label, marker=".")
                low, high = ([100 * each[end] for each in shares] for end in ("low", "high"))
                picture.axes.fill_between(places, low, high, color=colour, alpha=0.15, linewidth=0)
        picture.axes.set(xlabel="stage", ylabel="games won, %", ylim=(0, 100))
        picture.axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        picture.axes.legend(ncols=2)
    with written_whole(folder.path / PICTURE) as file:
        file.write(picture.svg)
    return folder.path / PICTURE
