"""A notice on standard error while kernels compile; commands show a progress line instead (`core.system.progress`)."""

import sys
import time
from typing import Any

from numba.core import event

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
