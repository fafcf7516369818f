"""Files of compiled kernels: one for each kernel and types of arguments, named by a hash of what its code is made of.

An edit recompiles only the kernels that depend on it, and a file is never stale. numba's own cache checks the file of
the function itself only, so code is stale after an edit in a callee (numba #9316, #8396), and it never finds closures
(numba #6264). When these three are closed, this module and `fingerprint` may go.

A file begins with a hash of its name and content; a damaged file is compiled anew. Loading a file runs code, so a file
is read only if this user, root or the owner of this package wrote it, and no other user may write there.
"""

import errno
import hashlib
import os
import platform
import secrets
import stat
import warnings
from contextlib import suppress
from functools import cache
from pathlib import Path

import numba
import numpy as np
from numba import config

PACKAGE = Path(__file__).resolve().parents[2]
# Their code decides how kernels are compiled and stored. The code of intrinsics is not in a kernel's own hash.
COMPILING = ("arrays.py", "cache.py", "dispatcher.py", "fingerprint.py", "inner_library.py", "jit.py", "spinning.py")
FOLDER, STAMP = "kernels", 16  # how the folder's name begins, and letters of the hash behind
DIGEST = hashlib.sha256().digest_size
FOLDER_MODE, FILE_MODE = 0o755, 0o644
CANNOT_KEEP = "compiled code cannot be kept, every start compiles anew: set NUMBA_CACHE_DIR to a folder with room"

_failed: set[Path] = set()  # folders that cannot be written


@cache
def folders() -> list[Path]:
    """Return the folders of compiled kernels: all are read, and the first writable one is written.

    They are a folder in NUMBA_CACHE_DIR if it is set, else one beside the package and one in the user's cache.
    """
    versions = f"{platform.python_version()} {numba.__version__} {np.__version__} {config.BOUNDSCHECK} {config.OPT}"
    stamp = hashlib.sha256(versions.encode())
    for source in COMPILING:
        stamp.update(Path(__file__).with_name(source).read_bytes())
    user = Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"))
    parents = [PACKAGE / "__pycache__", user / PACKAGE.name]
    if config.CACHE_DIR:
        parents = [Path(config.CACHE_DIR).absolute() / PACKAGE.name]
    return [parent / f"{FOLDER}-{stamp.hexdigest()[:STAMP]}" for parent in parents if parent.is_absolute()]


def read(name: str) -> bytes | None:
    """Return the content of a file, None where there is none that is whole and trusted."""
    for folder in folders():
        with suppress(OSError), (folder / name).open("rb") as file:
            if not _is_trusted(folder.stat()) or not _is_trusted(os.fstat(file.fileno())):
                continue
            digest, content = file.read(DIGEST), file.read()
            if digest == _digest(name, content):
                return content
            (folder / name).unlink()
    return None


def write(name: str, content: bytes) -> None:
    """Write a file into the first folder that has never failed; warn when the last one fails."""
    for folder in folders():
        if folder not in _failed:
            try:
                return _write_whole(folder, name, content)
            except OSError as error:
                _failed.add(folder)
                if len(_failed) == len(folders()):
                    warnings.warn(f"{CANNOT_KEEP} ({error})", stacklevel=2)
    return None


def _write_whole(folder: Path, name: str, content: bytes) -> None:
    """Write under a temporary name first, so that no other process reads half a file."""
    folder.mkdir(FOLDER_MODE, parents=True, exist_ok=True)
    if not _is_trusted(folder.stat()):
        raise PermissionError(errno.EPERM, "other users may write there", str(folder))
    unfinished = folder / f".{name}.{secrets.token_hex(4)}"
    try:
        with open(unfinished, "xb", opener=lambda path, flags: os.open(path, flags, FILE_MODE)) as file:
            file.write(_digest(name, content) + content)
        unfinished.replace(folder / name)
    finally:
        unfinished.unlink(missing_ok=True)


def _digest(name: str, content: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\0" + content).digest()


def _is_trusted(about: os.stat_result) -> bool:
    """This user, root or the owner of the package owns it, and no other user may write to it."""
    if not hasattr(os, "getuid"):  # Windows, where other users have no rights to a user's folders
        return True
    return about.st_uid in _owners() and not about.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


@cache
def _owners() -> frozenset[int]:
    return frozenset({0, os.getuid(), PACKAGE.stat().st_uid})
