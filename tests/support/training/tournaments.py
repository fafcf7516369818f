"""What several of these tests share."""

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from oddville_env.core.checked import game_seeds
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oddville.settings import make_box
from oddville_training.processes.pools import Pool
from oddville_training.tournament import executors, tournament
from oddville_training.tournament.config import TournamentConfig, seatings, tournament_config
from oddville_training.tournament.executors import Executor
from oddville_training.tournament.manifest import GAMES
from oddville_training.tournament.seated_batch import SeatedBatch

AGENTS = Path(__file__).with_name("faulty_agents.py").read_text()
TIMES = ["think_ms", "slowest_ms"]


def unwatched(*_: object) -> None:
    """A watcher."""


def run(folder: str, config: TournamentConfig, workers: int = 1, **more: Any) -> pl.DataFrame:
    tournament.run(config, Path(folder), executors.on_this_machine(workers), unwatched, **more)
    return tournament.read_results(Path(folder))


def same(one: pl.DataFrame, other: pl.DataFrame) -> bool:
    return one.drop(TIMES).equals(other.drop(TIMES))


def records(folder: str) -> list[dict[str, Any]]:
    with gzip.open(Path(folder) / GAMES, "rt") as file:
        return [json.loads(line) for line in file]


STOPS = """
import time
from oddville_training.tournament import executors
from oddville_training.processes import pools

class Stops(pools.ProcessPool):
    # Plays some chunks, and then waits to be killed.

    left = 4

    def wait(self):
        self.left -= 1
        if self.left < 0:
            time.sleep(1000)
        return super().wait()

pools.ProcessPool = Stops
"""
STOPS_AFTER = 4  # lines of the journal


def wait_until_it_stops(process: subprocess.Popen[str], folder: str) -> None:
    until = time.monotonic() + 120
    while time.monotonic() < until and lines_of(folder) < STOPS_AFTER and process.poll() is None:
        time.sleep(0.01)
    assert lines_of(folder) == STOPS_AFTER


def program(*words: object, before: str = "") -> subprocess.Popen[str]:
    """The command line as a process, behind some code."""
    code = f"{before}\nfrom oddville_env.cli import main\nif __name__ == '__main__': main()"
    Path("program.py").write_text(code)
    command = [sys.executable, "program.py", *map(str, words)]
    wide = {**os.environ, "COLUMNS": "200"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, **pipes, text=True, env=wide, preexec_fn=hear_interrupts)


def hear_interrupts() -> None:
    """What a shell started in the background does not, nor do its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def tables(players: int, blocks: int, keep: bool = True) -> tuple[SeatedBatch, np.ndarray]:
    """Some games, and the agents' seeds."""
    seating = np.tile(seatings(tuple(range(players))), (blocks, 1))
    seeds = np.repeat(game_seeds(3, blocks), players)
    batch = SeatedBatch(ODDVILLE, make_box(players), seeds, seating, keep)
    return batch, game_seeds(4, seating.size).reshape(seating.shape)


TRIO, BLOCKS = ("greedy", "random", "random"), 16


def short() -> TournamentConfig:
    """Long enough for eight chunks at least: a block of each of the four line-ups, then others."""
    return tournament_config(TRIO, [2, 3], BLOCKS, seed=5, moves=True)


class Interrupts(Pool):
    """Plays a few chunks, then stops as Ctrl-C would."""

    def __init__(self, chunks: int) -> None:
        self._left = chunks

    def wait(self) -> Any:
        self._left -= 1
        if self._left < 0:
            raise KeyboardInterrupt
        return super().wait()


def interrupted(folder: str, config: TournamentConfig, chunks: int = 6, **more: Any) -> None:
    with pytest.raises(KeyboardInterrupt):
        tournament.run(config, Path(folder), lambda config: Executor(config, Interrupts(chunks)), unwatched, **more)


def lines_of(folder: str) -> int:
    path = Path(folder, "journal.jsonl")
    return path.read_bytes().count(b"\n") if path.exists() else 0
