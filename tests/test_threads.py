"""Threads that share work."""

import os
import threading

import pytest

from oddville_env.core.threads import in_parts


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
