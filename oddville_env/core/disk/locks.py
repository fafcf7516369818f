"""Locks on folders."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from oddville_env.core.disk.files import folder_for_now
from oddville_env.core.errors import GameError

LOCK = ".lock"


@contextmanager
def alone_in(folder: Path, error: type[GameError]) -> Iterator[None]:
    """Lock a folder against other processes; a missing folder is made, and removed if it stays empty.

    The system releases the lock when the process ends, however it ends. Raises `error` if another process holds it.
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
            with suppress(OSError):  # a process that opened the file before sees that it is gone, and makes another
                (folder / LOCK).unlink()
            lock.release()
