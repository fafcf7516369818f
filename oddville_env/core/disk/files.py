"""Atomic writes: a temporary file, fsync, rename, so that no reader meets half a file, after a power failure neither.

Links are followed, and a file keeps its owner and its permissions. Temporary files are called
`.NAME.PROCESS.unfinished`; those of processes that have ended are removed by the next writer.
"""

import errno
import gzip
import os
import platform
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from shutil import rmtree
from typing import IO, Any, cast

STANDARD_OUTPUT = "-"
UNFINISHED = "unfinished"
HOST = platform.node().replace(".", "_")[:20]  # processes of other hosts that share the disk cannot be seen from here


@contextmanager
def atomic_write(path: Path, mode: str = "w", streams: bool = False) -> Iterator[IO[Any]]:
    """Open a file for writing; it takes its name when the block ends, and is removed when the block fails.

    Text in a file called `.gz` is compressed; bytes are written as they are. streams: also write to a pipe or device
    that is there. Raises OSError where the file cannot be written, or is no regular file.
    """
    target, there = _target(path, streams)
    if there is not None and not stat.S_ISREG(there.st_mode):
        with open_file(path, mode) as file:
            yield file
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    remove_unfinished(target.parent, target.name)
    unfinished = unfinished_name(target)
    try:
        if there is not None:
            _make_like(unfinished, there)
        with open_file(unfinished, mode, path.suffix) as file:
            yield file
        with unfinished.open("ab") as file:
            os.fsync(file.fileno())
        os.replace(unfinished, target)
        sync_names(target.parent)
    finally:
        unfinished.unlink(missing_ok=True)


def write_whole(path: Path, content: str | bytes, streams: bool = False) -> None:
    """Write a text or bytes by `atomic_write`."""
    with atomic_write(path, "wb" if isinstance(content, bytes) else "w", streams) as file:
        file.write(content)


def open_file(path: Path, mode: str, suffix: str | None = None) -> IO[Any]:
    """Open a file; text is UTF-8, and compressed if the suffix is `.gz`. Raises OSError, also for impossible names."""
    try:
        if "b" in mode:
            return path.open(mode)
        if (path.suffix if suffix is None else suffix) == ".gz":
            return cast(IO[Any], gzip.open(path, f"{mode}t", encoding="utf-8"))
        return path.open(mode, encoding="utf-8")
    except ValueError as error:  # a name with a null byte
        raise OSError(errno.EINVAL, str(error), str(path)) from None


def _target(path: Path, streams: bool) -> tuple[Path, os.stat_result | None]:
    """The path of a file behind all links, and what lies there; raises OSError if it may not be written."""
    check_not_standard_output(path)
    try:
        there = path.stat()
    except FileNotFoundError:
        there = None
    if not path.name or (there is not None and stat.S_ISDIR(there.st_mode)):
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if there is not None and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    if there is not None and not streams and not stat.S_ISREG(there.st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file", str(path))
    return Path(os.path.realpath(path)) if path.is_symlink() else path, there


def check_not_standard_output(path: Path) -> None:
    """Raise OSError for `-`, and for a path in a folder of that name."""
    if path.parts[:1] == (STANDARD_OUTPUT,):
        raise OSError(errno.EINVAL, "this is not written to standard output", STANDARD_OUTPUT)


def _make_like(path: Path, other: os.stat_result) -> None:
    """Make an empty file with the permissions of another one, and with its owner where the system allows that."""
    path.touch(0o600)
    if hasattr(os, "chown"):
        with suppress(PermissionError):
            os.chown(path, other.st_uid, other.st_gid)
    path.chmod(stat.S_IMODE(other.st_mode))


def sync_names(folder: Path) -> None:
    """Write the names of a folder's files to the disk, where the system can."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


@contextmanager
def folder_of_parts(path: Path) -> Iterator[Path]:
    """Make a temporary folder beside a file, for the parts of the file; it is removed after the block."""
    remove_unfinished(path.parent, path.name)
    folder = unfinished_name(path.with_name(f"{path.name}.parts"))
    folder.mkdir(parents=True)
    try:
        yield folder
    finally:
        rmtree(folder, ignore_errors=True)


def unfinished_name(path: Path, process: int | None = None) -> Path:
    """Return the temporary name of a file or folder, of this process or another one."""
    return path.with_name(f".{path.name}.{process or os.getpid()}@{HOST}.{UNFINISHED}")


def remove_unfinished(folder: Path, name: str | None = None) -> None:
    """Remove temporary files and folders that ended processes of this host left in a folder, but not below it.

    name: the file that they were begun for; None stands for any file.
    """
    for path in list(folder.glob(f".{'*' if name is None else escape(name)}.*@{escape(HOST)}.{UNFINISHED}")):
        process = path.name.removesuffix(f"@{HOST}.{UNFINISHED}").rpartition(".")[2]
        if process.isdecimal() and not _is_alive(int(process)):
            if path.is_dir() and not path.is_symlink():
                rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)


def _is_alive(process: int) -> bool:
    """A process of this number runs, or nothing can be known, as on Windows."""
    if sys.platform == "win32":  # `os.kill` would end the process there
        return True
    try:
        os.kill(process, 0)
    except (OSError, OverflowError) as error:
        return isinstance(error, PermissionError)
    return True


def check_writable(path: Path, streams: bool = False) -> None:
    """Raise OSError if `atomic_write` could not write a file; leaves nothing behind."""
    target, there = _target(path, streams)
    if there is None or stat.S_ISREG(there.st_mode):
        with folder_for_now(target.parent):
            unfinished = unfinished_name(target)
            unfinished.touch()
            unfinished.unlink()


@contextmanager
def folder_for_now(folder: Path) -> Iterator[None]:
    """Make a folder; what was made is removed after the block if it is empty."""
    check_not_standard_output(folder)
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    finally:
        for each in missing:
            with suppress(OSError):
                each.rmdir()
