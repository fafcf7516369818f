"""Compiled code that only other kernels call: kept as LLVM code, without machine code of its own.

numba links each compiled function with all its callees, optimises the whole and makes machine code of it. For a kernel
that Python never calls this is wasted, as its callers do it again; it would be half of all compiling. An inner kernel
is therefore linked only.
"""

from types import FunctionType
from typing import Any

from llvmlite import binding, ir
from numba.core.cgutils import voidptr_t
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

ENVIRONMENT = "_ZN08NumbaEnv"  # how the variable of each function begins that points to its Python objects


class InnerLibrary(JITCodeLibrary):
    """The code of an inner kernel and its callees, for the libraries of its callers."""

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


class InnerCompiler(Compiler):
    """numba's compiler, with an inner library as its result."""

    def compile_extra(self, func: FunctionType) -> Any:
        """Compile a function into an inner library."""
        self.state.library = InnerLibrary(self.state.targetctx.codegen(), func.__qualname__)
        self.state.library.enable_object_caching()
        return super().compile_extra(func)
