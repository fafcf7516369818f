"""The one decorator of compiled code, and the folder of its cache.

Numba's cache looks only at the file of the function itself: after an edit in another file the old answer would stay.
So the cache lies in a folder named by all of the package's sources and by the versions that compile them.
"""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numba
import numpy as np

Function = TypeVar("Function", bound=Callable[..., object])

PACKAGE = Path(__file__).resolve().parent.parent


def _stamp() -> str:
    """A short hash of the package's sources and of what compiles them."""
    stamp = hashlib.sha256(f"numba {numba.__version__} numpy {np.__version__}".encode())
    for source in sorted(PACKAGE.rglob("*.py")):
        stamp.update(source.relative_to(PACKAGE).as_posix().encode() + b"\0" + source.read_bytes())
    return stamp.hexdigest()[:16]


def _cache_folder() -> Path:
    """Beside the package where one may write there, else in the user's cache folder."""
    beside = PACKAGE / "__pycache__"
    try:
        beside.mkdir(exist_ok=True)
        writable = os.access(beside, os.W_OK)
    except OSError:
        writable = False
    user = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "oddville_env"
    return (beside if writable else user) / f"kernels-{_stamp()}"


CACHE_FOLDER = _cache_folder()


def kernel(function: Function) -> Function:
    """Compile a function of records: no interpreter lock, numpy's division, cached on disk."""
    elsewhere = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(CACHE_FOLDER)
    try:
        return numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    finally:
        numba.config.CACHE_DIR = elsewhere
