"""Two threads that tell each other of work in compiled code: what one writes before it tells, the other sees.

They share a baton, int64 [BATON]: how often the work was asked for, and how often it was done. Who waits looks at it
again and again, and now and then lets another thread have the core, which may be the one that it waits for.
"""

import os
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic

from oddville_env.core.compiled.jit import kernel

ASKED, DONE, BATON = 0, 16, 32  # two caches' lines apart, so that who writes one does not hinder who reads the other
CLOSED = -1  # asked: nobody will ask again
# How often one looks before one sleeps, some tenths of a millisecond: about what lies between two steps of random play.
LOOKS = 0 if config.DISABLE_JIT else 400_000
YIELD = 1_000  # looks between two such occasions
ALIGNMENT = 8  # bytes of a number in a baton


def new_baton() -> np.ndarray:
    """A baton of a work that was never asked for."""
    return np.zeros(BATON, np.int64)


if config.DISABLE_JIT:

    def _load(baton: Any, index: int) -> Any:
        return baton[index]

    def _store(baton: Any, index: int, number: int) -> None:
        baton[index] = number

    def _let_others() -> None:
        """Nothing: the interpreter lets others have their turn."""

else:

    @intrinsic  # type: ignore[untyped-decorator]
    def _load(typing: Any, baton: Any, index: Any) -> Any:
        """A number that another thread may just have written (acquire)."""

        def write(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            return builder.load_atomic(_place(context, builder, signature, values), "acquire", ALIGNMENT)

        return types.int64(baton, types.intp), write

    @intrinsic  # type: ignore[untyped-decorator]
    def _store(typing: Any, baton: Any, index: Any, number: Any) -> Any:
        """Write a number for another thread, after all that was written before (release)."""

        def write(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            builder.store_atomic(values[2], _place(context, builder, signature, values), "release", ALIGNMENT)
            return context.get_dummy_value()

        return types.void(baton, types.intp, types.int64), write

    @intrinsic  # type: ignore[untyped-decorator]
    def _let_others(typing: Any) -> Any:
        """Let another thread have the core, if one waits for it."""

        def write(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            name = "SwitchToThread" if os.name == "nt" else "sched_yield"
            of_system = cgutils.get_or_insert_function(builder.module, ir.FunctionType(ir.IntType(32), []), name)
            builder.call(of_system, [])
            return context.get_dummy_value()

        return types.void(), write

    def _place(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        """The address of a number in a baton."""
        baton = context.make_array(signature.args[0])(context, builder, values[0])
        return cgutils.get_item_pointer(context, builder, signature.args[0], baton, [values[1]], wraparound=False)


@kernel
def ask(baton):
    """Ask for the work once more."""
    _store(baton, ASKED, baton[ASKED] + 1)


@kernel
def is_done(baton):
    """The work that was asked for is done, or will be in a moment, for which this waits."""
    for look in range(LOOKS):
        if _load(baton, DONE) == baton[ASKED]:
            return True
        if look % YIELD == 0:
            _let_others()
    return _load(baton, DONE) == baton[ASKED]


@cache
def server(loop: Callable[..., None]) -> Callable[..., None]:
    """The kernel (baton, low, high, *arrays) that does a part of a loop whenever it is asked for, until nobody asks."""

    @kernel
    def serve(baton, low, high, *arrays):
        looks = LOOKS
        while looks >= 0:
            asked = _load(baton, ASKED)
            if asked == CLOSED:
                return
            if asked != baton[DONE]:
                loop(*arrays, low, high)
                _store(baton, DONE, asked)
                looks = LOOKS
            if looks % YIELD == 0:
                _let_others()
            looks -= 1

    return serve
