"""Folders in which one process at a time may work."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from oddville_env.core.disk.files import folder_for_now
from oddville_env.core.errors import GameError

LOCK = ".lock"


@contextmanager
def alone_in(folder: Path, error: type[GameError]) -> Iterator[None]:
    """Nobody else works in the folder, which is made if it is not there, and gone again if nothing comes into it.

    The lock is on a file in it, and ends with the process that holds it, whatever ends that. Raises the error where
    another process holds it.
    """
    with folder_for_now(folder):
        lock = FileLock(folder / LOCK)
        try:
            lock.acquire(blocking=False)
        except Timeout:
            raise error(f"another process is at work in {folder}: wait for it, or end it") from None
        try:
            yield
        finally:
            with suppress(OSError):  # who opened the file before it went sees that, and makes another one
                (folder / LOCK).unlink()
            lock.release()
