"""Programs in forks of a process that has loaded what they import: for tests of what they do, not of how they start."""

import multiprocessing
import os
import runpy
import sys
from functools import cache
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import NamedTuple

LOADED = [
    "torch",
    "torch._dynamo",  # which the first optimizer of a process loads
    "sb3_contrib",
    "matplotlib.figure",
    "oddville_agents.oddville.greedy",
    "oddville_agents.oldtown.greedy",
    "oddville_env.oddville.game_type",
    "oddville_env.oldtown.game_type",
    "oddville_training.tournament.evaluate",
]
"""Modules; what is not installed is left out."""
LONGEST_S = 800


class Done(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


def run(program: Path, *words: object, folder: Path) -> Done:
    """Run a Python program in a folder, with these words behind its name."""
    pipes = folder / "stdout.txt", folder / "stderr.txt"
    process = _server().Process(target=_run, args=(str(program), [str(word) for word in words], folder, pipes))
    process.start()
    process.join(LONGEST_S)
    process.kill()
    process.join()
    return Done(process.exitcode or 0, *(path.read_text() for path in pipes))


@cache
def _server() -> ForkServerContext:
    """The process that forks, one for all tests of this one."""
    server = multiprocessing.get_context("forkserver")
    server.set_forkserver_preload(LOADED)
    return server


def _run(program: str, words: list[str], folder: Path, pipes: tuple[Path, Path]) -> None:
    os.chdir(folder)
    multiprocessing.process.ORIGINAL_DIR = str(folder)  # where processes that the program starts look for it
    for number, path in enumerate(pipes, 1):
        with path.open("wb") as file:
            os.dup2(file.fileno(), number)
    sys.argv = [program, *words]
    sys.path.insert(0, str(Path(program).parent))
    runpy.run_path(program, run_name="__main__")
