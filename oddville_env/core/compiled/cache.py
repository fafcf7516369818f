"""Where compiled kernels are kept: one file for each kernel and types of arguments, named by what it is made of.

So an edit costs those kernels only that it reaches, and a file that is found is never out of date. It begins with a
hash of its bytes: a torn one is forgotten and compiled anew. What another user has compiled beside the package is read;
where nothing can be written, there is one warning, and every start compiles.
"""

import hashlib
import os
import pickle
import platform
import secrets
import shutil
import time
import warnings
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba import config, types
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.dispatcher import Dispatcher
from numba.core.runtime import rtsys
from numba.core.serialize import dumps

from oddville_env.core.compiled.fingerprint import fingerprint

PACKAGE = Path(__file__).resolve().parents[2]
# What decides how kernels are compiled and kept: intrinsics are no kernels, whose code is part of a name.
COMPILING = ("arrays.py", "cache.py", "fingerprint.py", "inner_library.py", "jit.py", "spin_wait.py")
FOLDER, STAMP = "kernels", 16  # how the folder's name begins, and letters of the hash behind
NAME = 32  # letters of the hash in a file's name
DIGEST = hashlib.sha256().digest_size
A_MONTH = 30 * 24 * 60 * 60  # seconds
CANNOT_KEEP = "compiled code cannot be kept, every start compiles anew: set NUMBA_CACHE_DIR to a folder with room"

_failed: set[Path] = set()  # places where nothing can be written


class KernelCache(NullCache):
    """What is kept of one kernel, as numba's dispatcher asks for it."""

    def __init__(self, kernel: Dispatcher) -> None:
        self._kernel = kernel

    def load_overload(self, sig: Any, target_context: Any) -> CompileResult | None:
        """The compiled code for a signature, None where there is none.

        Numba's own cache first loads all that numba can compile, half of what a start takes. Machine code only needs
        the part that counts references; who has to compile loads the rest.
        """
        rtsys.initialize(target_context)
        payload = _read(self._name(sig, target_context.codegen()))
        return None if payload is None else CompileResult._rebuild(target_context, *pickle.loads(payload))

    def save_overload(self, sig: Any, compiled: CompileResult) -> None:
        """Keep what was just compiled."""
        if not compiled.library.has_dynamic_globals:
            _write(self._name(sig, compiled.codegen), dumps(compiled._reduce()))

    def _name(self, sig: Any, codegen: Any) -> str:
        made_of = (fingerprint(self._kernel), [_spelled(each) for each in sig], codegen.magic_tuple())
        return f"{self._kernel.py_func.__name__}-{hashlib.sha256(repr(made_of).encode()).hexdigest()[:NAME]}"


def _spelled(type_: types.Type) -> tuple[Any, ...]:
    """A type with all that code depends on: numba's name of a named tuple leaves out its module and its fields."""
    tuple_class = getattr(type_, "instance_class", None)
    home, fields = getattr(tuple_class, "__module__", ""), getattr(tuple_class, "_fields", ())
    return str(type_), home, fields, [_spelled(each) for each in getattr(type_, "types", ())]


@cache
def folders() -> list[Path]:
    """The folders that kernels are looked for in, and written to the first that can be: the user's own (numba's
    NUMBA_CACHE_DIR) and no other, or beside the package, and the user's cache.
    """
    versions = f"{platform.python_version()} {numba.__version__} {np.__version__} {config.BOUNDSCHECK} {config.OPT}"
    stamp = hashlib.sha256(versions.encode())
    for source in COMPILING:
        stamp.update((PACKAGE / "core" / "compiled" / source).read_bytes())
    user = Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"))
    homes = [PACKAGE / "__pycache__", user / PACKAGE.name]
    if config.CACHE_DIR:
        homes = [Path(config.CACHE_DIR).absolute() / PACKAGE.name]
    return [home / f"{FOLDER}-{stamp.hexdigest()[:STAMP]}" for home in homes if home.is_absolute()]


def _read(name: str) -> bytes | None:
    """What a file holds, None where there is none that is whole."""
    for place in folders():
        with suppress(OSError):
            content = (place / name).read_bytes()
            if hashlib.sha256(content[DIGEST:]).digest() == content[:DIGEST]:
                return content[DIGEST:]
            (place / name).unlink()
    return None


def _write(name: str, payload: bytes) -> None:
    """Write a file in the first place that has never failed; when the last one does, warn."""
    for place in folders():
        if place not in _failed:
            try:
                return _write_whole(place / name, payload)
            except OSError as error:
                _failed.add(place)
                if len(_failed) == len(folders()):
                    warnings.warn(f"{CANNOT_KEEP} ({error})", stacklevel=2)
    return None


def _write_whole(path: Path, payload: bytes) -> None:
    """Write a file under another name first, so that no other process meets half of it."""
    if not path.parent.exists():
        path.parent.mkdir(parents=True, exist_ok=True)  # another process may be about the same
        _forget_old(path.parent.parent)
    unfinished = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        unfinished.write_bytes(hashlib.sha256(payload).digest() + payload)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def _forget_old(home: Path) -> None:
    """Remove the kernels of other versions that nobody has read for a month, now that there are new ones."""
    for folder in home.glob(f"{FOLDER}-*"):
        with suppress(OSError):  # another process may be about the same
            read = [file.stat().st_atime for file in folder.iterdir()]
            if read and time.time() - max(read) > A_MONTH:
                shutil.rmtree(folder, ignore_errors=True)
