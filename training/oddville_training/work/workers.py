"""Who does the work of a run: this process, several, or a cluster of Ray. What comes out does not depend on it.

Workers that are lost are replaced, and their jobs done again.
"""

import multiprocessing
import os
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import Any

from oddville_env.core.checks import whole_number
from oddville_env.core.errors import SettingError, shown
from oddville_env.core.extras import needs_extra
from oddville_env.core.processes import safe_path
from oddville_training.work.jobs import MOST_LOSSES, Job, WorkerError, Workers
from oddville_training.work.sandboxed import die_with_parent

MOST_WORKERS = 4096
PROCESSES = "processes"


def workers_of(number: int | None, executor: str, address: str | None) -> Workers:
    """The workers that options ask for; raises SettingError."""
    if number is not None:
        whole_number("workers", number, 1, MOST_WORKERS)
    if executor not in (PROCESSES, "ray"):
        raise SettingError(f"executor must be processes or ray, not {shown(executor)}")
    if executor == "ray":
        return on_ray(number, address)
    return on_this_machine(number or _cores())


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def here(jobs: Sequence[Job]) -> Iterator[Job]:
    """One worker, this process."""
    for job in jobs:
        yield job.finish(job.work(*job.arguments))


def processes(number: int, jobs: Sequence[Job]) -> Iterator[Job]:
    """So many workers on this machine. Raises WorkerError."""
    left = list(jobs)
    for _ in range(MOST_LOSSES):
        try:
            for job in _in_a_pool(number, left):
                left.remove(job)
                yield job
            return
        except BrokenProcessPool:
            continue
    raise WorkerError(f"workers died {MOST_LOSSES} times while they worked on {left[0].title}: is there enough memory?")


def _in_a_pool(number: int, jobs: Sequence[Job]) -> Iterator[Job]:
    with safe_path():
        pool = ProcessPoolExecutor(number, multiprocessing.get_context("spawn"), initializer=_begin)
    try:
        with safe_path():
            running: dict[Future[Any], Job] = {pool.submit(job.work, *job.arguments): job for job in jobs}
        while running:
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield running.pop(future).finish(future.result())
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _begin() -> None:
    """A worker ends with the process that started it, which alone hears Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with_parent()


def on_ray(number: int | None, address: str | None) -> Workers:
    """Workers on a cluster, or on one that is started here; raises SettingError where Ray is not installed."""
    with needs_extra("Ray needs", "ray"):
        from oddville_training.work.cluster import start, work
    start(number, address)
    return work


def on_this_machine(number: int) -> Workers:
    """So many workers here."""
    return here if number == 1 else partial(processes, number)
