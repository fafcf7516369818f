"""numba's dispatcher with machine code kept on disk, and with separate code for Python and for other kernels.

Callers in Python need a wrapper that unpacks Python objects; other kernels do not, and the wrappers would be a fifth of
all compiling. So a kernel has two sets of overloads, each compiled at its first call. Kernels call each other with
every integer as int64, so that a kernel is not compiled again for each integer width.
"""

import gc
import hashlib
import pickle
import secrets
from collections.abc import Sequence
from functools import cached_property, partial
from types import FunctionType
from typing import Any

from llvmlite import binding, ir
from llvmlite.binding import ffi
from numba import types
from numba.core.bytecode import FunctionIdentity
from numba.core.caching import NullCache
from numba.core.cgutils import voidptr_t
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.core.runtime import rtsys
from numba.core.serialize import dumps

from oddville_env.core.compiled import cache
from oddville_env.core.compiled.borrowing import BorrowingCompiler
from oddville_env.core.compiled.cache import fingerprint

NEW_OBJECTS = 20_000  # threshold of garbage collection: the default of 700 costs 5 % of compiling

_write_text = types.Record.__repr__
_texts: dict[int, tuple[types.Record, str]] = {}


def _text(record: types.Record) -> str:
    """The text of a record type, written once: numba asks for it in every pass, for records of a hundred fields."""
    if id(record) not in _texts:
        _texts[id(record)] = record, _write_text(record)
    return _texts[id(record)][1]


types.Record.__repr__ = _text


class Quickly:
    """A context that can be nested, of one thread at a time: fewer collections, and no event for each call of LLVM.

    With the texts of record types this is a sixth of the time to a first step. It changes no code that is made.
    """

    def __init__(self) -> None:
        self._depth = 0

    def __enter__(self) -> None:
        if self._depth == 0:
            self._threshold, self._callbacks = gc.get_threshold(), tuple(ffi.lib._lock._cblist)
            gc.set_threshold(max(self._threshold[0], NEW_OBJECTS), *self._threshold[1:])
            ffi.lib._lock._cblist.clear()
        self._depth += 1

    def __exit__(self, *_: Any) -> None:
        self._depth -= 1
        if self._depth == 0:
            gc.set_threshold(*self._threshold)
            ffi.lib._lock._cblist.extend(self._callbacks)


QUICKLY = Quickly()
NAME = 32  # letters of the hash in a file's name
OPTIONS = {"nopython": True, "nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}

# numba names machine code by numbers that each process counts from 0. Code of two processes, loaded from a cache into a
# third, could bear one name, and the first would be called for both (numba #10486; PyTensor has the same patch, its
# #2051 and #2079). With random numbers no name is used twice. The patch may go when numba #10486 is closed.
FunctionIdentity._unique_ids = iter(partial(secrets.randbits, 63), None)


class KernelCache(NullCache):
    """The files of one kernel, in the form that numba's dispatcher asks for."""

    def __init__(self, kernel: CPUDispatcher) -> None:
        self._kernel = kernel

    def load_overload(self, sig: Any, target_context: Any) -> CompileResult | None:
        """Return the compiled code for a signature, None where there is none.

        numba's own cache first loads its whole compiler, half of a start. Machine code needs the reference counts only.
        """
        rtsys.initialize(target_context)
        payload = cache.read(self._name(sig, target_context.codegen()))
        return None if payload is None else CompileResult._rebuild(target_context, *pickle.loads(payload))

    def save_overload(self, sig: Any, compiled: CompileResult) -> None:
        """Store the compiled code for a signature."""
        if not compiled.library.has_dynamic_globals:
            cache.write(self._name(sig, compiled.codegen), dumps(compiled._reduce()))

    def _name(self, sig: Any, codegen: Any) -> str:
        made_of = (fingerprint(self._kernel), [_described(each) for each in sig], codegen.magic_tuple())
        return f"{self._kernel.py_func.__name__}-{hashlib.sha256(repr(made_of).encode()).hexdigest()[:NAME]}"


def _described(type_: types.Type) -> tuple[Any, ...]:
    """A type with all that code depends on: numba's name of a named tuple leaves out its module and its fields."""
    tuple_class = getattr(type_, "instance_class", None)
    module, fields = getattr(tuple_class, "__module__", ""), getattr(tuple_class, "_fields", ())
    return str(type_), module, fields, [_described(each) for each in getattr(type_, "types", ())]


ENVIRONMENT = "_ZN08NumbaEnv"  # how the variable of each function begins that points to its Python objects


class InnerLibrary(JITCodeLibrary):
    """The code of a kernel that only other kernels call, and of its callees, for the libraries of its callers.

    numba links each compiled function with its callees, optimises the whole and makes machine code of it. For such a
    kernel this is wasted, half of all compiling, as its callers do it again: it is linked only.
    """

    _final_module: Any

    def finalize(self) -> None:
        """Link the callees, and make machine code of the variable for Python only."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        self._separate_code()
        self._finalize_final_module()

    def _separate_code(self) -> None:
        """Keep the code for callers, of which several may contain it, and the variable for this process."""
        code = self._final_module
        for function in code.functions:
            if not function.is_declaration and function.linkage == binding.Linkage.external:
                function.linkage = "linkonce_odr"
        own = self._codegen._create_empty_module(self.name)
        for variable in code.global_variables:
            if variable.name.startswith(ENVIRONMENT):
                kept = ir.GlobalVariable(own, voidptr_t, variable.name)
                kept.linkage, kept.initializer = "common", ir.Constant(voidptr_t, None)
        self._shared_module, self._final_module = code, binding.parse_assembly(str(own))


class InnerCompiler(BorrowingCompiler):
    """The compiler of kernels, with an inner library as its result."""

    def compile_extra(self, func: FunctionType) -> Any:
        """Compile a function into an inner library."""
        self.state.library = InnerLibrary(self.state.targetctx.codegen(), func.__qualname__)
        self.state.library.enable_object_caching()
        return super().compile_extra(func)


class Compiled(CPUDispatcher):
    """A compiled function, kept on disk."""

    def __init__(self, *function: Any, pipeline_class: type = BorrowingCompiler, **options: Any) -> None:
        super().__init__(*function, pipeline_class=pipeline_class, **options)
        self._cache = KernelCache(self)

    def compile(self, sig: Any) -> Any:
        """Return where the code for a signature begins, compiled or loaded at its first call."""
        with global_compiler_lock, QUICKLY:
            return super().compile(sig)


class Kernel(Compiled):
    """A compiled function for callers in Python; `inner` is the one used when another kernel calls it."""

    @cached_property
    def inner(self) -> Compiled:
        """The function as other kernels call it."""
        options = {**self.targetoptions, "no_cpython_wrapper": True}
        return Compiled(self.py_func, targetoptions=options, pipeline_class=InnerCompiler)

    def get_call_template(self, args: Sequence[types.Type], kws: dict[str, types.Type]) -> Any:
        """Return how a kernel calls this one with arguments of these types."""
        return self.inner.get_call_template([_widened(each) for each in args], kws)

    def get_overload(self, sig: object) -> Any:
        """Return the overload for such a call."""
        return self.inner.get_overload(sig)

    @property
    def is_compiling(self) -> bool:
        """It is being compiled, so that a call to it is a recursive one."""
        return bool(super().is_compiling or self.inner.is_compiling)


def _widened(type_: types.Type) -> types.Type:
    """The type that an argument is passed as."""
    plain = types.unliteral(type_)
    if isinstance(plain, types.IntEnumMember | types.Integer) and plain != types.uint64:
        return types.int64
    return plain
