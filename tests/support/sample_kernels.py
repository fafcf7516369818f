"""Kernels to compile, how often anything is compiled, and processes with kernels in a folder of their own."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from pathlib import Path
from typing import Any

from numba import __version__ as numba_version
from numba.core import event

from oddville_env.core.compiled.jit import TRIED, kernel

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = (ROOT / "oddville_env", ROOT / "agents" / "oddville_agents", ROOT / "training" / "oddville_training")


class Colour(IntEnum):
    RED = 7


SHIFT = 3
UNREADABLE: list[int] = []


@kernel
def shifted(number):
    return number + SHIFT


@kernel
def called_in_three_ways(numbers):
    return shifted(numbers[0]) + shifted(Colour.RED) + shifted(1)


@kernel
def reads_a_list(number):
    return number + len(UNREADABLE)


def is_tried() -> bool:
    """Whether kernels are kept with the installed numba."""
    return numba_version.startswith(f"{TRIED}.")


class Counter(event.Listener):
    """Counts kernels that are compiled."""

    compiled = 0

    def on_start(self, event: Any) -> None:
        self.compiled += 1

    def on_end(self, event: Any) -> None:
        pass


@contextmanager
def counting() -> Iterator[Counter]:
    counter = Counter()
    with event.install_listener("numba:compile", counter):
        yield counter


def anew(compiled: Any) -> Any:
    """The kernel as a new process has it: nothing of it is loaded."""
    return kernel(compiled.py_func)


def process(code: str, cache: Path, packages: Path | None = None) -> str:
    """What some code prints in a process of its own, with the kernels in a folder and the packages' sources in one."""
    path = os.pathsep.join([str(packages)] if packages else [str(package.parent) for package in PACKAGES])
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": path}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, cwd=cache)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.strip()


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
