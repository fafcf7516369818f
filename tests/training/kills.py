"""`kills.py FOLDER`: a tournament that is killed before every operation on files, and gone on with each time.

The processes are forks of one that has loaded everything, but has not used polars, which does not live through a fork.
Prints how many kills there were; whatever is not as it should be ends it with a traceback.
"""

import os
import shutil
import sys
from collections.abc import Callable
from hashlib import sha256
from itertools import count
from pathlib import Path

import numpy as np

from oddville_training.tournament.config import tournament_config
from oddville_training.tournament.executors import Here
from oddville_training.tournament.store.results import read_results
from oddville_training.tournament.tournament import run
from oddville_training.tournament.workers.worker import Worker

KILLED = 9
OPERATIONS = {"open", "os.rename", "os.remove", "os.mkdir", "os.truncate"}
CONFIG = tournament_config(["random", "greedy"], [2], 3, moves=True)
FILES = {"manifest.json", "results.parquet", "games.jsonl.gz"}


def forked(work: Callable[[], object]) -> int:
    """The exit code of a process that did the work."""
    child = os.fork()
    if child == 0:
        work()
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def play(folder: Path) -> None:
    run(CONFIG, folder, Here, lambda *_: None)


def die_before(operation: int, folder: Path) -> None:
    """End this process before the operation-th one on files of the folder."""
    met, sync = count(1), os.fsync

    def note(event: str, args: tuple[object, ...]) -> None:
        if event in OPERATIONS and str(args[0]).startswith(str(folder)) and next(met) == operation:
            os._exit(KILLED)

    def synced(number: int) -> None:
        if next(met) == operation:
            os._exit(KILLED)
        sync(number)

    os.fsync = synced
    sys.addaudithook(note)


def summary(folder: Path) -> str:
    """What must be the same whatever happened."""
    assert {path.name for path in folder.iterdir()} == FILES, sorted(folder.iterdir())
    rows = read_results(folder).drop("think_ms", "slowest_ms")
    return sha256((folder / "games.jsonl.gz").read_bytes() + rows.write_csv().encode()).hexdigest()


def play_to_the_end(folder: Path, expected: Path) -> None:
    play(folder)
    if expected.exists():
        assert summary(folder) == expected.read_text()
    else:
        expected.write_text(summary(folder))


def main(place: Path) -> None:
    Worker(CONFIG).play(CONFIG.schedule.chunk(0, 0, np.arange(1)))
    expected = place / "expected"
    assert forked(lambda: play_to_the_end(place / "whole", expected)) == 0
    for operation in count(1):
        folder = place / "run"
        shutil.rmtree(folder, ignore_errors=True)
        code = forked(lambda: (die_before(operation, folder), play(folder)))  # noqa: B023
        assert code in (0, KILLED)
        assert forked(lambda: play_to_the_end(folder, expected)) == 0, f"after a kill before operation {operation}"  # noqa: B023
        if code == 0:
            print(operation - 1)
            return


if __name__ == "__main__":
    main(Path(sys.argv[1]))
