"""Threads that share work."""

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
from oddville_env.core.compiled.threads import RepeatedLoop, _Repeater, in_parts


def test_all_parts_are_done_and_each_by_one_thread() -> None:
    done: dict[tuple[int, int], int] = {}
    together = threading.Barrier(3)

    def work(low: int, high: int) -> None:
        together.wait(60)  # nobody comes past here unless all three are at work
        done[low, high] = threading.get_ident()

    in_parts(work, [0, 4, 8, 10])
    assert sorted(done) == [(0, 4), (4, 8), (8, 10)]
    assert len(set(done.values())) == 3
    assert done[0, 4] == threading.get_ident()


def test_what_one_part_raises_is_raised_when_all_have_ended() -> None:
    ended = []

    def work(low: int, high: int) -> None:
        if low:
            ended.append(low)
        raise ValueError(f"part {low}")

    with pytest.raises(ValueError, match="part 0"):
        in_parts(work, [0, 1, 2, 3])
    assert sorted(ended) == [1, 2]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks here")
def test_threads_work_in_a_fork_of_a_process_that_has_used_them() -> None:
    in_parts(lambda low, high: None, [0, 1, 2])
    child = os.fork()
    if child == 0:
        done: list[int] = []
        in_parts(lambda low, high: done.append(low), [0, 1, 2])
        os._exit(0 if sorted(done) == [0, 1] else 1)
    assert os.waitpid(child, 0)[1] == 0


@kernel
def count_up(numbers, low, high):
    """Add one to numbers [N]."""
    for index in range(low, high):
        numbers[index] += 1


def counting(size: int = 10) -> tuple[np.ndarray, RepeatedLoop]:
    numbers = np.zeros(size, np.int64)
    return numbers, RepeatedLoop(count_up, (numbers,), [0, 4, 8, size])


def until(holds: Callable[[], bool]) -> bool:
    """It comes true within a minute."""
    end = time.monotonic() + 60
    while not holds() and time.monotonic() < end:
        time.sleep(0.001)
    return holds()


@pytest.mark.parametrize("pause", [0.0, 0.005], ids=["awake", "asleep"])
def test_a_loop_is_repeated_in_all_its_parts_by_threads_that_are_awake_or_asleep(pause: float) -> None:
    numbers, repeat = counting()
    for times in range(1, 200 if not pause else 20):
        repeat()
        assert (numbers == times).all()
        time.sleep(pause)


@pytest.mark.parametrize("pause", [0.0, 0.05], ids=["awake", "asleep"])
def test_the_threads_of_a_repeated_loop_end_with_it(pause: float) -> None:
    before = set(threading.enumerate())
    _, repeat = counting()
    repeat()
    time.sleep(pause)
    own = set(threading.enumerate()) - before
    assert len(own) == 2
    del repeat
    gc.collect()
    assert until(lambda: not any(thread.is_alive() for thread in own))


def test_a_copy_of_a_repeated_loop_has_arrays_and_threads_of_its_own() -> None:
    numbers, repeat = counting()
    repeat()
    others, again = copy.deepcopy((numbers, repeat))
    again()
    assert (numbers == 1).all()
    assert (others == 2).all()


def test_what_a_part_of_a_repeated_loop_raises_is_raised_when_all_have_ended() -> None:
    class Unwell:
        """Arguments that cannot be handed over."""

    with pytest.raises((TypeError, TypingError)):
        RepeatedLoop(count_up, (Unwell(),), [0, 1, 2])()


def test_a_repeated_loop_does_no_less_than_all_after_a_thread_could_not_be_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = set(threading.enumerate())
    numbers, repeat = counting()
    start, started = threading.Thread.start, []

    def fails_the_second_time(thread: threading.Thread) -> None:
        started.append(thread)
        if len(started) == 2:
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", fails_the_second_time)
    with pytest.raises(RuntimeError):
        repeat()
    assert until(lambda: set(threading.enumerate()) <= before)
    repeat()
    assert (numbers == 1).all()


def test_an_interrupt_between_two_parts_that_are_asked_for_is_raised_when_all_have_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    numbers, repeat = counting(50_000_000)
    repeat()
    ask = _Repeater.ask

    def interrupted(thread: _Repeater) -> None:
        ask(thread)
        raise KeyboardInterrupt

    monkeypatch.setattr(_Repeater, "ask", interrupted)
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
def test_an_interrupt_while_a_thread_is_woken_leaves_no_loop_that_waits_for_ever(late: bool) -> None:
    numbers, repeat = counting()
    repeat()
    thread = repeat._threads[0]
    assert until(lambda: not thread._awake)
    thread._bell = InterruptedLock(thread._bell, late)

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


def test_a_loop_that_garbage_collection_ends_in_one_of_its_threads_hinders_nobody() -> None:
    """The collector runs wherever there is something new, also between two lines of a thread that holds its lock."""
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
def test_a_repeated_loop_goes_on_in_a_fork_of_its_process() -> None:
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
