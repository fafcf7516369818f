"""The standing of a tournament: a line during the run, tables at the end."""

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl
from rich.box import SIMPLE
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Column, Table

from oddville_training.statistics.standings import standings
from oddville_training.statistics.tally import ONE_DEAL
from oddville_training.tournament.config import TournamentConfig
from oddville_training.tournament.seated_batch import Failed, win_shares

SHOWN = 4  # agents in the line
LEGEND = "par: the share of wins of equals. rank: mean, 1 is best. ms a move: mean, and the slowest move."
"""The words below the tables."""


class Scoreboard(Progress):
    """Blocks played, time left, and the best agents so far with their share of wins."""

    def __init__(self, config: TournamentConfig, console: Console) -> None:
        standing = TextColumn("{task.fields[standing]}", table_column=Column(ratio=1, no_wrap=True))
        columns = (BarColumn(20), MofNCompleteColumn(), TextColumn("blocks"), TimeRemainingColumn(), standing)
        super().__init__(*columns, console=console, transient=True, expand=True)
        self._names = config.names
        self._wins, self._games = np.zeros((2, len(self._names)))
        self.blocks, self.failures = 0, 0
        self._bar = self.add_task("", total=config.schedule.blocks, standing="")

    def add(self, rows: np.ndarray, failed: Sequence[Failed]) -> None:
        """Count what was played."""
        self._games += np.bincount(rows["agent"], minlength=len(self._names))
        self._wins += np.bincount(rows["agent"], win_shares(rows), len(self._names))
        self.failures += len(failed)
        self.blocks += len(np.unique(rows["block"]))
        self.update(self._bar, completed=self.blocks, standing=self._standing())

    def _standing(self) -> str:
        shares = self._wins / np.maximum(self._games, 1)
        best = np.argsort(-shares, kind="stable")[:SHOWN]
        leaders = ", ".join(f"{escape(self._names[agent])} {shares[agent]:.0%}" for agent in best)
        return f"{leaders}, {self.failures} failures" if self.failures else leaders


def tables(results: pl.DataFrame) -> Iterator[Table]:
    """The standing for each number of players, and the failures if there were any."""
    for (players,), rows in results.group_by("players", maintain_order=True):
        yield _standing(int(players), rows)
    failed = results.filter(pl.col("failure").is_not_null())
    if len(failed):
        yield _failures(failed)


def _standing(players: int, rows: pl.DataFrame) -> Table:
    found = standings(rows)
    title = f"{players} players, {found.games:,} games in {found.blocks:,} blocks, par {found.par:.1%}"
    shown = _table(title, ("agent", "games", "wins", "95 %", "rank", "ms a move", "slowest"))
    mean = pl.col("think_ms").sum() / pl.col("decisions").sum().clip(1)
    times = {name: each for name, *each in rows.group_by("agent").agg(mean, pl.col("slowest_ms").max()).iter_rows()}
    for agent in found.agents:
        mean, slowest = times[agent.agent]
        shown.add_row(
            escape(agent.agent),
            f"{agent.games:,}",
            f"{agent.wins.value:.1%}",
            f"{100 * agent.wins.low:.1f}-{100 * agent.wins.high:.1f}",
            f"{agent.rank.value:.2f}",
            f"{mean:,.3f}",
            f"{slowest:,.1f}",
        )
    shown.caption, shown.caption_justify = LEGEND, "left"
    if rows["deal"].n_unique() == 1:
        shown.caption = f"{LEGEND} {ONE_DEAL}"
    return shown


def _table(title: str, names: Sequence[str]) -> Table:
    """A table in which words make room for figures."""
    shown = Table(title=title, title_justify="left", box=SIMPLE, pad_edge=False)
    for name in names:
        words = name in ("agent", "why")
        shown.add_column(name, justify="left" if words else "right", overflow="fold", no_wrap=not words)
    return shown


def _failures(failed: pl.DataFrame) -> Table:
    shown = _table("games that an agent lost by a failure", ("agent", "why", "games"))
    for (agent, why), games in sorted(Counter(failed.select("agent", "failure").iter_rows()).items()):
        shown.add_row(escape(agent), escape(why), str(games))
    return shown
