"""The one decorator of compiled code.

Its dispatcher uses internal parts of numba, so it serves the version that it was tried with. With another version a
kernel is a plain `njit` function: everything works, but every process compiles its kernels.
"""

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import numba
from numba import config, njit
from numba.core import event
from numba.core.dispatcher import Dispatcher

from oddville_env.core.compiled.notice import EVENT, CompilingNotice

TRIED = "0.68"  # of numba; `make test-newest` tries another version
UNTRIED = (
    f"numba {numba.__version__} was not tried with oddville-env, {TRIED} was: "
    "compiled code is not kept on disk, and every process compiles its own"
)

Function = TypeVar("Function", bound=Callable[..., object])

_compiled: Callable[[Any], Any]
if numba.__version__.startswith(f"{TRIED}."):
    from oddville_env.core.compiled.dispatcher import OPTIONS, Compiled, Kernel

    _compiled, NOTICE = partial(Kernel, targetoptions=OPTIONS), CompilingNotice(Compiled)
else:
    warnings.warn(UNTRIED, stacklevel=2)
    _compiled, NOTICE = njit(nogil=True, error_model="numpy"), CompilingNotice(Dispatcher)
event.register(EVENT, NOTICE)


def kernel(function: Function) -> Function:
    """Compile a function of numbers, arrays and records.

    It runs without the interpreter lock, and divides as numpy does.

    Args:
        function: The function; it reads constants and calls other kernels only.

    Returns:
        The compiled function, or with NUMBA_DISABLE_JIT the function itself.
    """
    return function if config.DISABLE_JIT else _compiled(function)
