"""Tells Ctrl-C apart from a KeyboardInterrupt that an agent's or a plug-in's code raises."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class _Signal:
    """Whether Ctrl-C is noted, and whether it came."""

    is_noted = came = False


@contextmanager
def listening() -> Iterator[None]:
    """Note in this block when Ctrl-C comes; it still raises KeyboardInterrupt."""
    if threading.current_thread() is not threading.main_thread() or _handler() is not signal.default_int_handler:
        yield  # only the main thread gets signals, and another handler is left alone
        return
    _Signal.is_noted, _Signal.came = True, False
    signal.signal(signal.SIGINT, _note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        _Signal.is_noted = False


def is_ctrl_c() -> bool:
    """Return whether the KeyboardInterrupt that was just raised is a Ctrl-C, as far as can be known."""
    if threading.current_thread() is not threading.main_thread() or _handler() is signal.SIG_IGN:
        return False
    return _Signal.came or not _Signal.is_noted


def _handler() -> object:
    return signal.getsignal(signal.SIGINT)


def _note(*_: object) -> None:
    _Signal.came = True
    raise KeyboardInterrupt
