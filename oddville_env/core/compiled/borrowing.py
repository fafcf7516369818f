"""numba's compiler without reference counts where a kernel only borrows the arrays of its caller.

numba counts each array of a named tuple whenever the tuple is passed on, by atomic instructions that its pruning does
not reach: a sixth of the time of `search`. The caller keeps its arrays until the kernel returns, so that counts matter
only for what the kernel makes or returns.
"""

from collections.abc import Iterator
from typing import Any

from numba.core import ir
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import AnalysisPass, register_pass
from numba.core.typed_passes import AnnotateTypes

BORROWS = {"build_tuple", "cast", "exhaust_iter", "getattr", "getitem", "getiter", "iternext", "pair_first",
           "pair_second", "static_getitem"}  # fmt: skip
"""numba's operations that make no array, unless arrays are indices."""


@register_pass(mutates_CFG=False, analysis_only=True)
class BorrowArrays(AnalysisPass):
    """Compiles a kernel without reference counts if it makes and returns no array."""

    _name = "borrow_arrays"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        """Choose how code is made; the kernel is not changed."""
        models, types = state.targetctx.data_model_manager, state.typemap
        owned = [state.return_type, *(types[name] for name in _owned(state.func_ir))]
        if not any(models[each].contains_nrt_meminfo() for each in owned):
            state.targetctx = state.targetctx.subtarget(enable_nrt=False)
        return False


def _owned(func_ir: Any) -> Iterator[str]:
    """The variables that may hold an array of their own if their type has one, and those that are indices."""
    for block in func_ir.blocks.values():
        for assigned in block.find_insts(ir.Assign):
            if isinstance(assigned.value, ir.Expr) and assigned.value.op not in BORROWS:
                yield assigned.target.name
        for indexed in block.find_exprs("getitem"):
            yield indexed.index.name


class BorrowingCompiler(Compiler):
    """numba's compiler with this pass."""

    def define_pipelines(self) -> Any:
        """Return numba's pipelines, with the pass before code is made."""
        pipelines = super().define_pipelines()
        for each in pipelines:
            each.add_pass_after(BorrowArrays, AnnotateTypes)
            each.finalize()
        return pipelines
