"""Python processes that are started here: none looks for modules in the current folder.

A file that lies there, `struct.py` for one, is somebody's own, and would be taken for Python's module of that name.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

VARIABLE = "PYTHONSAFEPATH"


def python(*words: str) -> list[str]:
    """The command line of a Python process."""
    return [sys.executable, "-P", *words]


@contextmanager
def safe_path() -> Iterator[None]:
    """The same for processes that a library starts in this block, which hands no words on to them."""
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[VARIABLE]
        else:
            os.environ[VARIABLE] = before
