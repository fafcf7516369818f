"""Threads that share work in compiled code, which runs without the interpreter's lock."""

import os
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from typing import Any

from oddville_env.core.compiled.spin_wait import ASKED, CLOSED, DONE, ask, is_done, new_baton, server

PAUSE = 1e-5  # seconds between two looks at a thread that the machine has put aside


@cache
def _pool(workers: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(workers, "oddville")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # a fork of this process has none of its threads


def in_parts(work: Callable[[int, int], None], cuts: Sequence[int]) -> None:
    """Do work(cuts[k], cuts[k + 1]) for all k: the first part in this thread, the others beside it."""
    first, *others = pairwise(cuts)
    begun = [_pool(len(others)).submit(work, *part) for part in others]
    try:
        work(*first)
    finally:
        failures = [part.exception() for part in begun]  # waits for all, whatever happens
    for failure in filter(None, failures):
        raise failure


class RepeatedLoop:
    """A compiled loop (*arrays, low, high) that is done over the same arrays again and again, in parts.

    To wake a thread takes a tenth of what a thousand games take for a step. So a thread that has done its part looks
    out for the next one for a moment, in compiled code, before it sleeps.
    """

    def __init__(self, loop: Callable[..., None], arrays: Sequence[Any], cuts: Sequence[int]) -> None:
        """The part from cuts[0] to cuts[1] is done by whoever calls, each other part by a thread of its own."""
        self._loop, self._arrays, self._cuts = loop, arrays, cuts
        self._threads: list[_Repeater] = []
        self._home = 0

    def __reduce__(self) -> tuple[Any, ...]:
        return RepeatedLoop, (self._loop, self._arrays, self._cuts)

    def __call__(self) -> None:
        """Do all parts once."""
        if self._home != os.getpid():  # at first, and in a fork, which has none of its parent's threads
            self._start()
        try:
            for thread in self._threads:
                thread.ask()
            self._loop(*self._arrays, self._cuts[0], self._cuts[1])
        finally:
            self._wait()

    def _start(self) -> None:
        """Start all threads, or none: the machine may have no more, and an interrupt may come between two."""
        threads: list[_Repeater] = []
        try:
            for part in pairwise(self._cuts[1:]):
                threads.append(_Repeater(self._loop, self._arrays, *part))
        except BaseException:
            for thread in threads:
                thread.close()
            raise
        for thread in threads:
            weakref.finalize(self, thread.close)
        self._threads, self._home = threads, os.getpid()

    def _wait(self) -> None:
        """Nobody goes on before all parts have ended, whatever happens."""
        try:
            for thread in self._threads:
                thread.wait()
        except BaseException:
            self._wait()
            raise


class _Repeater:
    """A thread that does one part of a repeated loop.

    When it sleeps it waits for a bell, a lock that whoever wakes it lets go.
    """

    def __init__(self, loop: Callable[..., None], arrays: Sequence[Any], low: int, high: int) -> None:
        self._serve, self._part = server(loop), (low, high, *arrays)
        self._baton = new_baton()
        self._bell, self._turn = threading.Lock(), threading.RLock()  # one may close it who holds its turn
        self._bell.acquire()
        self._awake = False
        self._home = os.getpid()
        self._failure: BaseException | None = None
        threading.Thread(target=self._live, name="oddville", daemon=True).start()

    def ask(self) -> None:
        """Wake who sleeps, and ask for the part: if an interrupt comes between, nobody waits for what sleeps."""
        with self._turn:
            self._wake()
            ask(self._baton)

    def wait(self) -> None:
        """Wait until the part is done; raises what was raised in it."""
        while not is_done(self._baton):
            time.sleep(PAUSE)
        failure, self._failure = self._failure, None
        if failure:
            raise failure

    def close(self) -> None:
        """End the thread, if it is one of this process: a fork has its parent's objects, but not their threads.

        Garbage collection may do so in any thread, this one too.
        """
        if self._home == os.getpid():
            with self._turn:
                self._baton[ASKED] = CLOSED
                self._wake()

    def _wake(self) -> None:
        if not self._awake:
            if self._bell.locked():  # else an interrupt came after it was last let go
                self._bell.release()
            self._awake = True

    def _live(self) -> None:
        while self._baton[ASKED] != CLOSED and self._bell.acquire():
            while self._is_asked():
                self._do_part()

    def _is_asked(self) -> bool:
        """Something came up between the last look and now; else the thread sleeps."""
        with self._turn:
            self._awake = self._baton[ASKED] not in (self._baton[DONE], CLOSED)
            return self._awake

    def _do_part(self) -> None:
        try:
            self._serve(self._baton, *self._part)
        except BaseException as failure:
            self._failure = failure
            self._baton[DONE] = self._baton[ASKED]
