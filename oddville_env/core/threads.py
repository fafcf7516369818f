"""Threads that share work in compiled code, which runs without the interpreter's lock."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise


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
