"""Compiled code that only other kernels call, kept as LLVM code: machine code is made where Python calls.

numba links each compiled function with all that it calls, optimises the whole and makes machine code of it. For a
kernel that Python never calls this is done in vain, for whatever calls it does all of it again; it would be half of
all compiling. So an inner kernel is linked, and no more.
"""

from types import FunctionType
from typing import Any

from llvmlite import binding, ir
from numba.core.cgutils import voidptr_t
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

ENVIRONMENT = "_ZN08NumbaEnv"  # how numba names the variable of each function in which Python's objects are found


class InnerLibrary(JITCodeLibrary):
    """The code of one inner kernel and of all that it calls, for the libraries of its callers."""

    _final_module: Any

    def finalize(self) -> None:
        """Link what the kernel calls, and make machine code of nothing but its variable for Python."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        self._put_code_aside()
        self._finalize_final_module()

    def _put_code_aside(self) -> None:
        """Keep the code for callers, several of whom may bring it along, and the variable for this process."""
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
    """numba's compiler, whose result is an inner library."""

    def compile_extra(self, func: FunctionType) -> Any:
        """Compile a function."""
        self.state.library = InnerLibrary(self.state.targetctx.codegen(), func.__qualname__)
        self.state.library.enable_object_caching()
        return super().compile_extra(func)
