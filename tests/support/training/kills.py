"""`kills.py COMMAND FOLDER [all]`: a command that is killed before operations on files, and resumed each time.

It is killed before the last operation of each kind on each kind of file, or before all of them. However it was killed,
what the documentation says to do then must end as if nothing had happened, and leave nothing that was begun. What kills
leave is copied from one run on its way. The processes are forks of one that has loaded everything, but has not used
polars, which is not fork-safe. Prints how many operations there are; a failure ends it with a traceback.
"""

import gc
import json
import os
import re
import shutil
import sys
from collections.abc import Callable
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from oddville_env.core.errors import GameError

NEVER = 0
OPERATIONS = {"open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate"}
TENSORBOARD = "tensorboard"  # its files bear the time, and it forgives whatever is cut off
TIMES = {"seconds", "wall_seconds"}


class Command(NamedTuple):
    """What a person asks for in a folder, first and after a kill, and what must be the same whatever happened."""

    begin: Callable[[Path], object]
    go_on: Callable[[Path], object]
    summary: Callable[[Path], object]
    forks: bool = True  # may be done before a fork


def files(folder: Path) -> dict[str, str]:
    """All files with hashes of what they hold, times left out; nothing that was only begun."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        assert not path.name.startswith("."), f"{name} was left"
        if path.is_file() and TENSORBOARD not in name:
            found[name] = sha256(_without_times(path)).hexdigest()
    return found


def _without_times(path: Path) -> bytes:
    plain = path.read_bytes()
    if path.suffix != ".json":
        return plain
    fields = json.loads(plain)
    return json.dumps({name: fields[name] for name in fields if name not in TIMES}).encode()


# Commands


def tournament() -> Command:
    from oddville_training.tournament.config import tournament_config
    from oddville_training.tournament.executors import on_this_machine
    from oddville_training.tournament.store.results import read_results
    from oddville_training.tournament.tournament import run
    from oddville_training.tournament.worker import Worker

    config = tournament_config(["random", "greedy"], [2], 3, moves=True)
    Worker(config).play(config.schedule.chunk(0, 0, np.arange(1)))

    def summary(folder: Path) -> str:
        names = {"manifest.json", "results.parquet", "games.jsonl.gz"}
        assert {path.name for path in folder.iterdir()} == names, sorted(folder.iterdir())
        rows = read_results(folder).drop("think_ms", "slowest_ms")
        return sha256((folder / "games.jsonl.gz").read_bytes() + rows.write_csv().encode()).hexdigest()

    def play(folder: Path) -> None:
        run(config, folder, on_this_machine(1), lambda *_: None)

    return Command(play, play, summary, forks=False)


def ppo() -> Command:
    from oddville_training.learning.run_folder import saved_config
    from oddville_training.learning.train import train
    from support.training.small_runs import TINY

    def go_on(folder: Path) -> None:
        train(saved_config(folder), folder, resume=True, progress=False)

    return Command(lambda folder: train(TINY, folder, progress=False), go_on, files)


def imitate() -> Command:
    from oddville_agents.oddville.policy import Sizes
    from oddville_env.oddville.game_type import ODDVILLE
    from oddville_training.learning.imitation import data_set, fit
    from oddville_training.work.pools import here

    data_set.SHARD = 4

    def make(folder: Path, games: int = 5) -> None:
        data_set.make(folder, data_set.DataSetSpec("random", games=games, game=ODDVILLE.name), here, progress=False)
        fit.fit(folder, fit.Imitate(epochs=1), Sizes(4, 4, 8), progress=False)

    def make_twice(folder: Path) -> None:
        make(folder, 2)
        make(folder)

    return Command(make_twice, make, files)


COMMANDS = {each.__name__: each for each in (tournament, ppo, imitate)}


# Kills


def forked(work: Callable[[], object]) -> int:
    """The exit code of a process that did the work."""
    child = os.fork()
    if child == 0:
        work()
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def copy_before_operations(folder: Path, copies: Path, notes: Path) -> None:
    """Note every operation of this process on files of the folder, and copy what a kill before it would leave."""
    number = count(1)

    def note(event: str, args: tuple[Any, ...]) -> None:
        if event in OPERATIONS and str(args[0]).startswith(str(folder)) and TENSORBOARD not in str(args[0]):
            reads = event == "open" and not args[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
            if not reads:
                at = next(number)
                with notes.open("a") as file:
                    print(event, args[0], file=file)
                if folder.exists():
                    shutil.copytree(folder, copies / str(at))

    sys.addaudithook(note)


def one_of_each_kind(operations: list[str]) -> list[int]:
    """The numbers, from 1, of the last operation of each kind, where files differ by numbers alone."""
    return sorted({re.sub(r"\d+", "#", each): number for number, each in enumerate(operations, 1)}.values())


def go_on(command: Command, folder: Path) -> None:
    """Continue a killed command, or begin it where nothing is there."""
    try:
        command.go_on(folder)
    except GameError as error:
        if "begin" not in str(error) and "there is no file" not in str(error):
            raise
        command.begin(folder)


def main(command: Command, place: Path, everywhere: bool) -> None:
    folder, copies, notes, expected = (place / name for name in ("run", "copies", "operations", "expected"))
    if command.forks:
        command.begin(place / "first")
    gc.collect()
    gc.freeze()  # what a fork looks through is copied

    def undisturbed() -> None:
        copy_before_operations(folder, copies, notes)
        command.begin(folder)
        expected.write_text(repr(command.summary(folder)))

    def resumed() -> None:
        go_on(command, folder)
        found = repr(command.summary(folder))
        assert found == expected.read_text(), f"{found}\n{expected.read_text()}"

    assert forked(undisturbed) == 0
    folder.rename(copies / str(NEVER))
    operations = notes.read_text().splitlines()
    for operation in (*(range(1, len(operations) + 1) if everywhere else one_of_each_kind(operations)), NEVER):
        shutil.rmtree(folder, ignore_errors=True)
        if (copies / str(operation)).exists():
            (copies / str(operation)).rename(folder)
        assert forked(resumed) == 0, f"after a kill before operation {operation}"
    print(len(operations))


if __name__ == "__main__":
    os.chdir(sys.argv[2])
    main(COMMANDS[sys.argv[1]](), Path(sys.argv[2]), sys.argv[3:] == ["all"])
