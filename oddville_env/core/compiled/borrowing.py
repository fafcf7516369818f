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
from numba.core.types import Array, BoundFunction, Type, containers, iterators

BORROWS = {"build_tuple", "cast", "exhaust_iter", "getattr", "getitem", "getiter", "iternext", "pair_first",
           "pair_second", "static_getitem"}  # fmt: skip
"""numba's operations on borrowed arrays that make no array, unless arrays are indices."""
BORROWED = Array, iterators.ArrayIterator, BoundFunction, containers.Pair, containers.UniTupleIter
"""Types of arrays and of what passes them on. Texts, lists, generators and others are counted by their own code."""
RAISES = ir.DynamicRaise, ir.DynamicTryRaise
"""Exceptions with values that are known in a call only, for which numba needs memory."""


@register_pass(mutates_CFG=False, analysis_only=True)
class BorrowArrays(AnalysisPass):
    """Compiles a kernel without reference counts if it only borrows arrays: it makes, returns and assigns none."""

    _name = "borrow_arrays"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        """Choose how code is made; the kernel is not changed."""
        models, types_of, func_ir = state.targetctx.data_model_manager, state.typemap, state.func_ir

        def is_held(type_: Type) -> bool:
            return bool(models[type_].contains_nrt_meminfo())

        def is_borrowed(type_: Type) -> bool:
            if isinstance(type_, containers.BaseTuple):
                return all(map(is_borrowed, type_.types))
            return isinstance(type_, BORROWED) or not is_held(type_)

        counted = [state.return_type, *(types_of[name] for name in _counted(func_ir))]
        raises = any(any(block.find_insts(RAISES)) for block in func_ir.blocks.values())
        if any(map(is_held, counted)) or raises or func_ir.is_generator or not all(map(is_borrowed, types_of.values())):
            return False
        state.targetctx = state.targetctx.subtarget(enable_nrt=False)
        return False


def _counted(func_ir: Any) -> Iterator[str]:
    """The variables that need counts if they have arrays: made here, indices, or copied from."""
    for block in func_ir.blocks.values():
        for assigned in block.find_insts(ir.Assign):
            if isinstance(assigned.value, ir.Expr) and assigned.value.op not in BORROWS:
                yield assigned.target.name
        for indexed in block.find_exprs("getitem"):
            yield indexed.index.name
        for copied in block.find_insts((ir.SetItem, ir.StaticSetItem)):
            yield copied.value.name


class BorrowingCompiler(Compiler):
    """numba's compiler with this pass."""

    def define_pipelines(self) -> Any:
        """Return numba's pipelines, with the pass before code is made."""
        pipelines = super().define_pipelines()
        for each in pipelines:
            each.add_pass_after(BorrowArrays, AnnotateTypes)
            each.finalize()
        return pipelines
