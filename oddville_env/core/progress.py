"""What people see of work that takes its time, on standard error."""

from contextlib import AbstractContextManager
from functools import cache
from typing import Any

from numba.core import event
from rich.console import Console
from rich.status import Status


@cache
def error_console() -> Console:
    """Standard error, one for all, so that lines that move stand below each other. What is told is no markup."""
    return Console(stderr=True, markup=False, emoji=False, highlight=False)


class CompilingLine(event.Listener):
    """Says that kernels are being compiled: in a line that moves in a terminal, once in a file."""

    def __init__(self) -> None:
        self._running = self._compiled = 0
        self._status: Status | None = None

    def on_start(self, event: Any) -> None:
        """A kernel is about to be compiled, perhaps on the way to another one."""
        self._running += 1
        self._compiled += 1
        told = f"compiling, once: {self._compiled} functions"
        if not error_console().is_terminal:
            if self._compiled == 1:
                error_console().print("compiling, once: this takes up to a minute")
        elif self._status is None:
            self._status = error_console().status(told)
            self._status.start()
        else:
            self._status.update(told)

    def on_end(self, event: Any) -> None:
        """A kernel has been compiled."""
        self._running -= 1
        if self._status is not None and not self._running:
            self._status.stop()
            self._status = None


def compiling_told() -> AbstractContextManager[Any]:
    """Say it when kernels are compiled in this block."""
    told: AbstractContextManager[Any] = event.install_listener("numba:compile", CompilingLine())
    return told
