"""Ctrl-C of a person, told apart from a KeyboardInterrupt that somebody's code raises."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class _Ear:
    """Who listens to Ctrl-C, and whether it came."""

    listens = heard = False


@contextmanager
def listening() -> Iterator[None]:
    """Note in this block when Ctrl-C comes, which raises KeyboardInterrupt as ever."""
    if threading.current_thread() is not threading.main_thread() or _handler() is not signal.default_int_handler:
        yield  # only the main thread hears signals, and somebody else has decided what becomes of them
        return
    _Ear.listens, _Ear.heard = True, False
    signal.signal(signal.SIGINT, _hear)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        _Ear.listens = False


def is_ctrl_c() -> bool:
    """A KeyboardInterrupt that has just come up is a person's Ctrl-C, as far as one can know."""
    if threading.current_thread() is not threading.main_thread() or _handler() is signal.SIG_IGN:
        return False
    return _Ear.heard or not _Ear.listens


def _handler() -> object:
    return signal.getsignal(signal.SIGINT)


def _hear(*_: object) -> None:
    _Ear.heard = True
    raise KeyboardInterrupt
