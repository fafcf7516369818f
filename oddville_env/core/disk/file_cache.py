"""A cache of the contents of files, valid as long as the files are unchanged."""

import os
from collections.abc import Callable, Hashable
from functools import lru_cache, wraps
from pathlib import Path
from typing import TypeVar

KEPT = 256  # files
Found = TypeVar("Found")


def kept_by_file(read: Callable[[Path], Found]) -> Callable[[Path], Found]:
    """Cache a function of a file or folder; it is called again when a file has changed."""
    kept = lru_cache(maxsize=KEPT)(lambda path, stamp: read(path))

    @wraps(read)
    def read_or_kept(path: Path) -> Found:
        return kept(path, _stamp(path))

    return read_or_kept


def _stamp(path: Path) -> Hashable:
    """The identity, size and time of change of a file, or of a folder's files."""
    try:
        files = [path, *sorted(path.iterdir())] if path.is_dir() else [path]
        return tuple((each, *_identity(each.stat())) for each in files)
    except OSError:
        return None


def _identity(about: os.stat_result) -> tuple[int, ...]:
    return about.st_dev, about.st_ino, about.st_size, about.st_mtime_ns
