"""Work shared between threads."""

import os
import threading

import pytest

from oddville_env.core.compiled.threads import in_parts


def test_each_part_is_done_once_by_a_thread_of_its_own() -> None:
    done: dict[tuple[int, int], int] = {}
    together = threading.Barrier(3)

    def work(low: int, high: int) -> None:
        together.wait(60)  # passes only if all three are at work
        done[low, high] = threading.get_ident()

    in_parts(work, [0, 4, 8, 10])
    assert sorted(done) == [(0, 4), (4, 8), (8, 10)]
    assert len(set(done.values())) == 3
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


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks here")
def test_forked_processes_start_threads_of_their_own() -> None:
    in_parts(lambda low, high: None, [0, 1, 2])
    child = os.fork()
    if child == 0:
        done: list[int] = []
        in_parts(lambda low, high: done.append(low), [0, 1, 2])
        os._exit(0 if sorted(done) == [0, 1] else 1)
    assert os.waitpid(child, 0)[1] == 0
