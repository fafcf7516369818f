"""Pictures of learners over seeds: curves by time, and performance profiles."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import NullLocator, PercentFormatter

from oddville_training.figure import COLOURS, INK, SvgFigure, drawing
from oddville_training.statistics import baselines
from oddville_training.statistics.baselines import Run

THRESHOLDS = np.linspace(0, 1, 101)  # of a performance profile
LEGEND = 0.25  # inches of a line of three learners


def curves(runs: Sequence[Run]) -> str:
    """What the learners of a game win by the time they had, as an SVG: a panel for each opponent but the weakest."""
    opponents = baselines.opponents_of(runs)[1:]
    with drawing("baselines", height(runs), len(opponents)) as made:
        for axes, opponent in zip(made.panels, opponents, strict=True):
            _draw_curves(axes, opponent, runs)
        made.axes.set_ylabel("games won")
        _name_lines(made)
    return made.svg


def _draw_curves(axes: Axes, opponent: str, runs: Sequence[Run]) -> None:
    """The curves against one opponent, with 95 % bands; the dashed line is par."""
    budgets = sorted({minutes for run in runs for minutes in run["found"]} - {"0"}, key=float)
    for name, line in _lines(runs):
        there = [at for at in budgets if baselines.played(runs, name, at)]
        found = {float(at): baselines.strength(runs, name, at, opponent) for at in there}
        if found:
            axes.plot(list(found), [each.value for each in found.values()], marker=".", clip_on=False, **line)
            low, high = ([getattr(each, end) for each in found.values()] for end in ("low", "high"))
            axes.fill_between(list(found), low, high, color=line["color"], alpha=0.15, linewidth=0)
    axes.axhline(1 / 2, color=INK, linewidth=1, linestyle="--", alpha=0.6, zorder=0)
    axes.set_title(f"against {opponent}", fontsize=10)
    axes.set(xlabel="CPU minutes", xscale="log", ylim=(0, 1))
    axes.set_xticks([float(at) for at in budgets], budgets)
    axes.xaxis.set_minor_locator(NullLocator())
    _share_axis(axes)


def profiles(runs: Sequence[Run]) -> str:
    """The share of runs and opponents from which a learner wins more than x after the longest budget, as an SVG."""
    with drawing("profiles", height(runs)) as made:
        for name, line in _lines(runs):
            found = baselines.scores(runs, name, baselines.longest(runs))
            if len(found):
                share = baselines.with_intervals(partial(baselines.performance_profile, thresholds=THRESHOLDS), found)
                made.axes.step(THRESHOLDS, [each.value for each in share], where="post", **line)
                low, high = ([getattr(each, end) for each in share] for end in ("low", "high"))
                made.axes.fill_between(THRESHOLDS, low, high, step="post", color=line["color"], alpha=0.15, linewidth=0)
        made.axes.set(xlabel="x, share of games won", ylabel="runs and opponents above x", xlim=(0, 1), ylim=(0, 1))
        made.axes.xaxis.set_major_formatter(PercentFormatter(1))
        _share_axis(made.axes)
        _name_lines(made)
    return made.svg


def height(runs: Sequence[Run]) -> float:
    """The height of a picture with the legend of all learners, in inches."""
    return 3.1 + LEGEND * -(-len(baselines.learners_of(runs)) // 3)


def _lines(runs: Sequence[Run]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The learners with the styles of their lines."""
    for name, (style, colour) in zip(baselines.learners_of(runs), product(("-", "--", ":"), COLOURS), strict=False):
        yield name, {"label": name, "color": colour, "linestyle": style}


def _share_axis(axes: Axes) -> None:
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.grid(axis="y", color=INK, alpha=0.15, linewidth=0.8)


def _name_lines(made: SvgFigure) -> None:
    lines, names = made.axes.get_legend_handles_labels()
    if lines:
        made.axes.figure.legend(lines, names, loc="outside upper center", ncols=3)
