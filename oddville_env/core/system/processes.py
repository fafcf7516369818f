"""Python processes that are started here: none looks for modules in the current folder.

A file that lies there, `struct.py` for one, is somebody's own, and would be taken for Python's module of that name.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

VARIABLE = "PYTHONSAFEPATH"


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def python(*words: str) -> list[str]:
    """The command line of a Python process."""
    return [sys.executable, "-P", *words]


def safe_path() -> AbstractContextManager[None]:
    """The same for processes that a library starts in this block, which hands no words on to them."""
    return variable(VARIABLE, "1")


@contextmanager
def variable(name: str, value: str) -> Iterator[None]:
    """A variable of the environment has this value in this block."""
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before
