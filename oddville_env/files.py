"""Files written whole: under a temporary name first, then renamed, so that nobody meets half a file."""

import errno
import gzip
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast


@contextmanager
def written_whole(path: Path, mode: str = "w") -> Iterator[IO[Any]]:
    """A file to write into, which takes its name when the block ends, and is forgotten when it fails."""
    check_writable(path)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with _open(unfinished, mode, packed=path.suffix == ".gz") as file:
            yield file
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)


def check_writable(path: Path) -> None:
    """Make the file's folder; raises OSError where no file can have this name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir() or not path.name:
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))


@contextmanager
def opened(path: Path) -> Iterator[IO[str]]:
    """A text file to read, packed with gzip or not."""
    with _open(path, "r", packed=path.suffix == ".gz") as file:
        yield file


def _open(path: Path, mode: str, packed: bool) -> IO[Any]:
    encoding = None if "b" in mode else "utf-8"
    if packed:
        return cast(IO[Any], gzip.open(path, mode if "b" in mode else f"{mode}t", encoding=encoding))
    return path.open(mode, encoding=encoding)
