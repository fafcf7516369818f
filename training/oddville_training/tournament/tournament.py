"""A tournament: blocks are handed out, what was played is written down at once, and at the end results are made of it.

The files of a run: `manifest.json`, `results.parquet`, with moves `games.jsonl.gz`, and the report. During the run, a
journal stands for the results.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

from oddville_env.core.disk.locks import alone_in
from oddville_env.core.system.processes import machine
from oddville_training.statistics.sprt import ACCEPTS_H0, ACCEPTS_H1, GOES_ON, Sprt
from oddville_training.tournament.config import TournamentConfig
from oddville_training.tournament.executors import MakeExecutor, Watcher, play_blocks
from oddville_training.tournament.pairings import Choose
from oddville_training.tournament.seated_batch import Failed, win_shares
from oddville_training.tournament.store import manifest
from oddville_training.tournament.store.journal import Journal
from oddville_training.tournament.store.manifest import RunError, clear, is_finished
from oddville_training.tournament.store.results import read_results, write_results

__all__ = ["read_results", "run"]


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
