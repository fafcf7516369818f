"""The one decorator of compiled code.

Its dispatcher uses internal parts of numba, so it serves the version that it was tried with. With another version a
kernel is a plain `njit` function: everything works, but every process compiles its kernels.
"""

import sys
import time
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import numba
from numba import config, njit
from numba.core import event
from numba.core.dispatcher import Dispatcher

PATIENCE = 2.0  # seconds of compiling before the notice
EVENT = "numba:compile"
SENTENCE = "oddville_env: compiling, once: this takes up to a minute"


class CompilingNotice(event.Listener):
    """Prints one line in a process, on standard error, when kernels take time to compile."""

    def __init__(self, kernels: type) -> None:
        """kernels: the class of the compiled functions that count."""
        self.is_printed = False
        self._kernels, self._running = kernels, 0
        self._begun = self._spent = 0.0

    def on_start(self, event: Any) -> None:
        """Count a kernel that is about to be compiled, perhaps for another one."""
        if isinstance(event.data.get("dispatcher"), self._kernels):
            self._begun = self._begun if self._running else time.monotonic()
            self._running += 1

    def on_end(self, event: Any) -> None:
        """Print the notice if compiling has taken longer than PATIENCE."""
        if not isinstance(event.data.get("dispatcher"), self._kernels):
            return
        self._running -= 1
        now = time.monotonic()
        if not self.is_printed and self._spent + now - self._begun > PATIENCE:
            self.is_printed = True
            if sys.stderr is not None:
                print(SENTENCE, file=sys.stderr, flush=True)
        if not self._running:
            self._spent += now - self._begun


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
