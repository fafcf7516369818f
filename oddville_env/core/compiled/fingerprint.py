"""A hash of what the machine code of a kernel is made of.

That is its own code, options and default arguments, the constants that it reads, and the same of the kernels that it
calls. A kernel may read numbers, texts, enums, dtypes, tuples of them, other kernels and functions of libraries;
anything else is an error.
"""

import hashlib
import inspect
from collections.abc import Iterator
from enum import Enum, EnumMeta
from functools import cache
from types import CodeType, ModuleType
from typing import Any

import numpy as np
from numba.core.dispatcher import Dispatcher

PLAIN = (bool, int, float, complex, str, bytes, type(None), np.generic, np.dtype, Enum)


def fingerprint(kernel: Dispatcher) -> str:
    """Return a hash of a kernel and of all that it calls, in hexadecimal digits.

    Raises:
        TypeError: A kernel reads something that is no constant.
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
    raise TypeError(f"kernel {reader} reads {name}, a {type(value).__name__}, which is no constant")
