"""Threads that share a compiled loop: it runs without the interpreter lock."""

import os
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from queue import SimpleQueue
from typing import Any

from oddville_env.core.compiled.spinning import CLOSED, DONE, REQUESTED, is_done, new_counters, request, server

PAUSE = 1e-5  # seconds between two polls of a thread that the system has suspended


@cache
def _pool(workers: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(workers, "oddville")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # a forked process has none of its parent's threads


def in_parts(work: Callable[[int, int], None], cuts: Sequence[int]) -> None:
    """Run work(cuts[k], cuts[k + 1]) for all k: the first part in this thread, the others in threads of a pool.

    What a part raises is raised after all parts have ended.
    """
    first, *others = pairwise(cuts)
    begun = [_pool(len(others)).submit(work, *part) for part in others]
    try:
        work(*first)
    finally:
        failures = [part.exception() for part in begun]  # waits for all
    for failure in filter(None, failures):
        raise failure


class RepeatedLoop:
    """A compiled loop (*arrays, low, high) that runs over the same arrays again and again, in parts.

    Waking a thread takes a tenth of the time of a step of a thousand games. Worker threads therefore spin briefly in
    compiled code before they sleep.
    """

    def __init__(self, loop: Callable[..., None], arrays: Sequence[Any], cuts: Sequence[int]) -> None:
        """The calling thread runs the part from cuts[0] to cuts[1], a thread of its own each other part."""
        self._loop, self._arrays, self._cuts = loop, arrays, cuts
        self._threads: list[_Worker] = []
        self._home = 0

    def __reduce__(self) -> tuple[Any, ...]:
        return RepeatedLoop, (self._loop, self._arrays, self._cuts)

    def __call__(self) -> None:
        """Run all parts once."""
        if self._home != os.getpid():  # first call, or a forked process without its parent's threads
            self._start()
        try:
            for thread in self._threads:
                thread.request()
            self._loop(*self._arrays, self._cuts[0], self._cuts[1])
        finally:
            self._wait()

    def _start(self) -> None:
        """Start all threads, or none: the system may refuse one, and an interrupt may come between two."""
        threads: list[_Worker] = []
        try:
            for part in pairwise(self._cuts[1:]):
                threads.append(_Worker(self._loop, self._arrays, *part))
        except BaseException:
            for thread in threads:
                thread.close()
            raise
        for thread in threads:
            weakref.finalize(self, thread.close)
        self._threads, self._home = threads, os.getpid()

    def _wait(self) -> None:
        """Wait for all parts, also after an interrupt."""
        try:
            for thread in self._threads:
                thread.wait()
        except BaseException:
            self._wait()
            raise


class _Worker:
    """A thread that runs one part of a repeated loop; it sleeps on the queue `_wake`."""

    def __init__(self, loop: Callable[..., None], arrays: Sequence[Any], low: int, high: int) -> None:
        self._serve, self._part = server(loop), (low, high, *arrays)
        self._counters = new_counters()
        self._wake: SimpleQueue[None] = SimpleQueue()  # of one thing at most; reentrant, for garbage collection
        self._failure: BaseException | None = None
        threading.Thread(target=self._run, name="oddville", daemon=True).start()

    def request(self) -> None:
        """Request the part, then wake the thread."""
        request(self._counters)
        self._wake_up()

    def wait(self) -> None:
        """Wait until the part is done; raises what it raised."""
        while not is_done(self._counters):
            self._wake_up()  # an interrupt may have come before it in `request`
            time.sleep(PAUSE)
        failure, self._failure = self._failure, None
        if failure:
            raise failure

    def close(self) -> None:
        """End the thread; garbage collection may call this in any thread, and in a forked process, which lacks it."""
        self._counters[REQUESTED] = CLOSED
        self._wake_up()

    def _wake_up(self) -> None:
        if self._wake.empty():
            self._wake.put(None)

    def _run(self) -> None:
        while self._counters[REQUESTED] != CLOSED:
            self._wake.get()
            while self._counters[REQUESTED] not in (self._counters[DONE], CLOSED):
                try:
                    self._serve(self._counters, *self._part)
                except BaseException as failure:
                    self._failure = failure
                    self._counters[DONE] = self._counters[REQUESTED]
