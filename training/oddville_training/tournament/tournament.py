"""A tournament: blocks are handed out, what was played is written down at once, and at the end results are made of it.

The files of a run: `manifest.json`, `results.parquet`, with moves `games.jsonl.gz`, and the report. While it goes on, a
journal stands for the results.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

from oddville_env.core.machine import machine
from oddville_training.statistics.sprt import ACCEPTS_H0, ACCEPTS_H1, GOES_ON, Sprt
from oddville_training.tournament import manifest
from oddville_training.tournament.config import TournamentConfig
from oddville_training.tournament.executor import Executor
from oddville_training.tournament.folder import alone_in, is_finished
from oddville_training.tournament.journal import Journal
from oddville_training.tournament.results import read_results, write_results
from oddville_training.tournament.rows import Failed
from oddville_training.tournament.schedule import Pending

__all__ = ["Verdict", "play", "read_results", "run"]

Watcher = Callable[[np.ndarray, list[Failed]], None]
"""Called with the rows and failures of every chunk, those of earlier too when a run is gone on with."""


class Verdict:
    """A sequential test of the first agent against the second, block by block in their order."""

    def __init__(self, sprt: Sprt, names: Sequence[str]) -> None:
        self.sprt, self._names = sprt, names
        self.last: int | None = None  # the block that decided
        self._scores: dict[int, float] = {}

    def add(self, rows: np.ndarray) -> None:
        """Count the blocks that are there without a gap before them."""
        first = rows[rows["agent"] == 0]
        blocks, where = np.unique(first["block"], return_inverse=True)
        scores = np.bincount(where, first["rank"] == 1) / np.bincount(where)
        self._scores.update(zip(blocks.tolist(), scores.tolist(), strict=True))
        while self.last is None and self.sprt.blocks in self._scores:
            block = self.sprt.blocks
            if self.sprt.add(self._scores.pop(block)) != GOES_ON:
                self.last = block

    @property
    def told(self) -> str:
        """How the test stands, in a sentence."""
        test, (one, other) = self.sprt, self._names
        found = {
            ACCEPTS_H0: f"{one} is {test.elo0:g} Elo points above {other} rather than {test.elo1:g}",
            ACCEPTS_H1: f"{one} is {test.elo1:g} Elo points above {other} rather than {test.elo0:g}",
            GOES_ON: f"whether {one} is {test.elo1:g} or {test.elo0:g} Elo points above {other} is undecided",
        }[test.verdict]
        low, high = test.bounds
        verdict = "" if test.verdict == GOES_ON else f"{test.verdict}, "
        return f"{found} ({verdict}{test.blocks} blocks, LLR {test.llr:z.2f} of {low:.2f} to {high:.2f})"


def run(
    config: TournamentConfig,
    folder: Path,
    make_executor: Callable[[TournamentConfig], Executor],
    watch: Watcher,
    sprt: Sprt | None = None,
    more: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Play a tournament in a folder, or go on with it, and write its results; a finished one is left as it is.

    sprt: a test of the first agent against the second, which ends it; more: what the manifest should say beside the
    config. Returns the manifest. Raises RunError, AgentError, WorkerError and OSError; whatever ends it early, the
    blocks that were finished are kept.
    """
    asked = manifest.about(config, **(more or {}))
    with alone_in(folder):
        run = manifest.begin(folder, asked)
        if is_finished(folder):
            return run
        start, verdict = monotonic(), Verdict(sprt, config.names) if sprt else None
        with Journal(folder, config) as journal, _full_disks_told(folder):
            try:
                play(config, make_executor, journal, watch, verdict)
            finally:
                seconds = manifest.seconds(run) + monotonic() - start
                run |= {"machine": machine(), "wall_seconds": round(seconds, 3), "verdict": verdict and verdict.told}
                manifest.write(folder, run)
            write_results(config, folder, journal, verdict.last if verdict else None)
            journal.remove()
    return run


@contextmanager
def _full_disks_told(folder: Path) -> Iterator[None]:
    """Say of an error in writing what is lost: next to nothing."""
    try:
        yield
    except OSError as error:
        kept = f"what was finished is kept in {folder}, and the same command goes on"
        raise OSError(error.errno, f"{error.strerror or error}; {kept}") from None


def play(
    config: TournamentConfig,
    make_executor: Callable[[TournamentConfig], Executor],
    journal: Journal,
    watch: Watcher,
    verdict: Verdict | None = None,
) -> None:
    """Play all blocks that the journal does not hold, or those up to a verdict, and add them to it."""

    def note(rows: np.ndarray, failed: list[Failed]) -> None:
        watch(rows, failed)
        if verdict:
            verdict.add(rows)

    for entry in journal.entries:
        note(entry.rows, entry.failed)
    executor, busy = make_executor(config), 0
    pending = Pending(config.schedule, journal.done, executor.workers)
    try:
        while verdict is None or verdict.last is None:
            while busy < executor.workers and (chunk := pending.take()) is not None:
                executor.submit(chunk)
                busy += 1
            if not busy:
                return
            played = executor.wait()
            busy -= 1
            pending.took(played.chunk, played.seconds)
            journal.add(played.rows, played.failed, played.records)
            note(played.rows, played.failed)
    finally:
        executor.close()
