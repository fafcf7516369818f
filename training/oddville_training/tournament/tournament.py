"""A tournament: blocks are handed out, what was played is written down at once, and at the end results are made of it.

The files of a run: `manifest.json`, `results.parquet`, with moves `games.jsonl.gz`, and the report. During the run, a
journal stands for the results.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

from oddville_env.core.disk.locks import alone_in
from oddville_env.core.system.machine import machine
from oddville_training.statistics.sprt import Sprt
from oddville_training.tournament.blocks import SequentialTest, Watcher, play
from oddville_training.tournament.config import TournamentConfig
from oddville_training.tournament.executors import Executor
from oddville_training.tournament.rows import RunError
from oddville_training.tournament.store import manifest
from oddville_training.tournament.store.folder import clear, is_finished
from oddville_training.tournament.store.journal import Journal
from oddville_training.tournament.store.results import read_results, write_results

__all__ = ["read_results", "run"]


def run(
    config: TournamentConfig,
    folder: Path,
    make_executor: Callable[[TournamentConfig], Executor],
    watch: Watcher,
    sprt: Sprt | None = None,
    more: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Play or resume a tournament in a folder and write its results; a finished one is left as it is.

    sprt: a test of the first agent against the second, which ends it; more: what the manifest should say beside the
    config. Returns the manifest. Raises RunError, AgentError, WorkerError and OSError; whatever ends it early, the
    blocks that were finished are kept.
    """
    asked = manifest.about(config, **(more or {}))
    with alone_in(folder, RunError):
        clear(folder)
        run = manifest.begin(folder, asked)
        if is_finished(folder):
            return run
        start, verdict = monotonic(), SequentialTest(sprt, config.names) if sprt else None
        with Journal(folder, config) as journal, _full_disk_explained(folder):
            try:
                play(config, make_executor, journal, watch, verdict)
            finally:
                seconds = manifest.seconds(run) + monotonic() - start
                run |= {
                    "machine": machine(),
                    "wall_seconds": round(seconds, 3),
                    "verdict": verdict and verdict.sentence,
                }
                manifest.write(folder, run)
            write_results(config, folder, journal, verdict.last if verdict else None)
            journal.remove()
    return run


@contextmanager
def _full_disk_explained(folder: Path) -> Iterator[None]:
    """Say of an error in writing what is lost: next to nothing."""
    try:
        yield
    except OSError as error:
        kept = f"what was finished is kept in {folder}, and the same command resumes the run"
        raise OSError(error.errno, f"{error.strerror or error}; {kept}") from None
