"""The pictures of a report; each takes what it shows and gives an SVG."""

from collections.abc import Sequence

import numpy as np
import polars as pl
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.ticker import MaxNLocator, PercentFormatter

from oddville_training.figure import COLOURS, INK, drawing, ink_on, label
from oddville_training.statistics.intervals import Estimate, Ints
from oddville_training.statistics.ratings import Ratings
from oddville_training.statistics.standings import History, Standings

LINE = 0.3  # inches of height for an agent
FAINT, SOFT = 0.15, 0.6  # opacities
HEAT = LinearSegmentedColormap.from_list("heat", colormaps["PuOr"](np.linspace(0.14, 0.86, 101)))  # colour-blind safe
MOST_CURVES = len(COLOURS)
SMALLEST_PART = 0.055  # of the widest bar: a smaller part holds no number


def draw_ratings(name: str, ratings: Ratings) -> str:
    """A point and a 95 % interval for each agent, the highest on top."""
    agents = ratings.agents
    with drawing(name, 0.8 + LINE * len(agents)) as made:
        axes = made.axes
        _intervals(axes, [each.elo for each in agents], [label(each.agent) for each in agents])
        for row, each in enumerate(agents):
            span = f"  ({each.elo.low:z.0f} to {each.elo.high:z.0f})" if each.elo.low < each.elo.high else ""
            caption = f"{each.elo.value:z.0f}{span}"
            axes.annotate(caption, (1.01, row), xycoords=("axes fraction", "data"), va="center", fontsize=8)
        for border in np.flatnonzero(np.diff([each.group for each in agents])):
            axes.axhline(border + 0.5, color=INK, linewidth=0.8, linestyle=":")
        axes.grid(axis="x", color=INK, alpha=FAINT, linewidth=0.8)
        axes.set_xlabel(f"Elo points ({ratings.anchor})")
    return made.svg


def draw_matrix(name: str, standings: Standings) -> str:
    """Draw the shares in which the agent of a row finished before that of a column, in per cent."""
    names, shares = [label(each) for each in standings.names], standings.shares
    size = len(names)
    side = float(np.clip(0.62 * size, 2.2, 6.5))
    with drawing(name, side + 0.9) as made:
        axes = made.axes
        axes.pcolormesh(range(size), range(size), np.ma.masked_invalid(shares), cmap=HEAT, vmin=0, vmax=1)
        axes.set(aspect="equal", ylim=(size - 0.5, -0.5))
        letters = float(np.clip(22 * side / size, 4.5, 10))
        for (row, column), share in np.ndenumerate(shares):
            if np.isfinite(share):
                ink = ink_on(HEAT(share))
                axes.text(column, row, f"{100 * share:.0f}", ha="center", va="center", color=ink, fontsize=letters)
        axes.set_xticks(range(size), names, rotation=40, ha="left", rotation_mode="anchor")
        axes.set_yticks(range(size), names)
        axes.tick_params(top=False, bottom=False, labeltop=True, labelbottom=False)
        axes.spines["bottom"].set_visible(False)
    return made.svg


def draw_seats(name: str, standings: Standings) -> str:
    """The win share of each seat, with the line of par."""
    with drawing(name, 0.8 + LINE * standings.players) as made:
        axes = made.axes
        _intervals(axes, list(standings.seats), [f"seat {seat}" for seat in range(standings.players)])
        axes.axvline(standings.par, color=INK, linewidth=1, linestyle="--", alpha=SOFT, zorder=0)
        axes.grid(axis="x", color=INK, alpha=FAINT, linewidth=0.8)
        axes.xaxis.set_major_formatter(lambda share, _: f"{100 * share:g}%")
        axes.set_xlabel("games won (dashed: par)")
    return made.svg


def draw_sources(name: str, means: pl.DataFrame, sources: Sequence[str]) -> str:
    """Draw the sources of points: means has an agent a row, the columns `agent`, `score` and the sources."""
    with drawing(name, 1.0 + LINE * len(means)) as made:
        axes, left = made.axes, np.zeros(len(means))
        rows, least = range(len(means)), SMALLEST_PART * max(means["score"])
        for source, colour in zip(sources, COLOURS, strict=False):
            points = means[source].to_numpy()
            axes.barh(rows, points, left=left, color=colour, height=0.72, label=source)
            for row, part in enumerate(points):
                points_text = f"{part:.1f}" if part >= least else ""
                axes.text(
                    left[row] + part / 2, row, points_text, ha="center", va="center", color=ink_on(colour), fontsize=8
                )
            left += points
        for row, score in enumerate(means["score"]):
            axes.annotate(f"{score:.1f}", (left[row], row), (4, 0), textcoords="offset points", va="center")
        axes.set_yticks(rows, [label(each) for each in means["agent"]])
        axes.invert_yaxis()
        axes.set_xlabel("points a game")
        if sources:
            axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=len(sources), borderaxespad=0.2, handlelength=1)
    return made.svg


def draw_lengths(name: str, rounds: Ints) -> str:
    """Draw a histogram of the rounds of games; the line is the median."""
    lengths, games = np.unique(rounds, return_counts=True)
    with drawing(name, 2.3) as made:
        axes = made.axes
        axes.bar(lengths, games / games.sum(), width=0.86, color=COLOURS[0])
        middle = float(np.median(rounds))
        axes.axvline(middle, color=INK, linewidth=1.2, linestyle="--")
        where = ("data", "axes fraction")
        axes.annotate(f"median {middle:g}", (middle, 1), (5, 0), where, textcoords="offset points", va="top")
        axes.set_ylim(0, 1.18 * games.max() / games.sum())
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        axes.grid(axis="y", color=INK, alpha=FAINT, linewidth=0.8)
        axes.set_axisbelow(True)
        axes.set_xlabel("rounds")
        axes.set_ylabel("games")
    return made.svg


def draw_history(name: str, history: History, names: Sequence[str], par: float) -> str:
    """Win shares as the blocks came in, with 95 % bands; of the agents named, as many as there are colours."""
    names = names[:MOST_CURVES]
    with drawing(name, 3.4) as made:
        axes = made.axes
        for agent, colour in zip(names, COLOURS, strict=False):
            column = history.names.index(agent)
            axes.plot(history.blocks, history.share[:, column], color=colour, linewidth=1.8)
            axes.fill_between(
                history.blocks, history.low[:, column], history.high[:, column], color=colour, alpha=0.2, linewidth=0
            )
        axes.axhline(par, color=INK, linewidth=1, linestyle="--", alpha=SOFT, zorder=0)
        ends = {each: float(history.share[-1, history.names.index(each)]) for each in names}
        beside = axes.get_yaxis_transform()
        for (each, height), colour in zip(_apart(ends, axes).items(), COLOURS, strict=False):
            axes.plot(1.025, height, "o", color=colour, markersize=6, transform=beside, clip_on=False)
            axes.text(1.045, height, label(each), va="center", transform=beside)
        axes.set_xlim(history.blocks[0], max(history.blocks[-1], history.blocks[0] + 1))
        axes.yaxis.set_major_formatter(PercentFormatter(1))
        axes.grid(axis="y", color=INK, alpha=FAINT, linewidth=0.8)
        axes.set_xlabel("blocks of each pairing")
        axes.set_ylabel("games won")
    return made.svg


def _intervals(axes: Axes, shares: list[Estimate], names: list[str]) -> None:
    """A line of points with intervals, the first on top."""
    rows = np.arange(len(shares))
    axes.hlines(rows, [each.low for each in shares], [each.high for each in shares], color=COLOURS[0], linewidth=2.2)
    axes.plot([each.value for each in shares], rows, "o", color=COLOURS[0], markersize=5.5)
    axes.set_yticks(rows, names)
    axes.set_ylim(len(shares) - 0.4, -0.6)


def _apart(heights: dict[str, float], axes: Axes) -> dict[str, float]:
    """Heights for labels that do not lie on each other, in the order of the names given."""
    low, high = axes.get_ylim()
    gap = (high - low) * 0.062
    placed: dict[str, float] = {}
    last = -np.inf
    for name, height in sorted(heights.items(), key=lambda item: item[1]):
        last = placed[name] = max(height, last + gap)
    return {name: placed[name] for name in heights}
