"""A tournament: blocks are handed out, what was played is written down at once, and at the end results are made of it.

The files of a run: `manifest.json`, `results.parquet`, with moves `games.jsonl.gz`, and the report. During the run, a
journal stands for the results. The standing is a line during the run and tables at the end.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
import polars as pl
from rich.box import SIMPLE
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Column, Table

from oddville_env.core.disk.locks import alone_in
from oddville_env.core.system.processes import machine
from oddville_training.statistics.sprt import ACCEPTS_H0, ACCEPTS_H1, GOES_ON, Sprt
from oddville_training.statistics.standings import standings
from oddville_training.statistics.tally import ONE_DEAL
from oddville_training.tournament import manifest
from oddville_training.tournament.config import TournamentConfig
from oddville_training.tournament.executors import MakeExecutor, Watcher, play_blocks
from oddville_training.tournament.manifest import RunError, clear, is_finished
from oddville_training.tournament.pairings import Choose
from oddville_training.tournament.results import Journal, read_results, write_results
from oddville_training.tournament.seated_batch import Failed, win_shares

__all__ = ["Scoreboard", "read_results", "run", "tables"]

SHOWN = 4  # agents in the line
LEGEND = "par: the share of wins of equals. rank: mean, 1 is best. ms a move: mean, and the slowest move."
"""The words below the tables."""


def run(
    config: TournamentConfig,
    folder: Path,
    make_executor: MakeExecutor,
    watch: Watcher,
    sprt: Sprt | None = None,
    more: Mapping[str, Any] | None = None,
    choose: Choose | None = None,
) -> dict[str, Any]:
    """Play or resume a tournament in a folder and write its results; a finished one is left as it is.

    sprt: a test of the first agent against the second, which ends it; more: what the manifest should say beside the
    config; choose: the blocks of each round, see `pairings`. Returns the manifest. Raises RunError, AgentError,
    WorkerError and OSError; whatever ends it early, the blocks that were finished are kept.
    """
    asked = manifest.about(config, **(more or {}))
    with alone_in(folder, RunError):
        clear(folder)
        run = manifest.begin(folder, asked)
        if is_finished(folder):
            return run
        start, test = monotonic(), SequentialTest(sprt, config.names) if sprt else None

        def note(rows: np.ndarray, failed: list[Failed]) -> None:
            watch(rows, failed)
            if test:
                test.add(rows)

        with Journal(folder, config) as journal, _full_disk_explained(folder):
            try:
                play_blocks(
                    config, make_executor, journal, note, lambda: test is not None and test.last is not None, choose
                )
            finally:
                seconds = manifest.seconds(run) + monotonic() - start
                run |= {"machine": machine(), "wall_seconds": round(seconds, 3), "verdict": test and test.sentence}
                manifest.FILE.write(folder / manifest.MANIFEST, run)
            write_results(config, folder, journal, test.last if test else None)
            journal.remove()
    return run


class SequentialTest:
    """A sequential test (`statistics/sprt.py`) of the first agent against the second, block by block in their order."""

    def __init__(self, sprt: Sprt, names: Sequence[str]) -> None:
        self.sprt, self._names = sprt, names
        self.last: int | None = None  # the block that decided
        self._scores: dict[int, float] = {}

    def add(self, rows: np.ndarray) -> None:
        """Count the blocks that are there without a gap before them."""
        mine = rows["agent"] == 0
        blocks, where = np.unique(rows["block"][mine], return_inverse=True)
        scores = np.bincount(where, win_shares(rows)[mine]) / np.bincount(where)
        self._scores.update(zip(blocks.tolist(), scores.tolist(), strict=True))
        while self.last is None and self.sprt.blocks in self._scores:
            block = self.sprt.blocks
            if self.sprt.add(self._scores.pop(block)) != GOES_ON:
                self.last = block

    @property
    def sentence(self) -> str:
        """The state of the test, in a sentence."""
        test, (one, other) = self.sprt, self._names
        found = {
            ACCEPTS_H0: f"{one} is {test.elo0:g} Elo points above {other} rather than {test.elo1:g}",
            ACCEPTS_H1: f"{one} is {test.elo1:g} Elo points above {other} rather than {test.elo0:g}",
            GOES_ON: f"whether {one} is {test.elo1:g} or {test.elo0:g} Elo points above {other} is undecided",
        }[test.verdict]
        low, high = test.bounds
        verdict = "" if test.verdict == GOES_ON else f"{test.verdict}, "
        return f"{found} ({verdict}{test.blocks} blocks, LLR {test.llr:z.2f} of {low:.2f} to {high:.2f})"


@contextmanager
def _full_disk_explained(folder: Path) -> Iterator[None]:
    """Say of an error in writing what is lost: next to nothing."""
    try:
        yield
    except OSError as error:
        kept = f"what was finished is kept in {folder}, and the same command resumes the run"
        raise OSError(error.errno, f"{error.strerror or error}; {kept}") from None


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
        shares = self._wins / np.maximum(self._games, 1)
        best = np.argsort(-shares, kind="stable")[:SHOWN]
        leaders = ", ".join(f"{escape(self._names[agent])} {shares[agent]:.0%}" for agent in best)
        standing = f"{leaders}, {self.failures} failures" if self.failures else leaders
        self.update(self._bar, completed=self.blocks, standing=standing)


def tables(results: pl.DataFrame) -> Iterator[Table]:
    """The standing for each number of players, and the failures if there were any."""
    for (players,), rows in results.group_by("players", maintain_order=True):
        yield _standing(int(players), rows)
    failed = results.filter(pl.col("failure").is_not_null())
    if len(failed):
        shown = _table("games that an agent lost by a failure", ("agent", "why", "games"))
        for (agent, why), games in sorted(Counter(failed.select("agent", "failure").iter_rows()).items()):
            shown.add_row(escape(agent), escape(why), str(games))
        yield shown


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
