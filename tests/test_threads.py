"""Threads share work, and child processes import modules from the current folder only if the user names them."""

import copy
import gc
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import numpy as np
import pytest
from numba.core.errors import TypingError

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.compiled.spinning import CLOSED, REQUESTED
from oddville_env.core.compiled.threads import RepeatedLoop, _Worker, in_parts
from support.shadows import ran, write_shadows


@kernel
def count_up(numbers, low, high):
    for index in range(low, high):
        numbers[index] += 1


def counting(size: int = 10) -> tuple[np.ndarray, RepeatedLoop]:
    numbers = np.zeros(size, np.int64)
    return numbers, RepeatedLoop(count_up, (numbers,), [0, 4, 8, size])


ASLEEP = 0.05  # seconds after which a thread without work sleeps


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


class InterruptedQueue(SimpleQueue[None]):
    """A queue of which the next `put` is interrupted before or after it."""

    def __init__(self, late: bool) -> None:
        self._late, self._pending = late, True

    def put(self, *told: Any) -> None:
        pending, self._pending = self._pending, False
        if pending and not self._late:
            raise KeyboardInterrupt
        super().put(*told)
        if pending:
            raise KeyboardInterrupt


@pytest.mark.parametrize("late", [False, True], ids=["before", "after"])
def test_interrupt_while_waking_a_thread_causes_no_deadlock(late: bool) -> None:
    numbers, repeat = counting()
    repeat()
    thread = repeat._threads[0]
    thread._wake, before = InterruptedQueue(late), thread._wake
    before.put(None)  # from now on the thread waits for the other queue
    time.sleep(ASLEEP)

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


def test_garbage_collection_while_a_thread_is_woken_causes_no_deadlock() -> None:
    """The collector may run between any two steps of a call, in any thread."""
    _, repeat = counting()
    repeat()
    thread = repeat._threads[0]

    class Collected(SimpleQueue[None]):
        def empty(self) -> bool:
            if thread._counters[REQUESTED] != CLOSED:
                thread.close()
            return super().empty()

    thread._wake, before = Collected(), thread._wake
    before.put(None)
    other = threading.Thread(target=thread._wake_up, daemon=True)
    other.start()
    other.join(20)
    assert not other.is_alive()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks here")
def test_forked_process_starts_threads_of_its_own() -> None:
    (numbers, repeat), done = counting(), list[int]()
    repeat()
    in_parts(lambda low, high: None, [0, 1, 2])
    child = os.fork()
    if child == 0:
        repeat()
        del repeat
        gc.collect()
        in_parts(lambda low, high: done.append(low), [0, 1, 2])
        os._exit(0 if (numbers == 2).all() and sorted(done) == [0, 1] else 1)
    assert os.waitpid(child, 0)[1] == 0
    repeat()
    assert (numbers == 2).all()


PROGRAM = Path(sys.executable).with_name("oddville")
AGENT = "def first(observation, mask):\n    return int(mask.argmax())\n"


@pytest.fixture(autouse=True)
def folder(workdir: Path) -> None:
    """A folder with an agent, and with modules that shadow others."""
    write_shadows(workdir)
    Path("mine.py").write_text(AGENT)


def program(*words: object) -> str:
    if not PROGRAM.exists():
        pytest.skip("the program is not installed")
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=500, check=False)
    assert not ran(Path())
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(("needed", "words"), [
    ("polars", "tournament ./mine.py:first mine:first --blocks 1 --workers 2 --out cup"),
    ("torch", "imitate random --games 1 --workers 2 --out data"),
    ("numba", "simulate --agents mine:first,random --games 1"),
])  # fmt: skip
def test_processes_import_from_the_current_folder_only_named_modules(needed: str, words: str) -> None:
    pytest.importorskip(needed)
    program(*words.split())


def test_process_that_is_measured_is_not_given_modules_of_the_current_folder() -> None:
    from oddville_env.cli.commands.bench import _process

    _process("import struct, tempfile")
    assert not ran(Path())


def test_environment_is_unchanged_when_a_library_has_started_its_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    from oddville_env.core.system.processes import VARIABLE, safe_path

    for before in ("", "0", None):
        if before is not None:
            monkeypatch.setenv(VARIABLE, before)
        else:
            monkeypatch.delenv(VARIABLE, raising=False)
        with safe_path():
            assert os.environ[VARIABLE] == "1"
        assert os.environ.get(VARIABLE) == before


def test_each_part_is_done_once_by_a_thread_of_its_own() -> None:
    done: dict[tuple[int, int], int] = {}
    together = threading.Barrier(3)

    def work(low: int, high: int) -> None:
        together.wait(60)  # passes only if all three are at work
        done[low, high] = threading.get_ident()

    in_parts(work, [0, 4, 8, 10])
    assert (sorted(done), len(set(done.values()))) == ([(0, 4), (4, 8), (8, 10)], 3)
    assert done[0, 4] == threading.get_ident()


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_errors_of_a_part_are_raised_after_all_parts_have_ended(error: type[BaseException]) -> None:
    ended = []

    def work(low: int, high: int) -> None:
        if low:
            ended.append(low)
        raise error(f"part {low}")

    with pytest.raises(error, match="part 0"):
        in_parts(work, [0, 1, 2, 3])
    assert sorted(ended) == [1, 2]
