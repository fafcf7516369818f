"""Progress of long work, on standard error."""

from contextlib import AbstractContextManager
from functools import cache
from typing import Any

from numba.core import event
from rich.console import Console
from rich.live import Live
from rich.spinner import Spinner

from oddville_env.core.compiled.jit import EVENT, NOTICE


@cache
def error_console() -> Console:
    """Return the one console on standard error, so that several progress lines stand below each other.

    It interprets no markup. In a notebook it prints plain text: rich's widgets need another package, and warn.
    """
    return Console(stderr=True, markup=False, emoji=False, highlight=False, force_jupyter=False)


def console_if(shown: bool) -> Console:
    """Return standard error, or a silent console."""
    return error_console() if shown else Console(quiet=True, force_jupyter=False)


class CompilingLine(event.Listener):
    """Shows that kernels are compiled: a moving line in a terminal, one line in a file."""

    def __init__(self) -> None:
        self._running = self._compiled = 0
        self._line: Live | None = None

    def on_start(self, event: Any) -> None:
        """Show a kernel that is about to be compiled, perhaps for another one."""
        self._running += 1
        self._compiled += 1
        text = f"compiling, once: function {self._compiled}"
        if not error_console().is_terminal:
            if self._compiled == 1:
                error_console().print("compiling, once: this takes up to a minute")
        elif self._line is None:
            self._line = Live(Spinner("dots", text), console=error_console(), transient=True)
            self._line.start()
            self._line.refresh()
        else:
            self._line.update(Spinner("dots", text), refresh=True)

    def on_end(self, event: Any) -> None:
        """Stop the line after the last kernel."""
        self._running -= 1
        if self._line is not None and not self._running:
            self._line.stop()
            self._line = None


def show_compiling() -> AbstractContextManager[Any]:
    """Show compiling in this block, instead of the library's notice."""
    NOTICE.is_printed = True
    listener: AbstractContextManager[Any] = event.install_listener(EVENT, CompilingLine())
    return listener
