"""All blocks of a run, handed out in chunks; what was played is noted at once."""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

import numpy as np

from oddville_training.statistics.sprt import ACCEPTS_H0, ACCEPTS_H1, GOES_ON, Sprt
from oddville_training.tournament.config import TournamentConfig
from oddville_training.tournament.executors import Executor
from oddville_training.tournament.rows import Failed, win_shares
from oddville_training.tournament.schedule import Pending

Watcher = Callable[[np.ndarray, list[Failed]], None]
"""Called with the rows and failures of every chunk, earlier ones too when a run is resumed."""


class Notes(Protocol):
    """A store of what was played."""

    @property
    def played(self) -> Iterable[tuple[np.ndarray, list[Failed]]]:
        """Rows and failures of the chunks that are there."""

    @property
    def done(self) -> np.ndarray:
        """The numbers of the blocks that need not be played."""

    def add(self, rows: np.ndarray, failed: list[Failed], records: list[bytes]) -> None:
        """Keep a chunk."""


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


def play(
    config: TournamentConfig,
    make_executor: Callable[[TournamentConfig], Executor],
    notes: Notes,
    watch: Watcher,
    verdict: SequentialTest | None = None,
) -> None:
    """Play all blocks that have not been noted, or those up to a verdict, and note them."""

    def note(rows: np.ndarray, failed: list[Failed]) -> None:
        watch(rows, failed)
        if verdict:
            verdict.add(rows)

    for rows, failed in notes.played:
        note(rows, failed)
    executor, busy = make_executor(config), 0
    pending = Pending(config.schedule, notes.done, executor.workers)
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
            notes.add(played.rows, played.failed, played.records)
            note(played.rows, played.failed)
    finally:
        executor.close()
