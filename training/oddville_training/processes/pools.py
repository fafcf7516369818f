"""Work in parts: a job is a function and its arguments, and a pool does jobs: here, in processes, or on a Ray cluster.

What comes out does not depend on the pool. Workers that are lost are replaced, and their jobs done again.
"""

import json
import logging
import multiprocessing
import os
import signal
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any, NamedTuple

from oddville_env.core.checked import whole_number
from oddville_env.core.disk.files import write_whole
from oddville_env.core.errors import GameError, SettingError, shown
from oddville_env.core.system.extras import needs_extra
from oddville_env.core.system.processes import cores, safe_path
from oddville_training.processes.sandboxed import die_with_parent

MOST_LOSSES = 3  # of workers with the same job
PROCESSES, RAY = "processes", "ray"
LISTENING_S = 0.2  # until a wait for threads is interrupted, so that Ctrl-C is heard
FAREWELL_S = 2.0  # until a worker that was told to stop has ended what it started

ENDINGS: list[Callable[[], None]] = []  # called in a worker's process before it ends


class WorkerError(GameError):
    """Work that cannot be done: workers die again and again."""


class Job(NamedTuple):
    """A part of the work: what `work` finds is a function of the arguments and of nothing else.

    path, save: where and how it is written, if it is kept in a file · doing, blame: what to say of workers that die
    with it.
    """

    path: Path
    work: Callable[..., Any]
    arguments: tuple[Any, ...]
    save: Callable[[Path, Any], None] | None = None
    title: str = ""
    doing: str = "worked on"
    blame: str = "is there enough memory?"

    def lost(self, workers: str) -> WorkerError:
        """The error when workers are lost with this job again and again."""
        return WorkerError(f"{workers}, while they {self.doing} {self.title}: {self.blame}")


Workers = Callable[[Sequence[Job]], Iterator[Job]]
"""Jobs -> each of them when it is done and written, in any order."""


class Pool:
    """Does jobs, up to `workers` of them at once: this one in its own process."""

    workers = 1
    is_here = True

    def submit(self, job: Job) -> None:
        """Begin with a job."""
        self._job = job

    def wait(self) -> tuple[Job, Any]:
        """The next job that is done, and what was found. Raises WorkerError, and what the job raises."""
        return self._job, self._job.work(*self._job.arguments)

    def rest(self) -> None:
        """Forget what is unfinished; the pool may be used again."""

    def close(self) -> None:
        """The pool is not used again."""

    def results(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Any]]:
        """Take a job whenever a worker is free; yields each with what was found, in any order."""
        waiting, busy = iter(jobs), 0
        try:
            while True:
                for job in islice(waiting, self.workers - busy):
                    self.submit(job)
                    busy += 1
                if not busy:
                    return
                yield self.wait()
                busy -= 1
        finally:
            self.rest()

    def do(self, jobs: Sequence[Job]) -> Iterator[Job]:
        """Do jobs and write what they find: a form of Workers."""
        for job, found in self.results(jobs):
            if job.save:
                job.save(job.path, found)
            yield job


class WorkerProcess(NamedTuple):
    """A process that works, and the pipe to it."""

    process: SpawnProcess
    pipe: "Connection[Any, Any]"


class ProcessPool(Pool):
    """Workers on this machine, started when there is work."""

    is_here = False

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._idle: list[WorkerProcess] = []
        self._busy: dict[Any, tuple[WorkerProcess, Job, int]] = {}  # by pipe; how many workers died with the job before

    def submit(self, job: Job, losses: int = 0) -> None:
        """Send a job to a worker, which is started if none is idle; losses: workers that died with it before."""
        worker = self._idle.pop() if self._idle else _start()
        self._busy[worker.pipe] = worker, job, losses
        with suppress(OSError):  # where it has died: `wait` will see it
            worker.pipe.send((job.work, job.arguments))

    def wait(self) -> tuple[Job, Any]:
        """The next job that is done, and what was found. Raises WorkerError, and what the job raises."""
        while True:
            worker, job, losses = self._busy.pop(wait(list(self._busy))[0])
            try:
                found, error = worker.pipe.recv()
            except (EOFError, OSError):  # it has died
                worker.process.join()
                if losses == MOST_LOSSES:
                    dead, code = f"{losses + 1} workers died one after the other", worker.process.exitcode
                    raise job.lost(f"{dead}, the last with exit code {code}") from None
                self.submit(job, losses + 1)
                continue
            self._idle.append(worker)
            if isinstance(error, GameError):
                raise error
            if error is not None:
                raise RuntimeError(f"a worker failed:\n{error}")
            return job, found

    def rest(self) -> None:
        """End the processes, which frees their memory."""
        workers = [*self._idle, *(worker for worker, _, _ in self._busy.values())]
        self._idle, self._busy = [], {}
        for worker in workers:
            worker.process.terminate()
        until = monotonic() + FAREWELL_S
        for worker in workers:
            worker.process.join(max(until - monotonic(), 0))
            worker.process.kill()  # it may be deep in compiled code, where nothing is heard
            worker.process.join()
            worker.pipe.close()


class ThreadPool(Pool):
    """Workers in threads of this process, for jobs that wait for other programs. `rest` does not wait for them."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._done: SimpleQueue[tuple[Job, Any, BaseException | None]] = SimpleQueue()
        self._threads = 0

    def submit(self, job: Job) -> None:
        """Give a job to the threads; one more is started if there may be more."""
        self._jobs.put(job)
        if self._threads < self.workers:
            self._threads += 1
            Thread(target=self._work, daemon=True).start()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                self._done.put((job, job.work(*job.arguments), None))
            except BaseException as error:  # also SystemExit, which would end the thread without a word
                self._done.put((job, None, error))

    def wait(self) -> tuple[Job, Any]:
        """The next job that is done, and what was found. Raises what the job raises."""
        while True:
            with suppress(Empty):  # without a timeout Windows hears no Ctrl-C
                job, found, error = self._done.get(timeout=LISTENING_S)
                if error is not None:
                    raise error
                return job, found

    def rest(self) -> None:
        """Let every thread end after its job."""
        for _ in range(self._threads):
            self._jobs.put(None)
        self._threads = 0


def _start() -> WorkerProcess:
    """Start a worker that does not hear Ctrl-C from its first moment on: this process ends it."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=work, args=(theirs,), daemon=False)
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with safe_path():
            process.start()
    finally:
        signal.signal(signal.SIGINT, before)
    theirs.close()
    return WorkerProcess(process, ours)


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
    try:
        return work(*arguments), None
    except GameError as error:
        return None, error
    except Exception:
        return None, traceback.format_exc()


class Cluster(Pool):
    """A worker for each processor of a Ray cluster, or so many; Ray does a job again where a worker was lost.

    address: of the cluster, None for one that is started here and ended with the run. Agents and card sets that are
    files must lie in the same place on every machine. Raises SettingError where Ray is not installed, and WorkerError
    where the cluster does not answer.
    """

    is_here = False

    def __init__(self, workers: int | None = None, address: str | None = None) -> None:
        self._ray = ray = find_ray()
        here: dict[str, Any] = {"num_cpus": workers, "include_dashboard": False} if address is None else {}
        try:
            with safe_path():
                ray.init(address=address or "local", log_to_driver=False, logging_level=logging.ERROR, **here)
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise WorkerError(f"there is no cluster at {address} that could be used ({error})") from None
        self.workers = workers or int(ray.cluster_resources().get("CPU", 1))
        self._remote = cache(ray.remote(max_retries=MOST_LOSSES))
        self._busy: dict[Any, Job] = {}  # by task

    def submit(self, job: Job) -> None:
        """Give a job to Ray."""
        self._busy[self._remote(job.work).remote(*job.arguments)] = job

    def wait(self) -> tuple[Job, Any]:
        """The next job that is done, and what was found. Raises WorkerError, and what the job raises."""
        (task,), _ = self._ray.wait(list(self._busy), num_returns=1)
        job = self._busy.pop(task)
        try:
            return job, self._ray.get(task)
        except self._ray.exceptions.RayTaskError as error:
            raise error.cause if isinstance(error.cause, GameError) else error from None
        except self._ray.exceptions.RayError as error:
            raise job.lost(f"workers were lost again and again ({error})") from None

    def rest(self) -> None:
        """Forget what is unfinished."""
        self._busy.clear()

    def close(self) -> None:
        """End what was started here of Ray."""
        self._ray.shutdown()


def find_ray() -> Any:
    """The module; raises SettingError where Ray is not installed."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # read when ray is imported: nothing is sent anywhere
    with needs_extra("Ray needs", "ray"):
        import ray
    return ray


def local(workers: int) -> Pool:
    """A pool of so many workers on this machine."""
    return Pool() if workers == 1 else ProcessPool(workers)


here: Workers = Pool().do


def workers_of(number: int | None, executor: str, address: str | None) -> Workers:
    """The workers that options ask for; raises SettingError."""
    if number is not None:
        whole_number("workers", number, 1, 4096)
    if executor not in (PROCESSES, RAY):
        raise SettingError(f"executor must be {PROCESSES} or {RAY}, not {shown(executor)}")
    return (Cluster(number, address) if executor == RAY else local(number or cores())).do


def write_json(path: Path, plain: Any) -> None:
    """Write it, whole or not at all."""
    write_whole(path, f"{json.dumps(plain, indent=1)}\n")
