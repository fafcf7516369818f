"""Spin-wait handshake between two threads in compiled code (acquire/release).

Two threads share counters, int64 [PAIR]: how often work was requested, and how often it was done. A waiting thread
polls a counter, and yields the core now and then. Two threads step 1,024 games 1.86 times as fast as one; those of a
thread pool 1.37 times (`features`; medians of nine pairs on two idle cores).
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

REQUESTED, DONE, PAIR = 0, 16, 32  # two cache lines apart: no false sharing
CLOSED = -1  # requested: there will be no more requests
# Polls before a thread sleeps: some tenths of a millisecond, about the time between two steps of random play.
POLLS = 0 if config.DISABLE_JIT else 400_000
YIELD = 1_000  # polls between two yields of the core
ALIGNMENT = 8  # bytes of a counter


def new_counters() -> np.ndarray:
    """Counters of work that was never requested."""
    return np.zeros(PAIR, np.int64)


if config.DISABLE_JIT:

    def _load(counters: Any, index: int) -> Any:
        return counters[index]

    def _store(counters: Any, index: int, number: int) -> None:
        counters[index] = number

    def _yield_core() -> None:
        """Nothing: the interpreter switches threads by itself."""

else:

    @intrinsic  # type: ignore[untyped-decorator]
    def _load(typing: Any, counters: Any, index: Any) -> Any:
        """Load a counter (acquire)."""

        def write(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            return builder.load_atomic(_place(context, builder, signature, values), "acquire", ALIGNMENT)

        return types.int64(counters, types.intp), write

    @intrinsic  # type: ignore[untyped-decorator]
    def _store(typing: Any, counters: Any, index: Any, number: Any) -> Any:
        """Store a counter (release)."""

        def write(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            builder.store_atomic(values[2], _place(context, builder, signature, values), "release", ALIGNMENT)
            return context.get_dummy_value()

        return types.void(counters, types.intp, types.int64), write

    @intrinsic  # type: ignore[untyped-decorator]
    def _yield_core(typing: Any) -> Any:
        def write(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            name = "SwitchToThread" if os.name == "nt" else "sched_yield"
            of_system = cgutils.get_or_insert_function(builder.module, ir.FunctionType(ir.IntType(32), []), name)
            builder.call(of_system, [])
            return context.get_dummy_value()

        return types.void(), write

    def _place(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        """The address of a counter."""
        counters = context.make_array(signature.args[0])(context, builder, values[0])
        return cgutils.get_item_pointer(context, builder, signature.args[0], counters, [values[1]], wraparound=False)


@kernel
def request(counters):
    """Request the work once more."""
    _store(counters, REQUESTED, counters[REQUESTED] + 1)


@kernel
def is_done(counters):
    """Whether the requested work is done, after some polls."""
    for poll in range(POLLS):
        if _load(counters, DONE) == counters[REQUESTED]:
            return True
        if poll % YIELD == 0:
            _yield_core()
    return _load(counters, DONE) == counters[REQUESTED]


@cache
def server(loop: Callable[..., None]) -> Callable[..., None]:
    """The kernel (counters, low, high, *arrays): runs a part of a loop at each request, until none comes in POLLS."""

    @kernel
    def serve(counters, low, high, *arrays):
        polls = POLLS
        while polls >= 0:
            requested = _load(counters, REQUESTED)
            if requested == CLOSED:
                return
            if requested != counters[DONE]:
                loop(*arrays, low, high)
                _store(counters, DONE, requested)
                polls = POLLS
            if polls % YIELD == 0:
                _yield_core()
            polls -= 1

    return serve
