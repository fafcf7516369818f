"""Pools of workers: this process, several, or a cluster of Ray. What comes out does not depend on which.

Workers that are lost are replaced, and their jobs done again.
"""

import multiprocessing
import os
import signal
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from time import monotonic
from typing import Any, NamedTuple

from oddville_env.core.checked.settings import whole_number
from oddville_env.core.errors import GameError, SettingError, shown
from oddville_env.core.system.extras import needs_extra
from oddville_env.core.system.processes import cores, safe_path
from oddville_training.work.jobs import MOST_LOSSES, Job, Pool, Workers
from oddville_training.work.sandboxed import die_with_parent

MOST_WORKERS = 4096
PROCESSES, RAY = "processes", "ray"
FAREWELL_S = 2.0  # until a worker that was told to stop has ended what it started

ENDINGS: list[Callable[[], None]] = []
"""Called in a worker's process before it ends."""


class InProcess(Pool):
    """One worker: this process."""

    def submit(self, job: Job) -> None:
        """Keep the job for `wait`."""
        self._job = job

    def wait(self) -> tuple[Job, Any]:
        """Do the job; returns it and what was found."""
        return self._job, self._job.work(*self._job.arguments)

    def rest(self) -> None:
        """Nothing is unfinished."""


class WorkerProcess(NamedTuple):
    """A process that works, and the pipe to it."""

    process: SpawnProcess
    pipe: "Connection[Any, Any]"


class Task(NamedTuple):
    """A job that a worker has, and how many workers died with it before."""

    worker: WorkerProcess
    job: Job
    losses: int


class ProcessPool(Pool):
    """Workers on this machine, started when there is work."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._idle: list[WorkerProcess] = []
        self._busy: dict[Any, Task] = {}  # by pipe

    def submit(self, job: Job, losses: int = 0) -> None:
        """Send a job to a worker, which is started if none is idle; losses: workers that died with it before."""
        worker = self._idle.pop() if self._idle else _start()
        self._busy[worker.pipe] = Task(worker, job, losses)
        with suppress(OSError):  # where it has died: `wait` will see it
            worker.pipe.send((job.work, job.arguments))

    def wait(self) -> tuple[Job, Any]:
        """The next job that is done, and what was found. Raises WorkerError, and what the job raises."""
        while True:
            task = self._busy.pop(wait(list(self._busy))[0])
            try:
                found, error = task.worker.pipe.recv()
            except (EOFError, OSError):
                self._submit_again(task)
                continue
            self._idle.append(task.worker)
            if isinstance(error, GameError):
                raise error
            if error is not None:
                raise RuntimeError(f"a worker failed:\n{error}")
            return task.job, found

    def _submit_again(self, lost: Task) -> None:
        """A worker has died with a job."""
        lost.worker.process.join()
        losses, code = lost.losses + 1, lost.worker.process.exitcode
        if losses > MOST_LOSSES:
            raise lost.job.lost(f"{losses} workers died one after the other, the last with exit code {code}")
        self.submit(lost.job, losses)

    def rest(self) -> None:
        """End the processes, which frees their memory."""
        workers = [*self._idle, *(task.worker for task in self._busy.values())]
        self._idle, self._busy = [], {}
        for worker in workers:
            worker.process.terminate()
        until = monotonic() + FAREWELL_S
        for worker in workers:
            worker.process.join(max(until - monotonic(), 0))
            worker.process.kill()  # it may be deep in compiled code, where nothing is heard
            worker.process.join()
            worker.pipe.close()


def _start() -> WorkerProcess:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=work, args=(theirs,), daemon=False)
    with safe_path(), _no_interrupts():
        process.start()
    theirs.close()
    return WorkerProcess(process, ours)


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Processes started here do not hear Ctrl-C, from their first moment on: the one that started them ends them."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def work(pipe: "Connection[Any, Any]") -> None:
    """A worker's life: do the jobs that come, until it is told to stop or none can come any more."""

    def end(*_: object) -> None:
        """End at once: an exception could come up where Python drops it, in the middle of a `__del__`."""
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        _end()
        os._exit(0)

    signal.signal(signal.SIGTERM, end)
    die_with_parent(signal.SIGTERM)
    try:
        with suppress(EOFError, OSError):  # the other end of the pipe is closed
            while True:
                pipe.send(_outcome(*pipe.recv()))
    finally:
        _end()


def _end() -> None:
    for ending in ENDINGS:
        ending()


def _outcome(work: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[Any, GameError | str | None]:
    """The result of some work, or the error that it raised."""
    try:
        return work(*arguments), None
    except GameError as error:
        return None, error
    except Exception:
        return None, traceback.format_exc()


here: Workers = InProcess().do


def workers_of(number: int | None, executor: str, address: str | None) -> Workers:
    """The workers that options ask for; raises SettingError."""
    if number is not None:
        whole_number("workers", number, 1, MOST_WORKERS)
    if executor not in (PROCESSES, RAY):
        raise SettingError(f"executor must be {PROCESSES} or {RAY}, not {shown(executor)}")
    if executor == RAY:
        return cluster()(number, address).do
    return on_this_machine(number or cores())


def cluster() -> Callable[[int | None, str | None], Pool]:
    """The maker of a pool of Ray's workers; raises SettingError where Ray is not installed."""
    with needs_extra("Ray needs", "ray"):
        from oddville_training.work.cluster import Cluster
    return Cluster


def on_this_machine(number: int) -> Workers:
    """So many workers here."""
    return here if number == 1 else ProcessPool(number).do
