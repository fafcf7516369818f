"""The folder of a run: one process at a time works in it, and what a killed one left there is cleared away."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from oddville_env.core.files import remove_unfinished
from oddville_training.tournament.rows import RunError

MANIFEST, RESULTS, GAMES = "manifest.json", "results.parquet", "games.jsonl.gz"
LINES, RECORDS = "journal.jsonl", "records.part"
"""The journal: they go when the results are there, the lines first."""


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Nobody else works in the folder, which is made if it is not there.

    The lock is on the folder itself and ends with the process that holds it. Raises RunError where another does.
    """
    folder.mkdir(parents=True, exist_ok=True)
    try:
        import fcntl
    except ImportError:  # there is no such lock on this system
        _clear(folder)
        yield
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RunError(f"another process is at work in {folder}: wait for it, or end it") from None
        _clear(folder)
        yield
    finally:
        os.close(number)


def _clear(folder: Path) -> None:
    """Remove what a run that was killed began to write, and the records of a journal that has gone."""
    remove_unfinished(folder / MANIFEST)
    if (folder / MANIFEST).exists():
        remove_unfinished(folder / RESULTS)
        remove_unfinished(folder / GAMES)
        if not (folder / LINES).exists():
            (folder / RECORDS).unlink(missing_ok=True)


def is_finished(folder: Path) -> bool:
    """The results of the run in a folder are all there."""
    return (folder / RESULTS).exists() and not (folder / LINES).exists()


def is_begun(folder: Path) -> bool:
    """Something was played by the run in a folder."""
    lines = folder / LINES
    return (folder / RESULTS).exists() or (lines.exists() and lines.stat().st_size > 0)
