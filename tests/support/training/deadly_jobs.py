"""Jobs that end their worker. They stand alone: a worker loads their module, and each time anew if it was ended."""

import os
import signal
from pathlib import Path


def give_up(path: str) -> int:
    if not Path(path).exists():
        Path(path).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return 7


def give_up_always() -> None:
    os.kill(os.getpid(), signal.SIGKILL)
