"""Threads that share a compiled loop: it runs without the interpreter lock."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise


@cache
def _pool(workers: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(workers, "oddville")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # a forked process has none of its parent's threads


def in_parts(work: Callable[[int, int], None], cuts: Sequence[int]) -> None:
    """Run work(cuts[k], cuts[k + 1]) for all k: the first part in this thread, the others in threads of a pool.

    Raises:
        BaseException: What a part raised, after all parts have ended.
    """
    first, *others = pairwise(cuts)
    begun = [_pool(len(others)).submit(work, *part) for part in others]
    try:
        work(*first)
    finally:
        failures = [part.exception() for part in begun]  # waits for all
    for failure in filter(None, failures):
        raise failure
