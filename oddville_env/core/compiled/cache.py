"""Files of compiled kernels: one for each kernel and types of arguments, named by a hash of what its code is made of.

An edit recompiles only the kernels that depend on it, and a file is never stale. numba's own cache checks the file of
the function itself only, so code is stale after an edit in a callee (numba #9316, #8396), and it never finds closures
(numba #6264). When these three are closed, this module may go.

A file begins with a hash of its name and content; a damaged file is compiled anew. Loading a file runs code, so a file
is read only if this user, root or the owner of this package wrote it, and no other user may write there.
"""

import errno
import hashlib
import inspect
import os
import platform
import secrets
import stat
import warnings
from collections.abc import Iterator
from contextlib import suppress
from enum import Enum, EnumMeta
from functools import cache
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import numba
import numpy as np
from numba import config
from numba.core.dispatcher import Dispatcher

PACKAGE = Path(__file__).resolve().parents[2]
# Their code decides how kernels are compiled and stored. The code of intrinsics is not in a kernel's own hash.
COMPILING = ("arrays.py", "borrowing.py", "cache.py", "dispatcher.py", "jit.py", "spinning.py")
FOLDER, STAMP = "kernels", 16  # how the folder's name begins, and letters of the hash behind
DIGEST = hashlib.sha256().digest_size
FOLDER_MODE, FILE_MODE = 0o755, 0o644
CANNOT_KEEP = "compiled code cannot be cached, so every start compiles again: set NUMBA_CACHE_DIR to another folder"

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


PLAIN = (bool, int, float, complex, str, bytes, type(None), np.generic, np.dtype, Enum)


def fingerprint(kernel: Dispatcher) -> str:
    """Return a hash of a kernel's code, options, defaults and constants, and of all that it calls, as text.

    A kernel may read numbers, texts, enums, dtypes, tuples of them, other kernels and functions of libraries; TypeError
    is raised for anything else.
    """
    reached = [kernel]
    for each in reached:
        reached += [called for called in _made_of(each)[1] if called not in reached]
    return hashlib.sha256("\n".join(sorted(_made_of(each)[0] for each in reached)).encode()).hexdigest()


@cache
def _made_of(kernel: Dispatcher) -> tuple[str, tuple[Dispatcher, ...]]:
    """A kernel's own code, options and constants as text, and the kernels that it calls."""
    function = kernel.py_func
    words = [f"{function.__module__}.{function.__qualname__} {sorted(kernel.targetoptions.items())}"]
    for code in _codes(function.__code__):
        constants = [each for each in code.co_consts if not isinstance(each, CodeType) and each != function.__doc__]
        words.append(repr((code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars)))
    read = dict(_read(function))
    words += [f"{name} = {_described(value, name, function.__qualname__)}" for name, value in read.items()]
    return "\n".join(words), tuple(value for value in read.values() if isinstance(value, Dispatcher))


def _codes(code: CodeType) -> Iterator[CodeType]:
    """A function's code, and that of the functions in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _read(function: Any) -> Iterator[tuple[str, Any]]:
    """The name and value of all that a function may read: globals, attributes of modules, closures and defaults."""
    names = sorted({name for code in _codes(function.__code__) for name in code.co_names})
    for name in names:
        value = function.__globals__.get(name)
        if isinstance(value, ModuleType):
            yield from ((f"{name}.{each}", getattr(value, each)) for each in names if hasattr(value, each))
        elif name in function.__globals__:
            yield name, value
    if function.__closure__:
        cells = zip(function.__code__.co_freevars, function.__closure__, strict=True)
        yield from ((name, cell.cell_contents) for name, cell in cells)
    for parameter in inspect.signature(function).parameters.values():
        if parameter.default is not parameter.empty:
            yield f"{parameter.name} by default", parameter.default


def _described(value: Any, name: str, reader: str) -> str:
    """A value that a kernel reads, as text that is the same in every process."""
    if isinstance(value, PLAIN):
        return f"{type(value).__name__} {value!r}"
    if isinstance(value, np.ndarray):
        return repr((value.dtype.descr, value.shape, hashlib.sha256(value.tobytes()).hexdigest()))
    if isinstance(value, EnumMeta):
        members: list[Enum] = list(value)
        return repr([(member.name, member.value) for member in members])
    if isinstance(value, tuple):
        return f"{type(value).__name__} {[_described(each, name, reader) for each in value]}"
    if isinstance(value, ModuleType) or (callable(value) and hasattr(value, "__name__")):
        return f"{getattr(value, '__module__', '')} {value.__name__} {getattr(value, '_fields', '')}"
    raise TypeError(f"kernel {reader} reads {name}, a {type(value).__name__}, which is not a constant")
