"""The machine of a measurement, and Python child processes, which never import modules from the current folder.

A user's file there, such as `struct.py`, would hide the module of that name in the standard library.
"""

import os
import platform
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import numba
import numpy as np

VARIABLE = "PYTHONSAFEPATH"


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def python(*words: str) -> list[str]:
    """Return the command line of a Python process."""
    return [sys.executable, "-P", *words]


def safe_path() -> AbstractContextManager[None]:
    """Set the same for processes that a library starts in this block, by an environment variable."""
    return variable(VARIABLE, "1")


@contextmanager
def variable(name: str, value: str) -> Iterator[None]:
    """Set an environment variable in this block."""
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


def machine() -> dict[str, Any]:
    """Return the processor, its cores and the versions that speed depends on."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.machine())
