"""A notice on standard error while kernels compile; commands show a progress line instead (`core.system.progress`)."""

import sys
import time
from typing import Any

from numba.core import event

PATIENCE = 2.0  # seconds of compiling, after which people would like to know
EVENT = "numba:compile"
SENTENCE = "oddville_env: compiling, once: this takes up to a minute"


class CompilingNotice(event.Listener):
    """Says once in a process, in one line on standard error, that kernels of this package take time to compile."""

    def __init__(self, ours: type) -> None:
        self.is_told = False
        self._ours, self._running = ours, 0
        self._begun = self._spent = 0.0

    def on_start(self, event: Any) -> None:
        """A kernel is about to be compiled, perhaps on the way to another one."""
        if isinstance(event.data.get("dispatcher"), self._ours):
            self._begun = self._begun if self._running else time.monotonic()
            self._running += 1

    def on_end(self, event: Any) -> None:
        """A kernel has been compiled."""
        if not isinstance(event.data.get("dispatcher"), self._ours):
            return
        self._running -= 1
        now = time.monotonic()
        if not self.is_told and self._spent + now - self._begun > PATIENCE:
            self.is_told = True
            if sys.stderr is not None:
                print(SENTENCE, file=sys.stderr, flush=True)
        if not self._running:
            self._spent += now - self._begun
