"""Learners compared over few seeds (Agarwal et al. 2021, arXiv 2108.13264): statistics, tables and pictures of runs.

The runs are those of `training/benchmarks/baselines.py`. Scores are float64 [..., S, T]: S seeds of a learner by T
tasks, such as opponents. What stands before them are resamples.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby, product
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import NullLocator, PercentFormatter

from oddville_training.figure import COLOURS, INK, SvgFigure, drawing
from oddville_training.statistics.intervals import Estimate, Floats, percentile_intervals

Run = Mapping[str, Any]
"""Of `game`, `learner` and `seed`: by minutes and opponent the share of wins in `found`, and how it was measured."""
NO_TIME = "0"  # minutes of agents that do not learn
PART = 100.0  # of a share: tables are in per cent
CUT = 0.25  # share of the scores that the interquartile mean leaves out at each end
RESAMPLES = 2000
THRESHOLDS = np.linspace(0, 1, 101)  # of a performance profile
LEGEND = 0.25  # inches of a line of three learners


def interquartile_mean(scores: Floats) -> Floats:
    """The mean of the middle half of all scores of all tasks, [...]."""
    ordered = np.sort(scores.reshape(*scores.shape[:-2], -1))
    cut = int(CUT * ordered.shape[-1])
    mean: Floats = ordered[..., cut : ordered.shape[-1] - cut].mean(-1)
    return mean


def probability_of_improvement(first: Floats, second: Floats) -> Floats:
    """How probably a run of the first learner beats one of the second on a task drawn at random, [...].

    Equal scores count one half, as in the test of Mann and Whitney.
    """
    compared: Floats = np.sign(first[..., :, None, :] - second[..., None, :, :])
    probability: Floats = (1 + compared.mean((-3, -2, -1))) / 2
    return probability


def performance_profile(scores: Floats, thresholds: Floats) -> Floats:
    """The share of runs and tasks with a score above each of K thresholds, [..., K]."""
    share: Floats = (scores[..., None] > thresholds).mean((-3, -2))
    return share


def with_intervals(statistic: Callable[..., Floats], *scores: Floats) -> list[Estimate]:
    """A statistic of the scores of one or two learners, with 95 % intervals: one estimate for each of its numbers.

    The stratified bootstrap draws the seeds of each learner anew, separately for every task. A single seed says nothing
    about others: its interval has no width.
    """
    generator = np.random.default_rng(0)
    drawn = [
        np.take_along_axis(each[None], generator.integers(len(each), size=(RESAMPLES, *each.shape)), 1)
        for each in scores
    ]
    return percentile_intervals(np.atleast_1d(statistic(*scores)), statistic(*drawn).reshape(RESAMPLES, -1))


def opponents_of(runs: Sequence[Run]) -> list[str]:
    """The opponents of all runs, weakest first."""
    return list(next(against for run in runs for against in run["found"].values() if against))


def learners_of(runs: Sequence[Run]) -> list[str]:
    """The learners, in the order in which they began."""
    return list(dict.fromkeys(run["learner"] for run in runs if NO_TIME not in run["found"]))


def played(runs: Sequence[Run], learner: str, minutes: str) -> list[Mapping[str, Mapping[str, float]]]:
    """What each seed of a learner won by then, by opponent; seeds that had no agent yet are left out."""
    return [run["found"][minutes] for run in runs if run["learner"] == learner and run["found"].get(minutes)]


def scores(runs: Sequence[Run], learner: str, minutes: str) -> Floats:
    """Shares of wins by seed and opponent, float64 [S, T]; the weakest opponent, whom all beat, is left out."""
    counted = opponents_of(runs)[1:]
    found = played(runs, learner, minutes)
    return np.array([[against[each]["wins"] for each in counted] for against in found]).reshape(-1, len(counted))


def strength(runs: Sequence[Run], learner: str, minutes: str, opponent: str) -> Estimate:
    """The interquartile mean of what the seeds of a learner won from an opponent; one seed has its games' interval."""
    found = [against[opponent] for against in played(runs, learner, minutes)]
    if len(found) == 1:
        return Estimate(found[0]["wins"], found[0]["low"], found[0]["high"])
    return with_intervals(interquartile_mean, np.array([[each["wins"]] for each in found]))[0]


def strengths(runs: Sequence[Run]) -> dict[str, Any]:
    """Columns and rows: each agent against each opponent and all, with 95 % intervals, in per cent."""
    opponents, rows, order = opponents_of(runs), [], list(dict.fromkeys(run["learner"] for run in runs))
    in_order = sorted(runs, key=lambda run: order.index(run["learner"]))
    for learner, group in groupby(in_order, lambda run: run["learner"]):
        for minutes in next(group)["found"]:
            found = scores(runs, learner, minutes)
            told = [f"`{learner}`", ""] if minutes == NO_TIME else [learner, minutes]
            if not len(found):
                rows.append([*told, 0, *["no agent yet"] * (len(opponents) + 1)])
                continue
            overall = with_intervals(interquartile_mean, found)[0]
            cells = [strength(runs, learner, minutes, opponent) for opponent in opponents]
            everything = cell(overall) if len(found) > 1 else round(PART * overall.value, 1)
            rows.append([*told, len(found), everything, *map(cell, cells)])
    return {"columns": ["agent", "CPU minutes", "seeds", "overall", *opponents], "rows": rows}


def improvements(runs: Sequence[Run]) -> dict[str, Any]:
    """Columns and rows: how probably a run of each learner beats one of each other after the longest budget."""
    found = {name: scores(runs, name, longest(runs)) for name in learners_of(runs)}
    found = {name: each for name, each in found.items() if len(each) > 1}
    beats = partial(with_intervals, probability_of_improvement)
    rows = [
        [name, *("" if mine is other else cell(beats(mine, other)[0]) for other in found.values())]
        for name, mine in found.items()
    ]
    return {"columns": ["run of", *(f"beats {name}" for name in found)], "rows": rows}


def longest(runs: Sequence[Run]) -> str:
    """The longest budget of all runs, in minutes."""
    budgets: set[str] = {minutes for run in runs for minutes in run["found"]}
    return max(budgets, key=float)


def cell(found: Estimate) -> list[float]:
    """An estimate in per cent, as `print_results.py` prints it."""
    return [round(PART * each, 1) for each in (found.value, found.low, found.high)]


def tables(runs: Sequence[Run]) -> dict[str, dict[str, Any]]:
    """All tables of each game by name, with how they were measured."""
    found = {}
    for game, group in groupby(sorted(runs, key=lambda run: run["game"]), lambda run: run["game"]):
        mine = list(group)
        date, commit = (", ".join(dict.fromkeys(run[name] for run in mine)) for name in ("date", "commit"))
        machine = ", ".join(dict.fromkeys(run["machine"]["processor"] for run in mine))
        how = {"command": mine[-1]["command"], "date": f"{date}, commit {commit}", "machine": machine}
        found[f"seeds_{game}"] = how | strengths(mine)
        if len((improved := improvements(mine))["rows"]) > 1:
            found[f"improvement_{game}"] = how | improved
    return found


def curves(runs: Sequence[Run]) -> str:
    """What the learners of a game win by the time they had, as an SVG: a panel for each opponent but the weakest."""
    opponents = opponents_of(runs)[1:]
    with drawing("baselines", height(runs), len(opponents)) as made:
        for axes, opponent in zip(made.panels, opponents, strict=True):
            _draw_curves(axes, opponent, runs)
        made.axes.set_ylabel("games won")
        _name_lines(made)
    return made.svg


def _draw_curves(axes: Axes, opponent: str, runs: Sequence[Run]) -> None:
    """The curves against one opponent, with 95 % bands; the dashed line is par."""
    budgets = sorted({minutes for run in runs for minutes in run["found"]} - {NO_TIME}, key=float)
    for name, line in _lines(runs):
        there = [at for at in budgets if played(runs, name, at)]
        found = {float(at): strength(runs, name, at, opponent) for at in there}
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
            found = scores(runs, name, longest(runs))
            if len(found):
                share = with_intervals(partial(performance_profile, thresholds=THRESHOLDS), found)
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
    return 3.1 + LEGEND * -(-len(learners_of(runs)) // 3)


def _lines(runs: Sequence[Run]) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, (style, colour) in zip(learners_of(runs), product(("-", "--", ":"), COLOURS), strict=False):
        yield name, {"label": name, "color": colour, "linestyle": style}


def _share_axis(axes: Axes) -> None:
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.grid(axis="y", color=INK, alpha=0.15, linewidth=0.8)


def _name_lines(made: SvgFigure) -> None:
    lines, names = made.axes.get_legend_handles_labels()
    if lines:
        made.axes.figure.legend(lines, names, loc="outside upper center", ncols=3)
