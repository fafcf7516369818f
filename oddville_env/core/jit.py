"""The one decorator of compiled code, and the folder of its cache.

Numba's cache looks only at the file of the function itself: after an edit in another file the old answer would stay.
So the cache lies in a folder named by all of the package's sources and by the versions that compile them.
"""

import hashlib
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numba
import numpy as np
from numba import config, njit

Function = TypeVar("Function", bound=Callable[..., object])

PACKAGE = Path(__file__).resolve().parent.parent
A_WEEK = 7 * 24 * 60 * 60  # seconds
STAMP = 16  # letters of the hash that name a folder


def _stamp(packages: tuple[Path, ...]) -> str:
    """A short hash of the packages' sources and of what compiles them."""
    versions = f"numba {numba.__version__} numpy {np.__version__} bounds {config.BOUNDSCHECK}"
    stamp = hashlib.sha256(versions.encode())
    for package in packages:
        for source in sorted(package.rglob("*.py")):
            stamp.update(source.relative_to(package).as_posix().encode() + b"\0" + source.read_bytes())
    return stamp.hexdigest()[:STAMP]


def _cache_folder(packages: tuple[Path, ...]) -> Path:
    """Beside the last package where one may write there, else in the user's cache folder."""
    beside = packages[-1] / "__pycache__"
    try:
        beside.mkdir(exist_ok=True)
        writable = os.access(beside, os.W_OK)
    except OSError:
        writable = False
    user = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / packages[-1].name
    return (beside if writable else user) / f"kernels-{_stamp(packages)}"


def _forget_old(folder: Path) -> None:
    """Remove the caches of other versions that nobody has read for a week, once there is a new one."""
    if folder.exists():
        return
    for other in folder.parent.glob("kernels-*"):
        if time.time() - other.stat().st_atime > A_WEEK:
            shutil.rmtree(other, ignore_errors=True)


def kernels_of(*packages: Path, parallel: bool = False) -> Callable[[Function], Function]:
    """The decorator for compiled code that depends on these packages' sources, its own package last.

    It compiles a function of records: no interpreter lock, numpy's division, cached on disk. parallel: prange shares
    its rounds among numba's threads.
    """
    folder = str(_cache_folder(packages))
    _forget_old(Path(folder))

    def kernel(function: Function) -> Function:
        elsewhere = config.CACHE_DIR
        config.CACHE_DIR = folder
        try:
            compiled: Function = njit(cache=True, nogil=True, error_model="numpy", parallel=parallel)(function)
            return compiled
        finally:
            config.CACHE_DIR = elsewhere

    return kernel


kernel = kernels_of(PACKAGE)
parallel_kernel = kernels_of(PACKAGE, parallel=True)
