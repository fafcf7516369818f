"""Repeated loops run in parts by threads that spin before they sleep."""

import copy
import gc
import os
import threading
import time
from collections.abc import Callable

import numpy as np
import pytest
from numba.core.errors import TypingError

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.compiled.threads import RepeatedLoop, _Worker


@kernel
def count_up(numbers, low, high):
    """Add one to numbers [N]."""
    for index in range(low, high):
        numbers[index] += 1


def counting(size: int = 10) -> tuple[np.ndarray, RepeatedLoop]:
    numbers = np.zeros(size, np.int64)
    return numbers, RepeatedLoop(count_up, (numbers,), [0, 4, 8, size])


def until(holds: Callable[[], bool]) -> bool:
    """Whether it comes true within a minute."""
    end = time.monotonic() + 60
    while not holds() and time.monotonic() < end:
        time.sleep(0.001)
    return holds()


@pytest.mark.parametrize("pause", [0.0, 0.005], ids=["awake", "asleep"])
def test_all_parts_run_whether_threads_spin_or_sleep(pause: float) -> None:
    numbers, repeat = counting()
    for times in range(1, 200 if not pause else 20):
        repeat()
        assert (numbers == times).all()
        time.sleep(pause)


@pytest.mark.parametrize("pause", [0.0, 0.05], ids=["awake", "asleep"])
def test_threads_end_with_their_loop(pause: float) -> None:
    before = set(threading.enumerate())
    _, repeat = counting()
    repeat()
    time.sleep(pause)
    own = set(threading.enumerate()) - before
    assert len(own) == 2
    del repeat
    gc.collect()
    assert until(lambda: not any(thread.is_alive() for thread in own))


def test_copy_has_its_own_arrays_and_threads() -> None:
    numbers, repeat = counting()
    repeat()
    others, again = copy.deepcopy((numbers, repeat))
    again()
    assert (numbers == 1).all()
    assert (others == 2).all()


def test_error_of_a_part_is_raised_after_all_parts() -> None:
    class Unwell:
        """Arguments that cannot be handed over."""

    with pytest.raises((TypeError, TypingError)):
        RepeatedLoop(count_up, (Unwell(),), [0, 1, 2])()


def test_interrupt_between_two_requests_is_raised_after_all_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers, repeat = counting(50_000_000)
    repeat()
    request = _Worker.request

    def interrupted(thread: _Worker) -> None:
        request(thread)
        raise KeyboardInterrupt

    monkeypatch.setattr(_Worker, "request", interrupted)
    with pytest.raises(KeyboardInterrupt):
        repeat()
    assert (numbers[4:8] == 2).all()


class InterruptedLock:
    """A lock whose next release is interrupted before or after it."""

    def __init__(self, lock: threading.Lock, late: bool) -> None:
        self._lock, self._late, self._pending = lock, late, True

    def release(self) -> None:
        pending, self._pending = self._pending, False
        if pending and not self._late:
            raise KeyboardInterrupt
        self._lock.release()
        if pending:
            raise KeyboardInterrupt

    def acquire(self) -> bool:
        return self._lock.acquire()

    def locked(self) -> bool:
        return self._lock.locked()


@pytest.mark.parametrize("late", [False, True], ids=["before", "after"])
def test_interrupt_while_waking_a_thread_causes_no_deadlock(late: bool) -> None:
    numbers, repeat = counting()
    repeat()
    thread = repeat._threads[0]
    assert until(lambda: not thread._awake)
    thread._wake = InterruptedLock(thread._wake, late)

    def interrupted_and_twice_more() -> None:
        with pytest.raises(KeyboardInterrupt):
            repeat()
        numbers[:] = 0
        repeat()
        repeat()

    other = threading.Thread(target=interrupted_and_twice_more, daemon=True)
    other.start()
    other.join(20)
    assert (numbers == 2).all()


def test_garbage_collection_in_a_worker_thread_causes_no_deadlock() -> None:
    """The collector may run in a thread that holds the lock."""
    _, repeat = counting()
    repeat()
    thread = repeat._threads[0]

    def collected() -> None:
        with thread._turn:
            thread.close()

    other = threading.Thread(target=collected, daemon=True)
    other.start()
    other.join(20)
    assert not other.is_alive()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks here")
def test_forked_process_starts_threads_of_its_own() -> None:
    numbers, repeat = counting()
    repeat()
    child = os.fork()
    if child == 0:
        repeat()
        del repeat
        gc.collect()
        os._exit(0 if (numbers == 2).all() else 1)
    assert os.waitpid(child, 0)[1] == 0
    repeat()
    assert (numbers == 2).all()
