"""The one decorator of compiled code.

A kernel is compiled apart for its two kinds of callers, each when it first calls: Python needs a wrapper around the
machine code that takes Python's objects apart, other kernels do not, and the wrappers would be a fifth of all
compiling. Kernels call each other with every integer as int64, so that one is not compiled again for each width.
"""

import secrets
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Any, TypeVar

from numba import config, types
from numba.core import event
from numba.core.bytecode import FunctionIdentity
from numba.core.registry import CPUDispatcher

from oddville_env.core.compiled.cache import KernelCache
from oddville_env.core.compiled.inner_library import InnerCompiler
from oddville_env.core.compiled.notice import EVENT, CompilingNotice

Function = TypeVar("Function", bound=Callable[..., object])

# Numba names machine code by numbers that count up in each process, so code of two processes that is loaded from the
# cache into a third one could bear one name, and the first would be called for both. A name is never used twice here.
FunctionIdentity._unique_ids = iter(partial(secrets.randbits, 63), None)


class Compiled(CPUDispatcher):
    """A compiled function, kept on disk."""

    def __init__(self, *function: Any, **options: Any) -> None:
        super().__init__(*function, **options)
        self._cache = KernelCache(self)


class Kernel(Compiled):
    """A compiled function for callers in Python; `inner` is the same for other kernels, whom numba sends here."""

    @cached_property
    def inner(self) -> Compiled:
        """The function as other kernels call it."""
        options = {**self.targetoptions, "no_cpython_wrapper": True}
        return Compiled(self.py_func, targetoptions=options, pipeline_class=InnerCompiler)

    def get_call_template(self, args: Sequence[types.Type], kws: dict[str, types.Type]) -> Any:
        """How a kernel calls this one with arguments of these types."""
        return self.inner.get_call_template([_widened(each) for each in args], kws)

    def get_overload(self, sig: object) -> Any:
        """What was compiled for such a call."""
        return self.inner.get_overload(sig)

    @property
    def is_compiling(self) -> bool:
        """It is being compiled, so that a call to it is a recursive one."""
        return bool(super().is_compiling or self.inner.is_compiling)


NOTICE = CompilingNotice(Compiled)
event.register(EVENT, NOTICE)


def _widened(type_: types.Type) -> types.Type:
    """The type that an argument is handed over as."""
    plain = types.unliteral(type_)
    if isinstance(plain, types.IntEnumMember | types.Integer) and plain != types.uint64:
        return types.int64
    return plain


def kernel(function: Function) -> Function:
    """Compile a function of records: no interpreter lock, numpy's division, kept on disk."""
    if config.DISABLE_JIT:
        return function
    options = {"nopython": True, "nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
    compiled: Any = Kernel(function, targetoptions=options)
    return compiled  # type: ignore[no-any-return]
