"""Where chunks are played: in this process, in several, or on a cluster. Lost workers are replaced and their work done
again; what is played does not depend on where.
"""

import multiprocessing
import os
import signal
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from time import monotonic
from typing import Any, NamedTuple

from oddville_env.core.checks import whole_number
from oddville_env.core.errors import OddVilleError
from oddville_env.core.extras import needs_extra
from oddville_env.core.processes import safe_path
from oddville_training.tournament.config import TournamentConfig
from oddville_training.tournament.schedule import Chunk
from oddville_training.tournament.workers.executor import MOST_LOSSES, Executor, WorkerError
from oddville_training.tournament.workers.worker import Played, Worker, compile_ahead
from oddville_training.work.sandboxed import die_with_parent

FAREWELL_S = 2.0  # until a worker that was told to stop has ended what its agents started


class Here(Executor):
    """One worker: this process."""

    def __init__(self, config: TournamentConfig, worker: Worker | None = None) -> None:
        self._worker = worker or Worker(config)

    def submit(self, chunk: Chunk) -> None:
        """As of Executor."""
        self._chunk = chunk

    def wait(self) -> Played:
        """As of Executor."""
        return self._worker.play(self._chunk)

    def close(self) -> None:
        """As of Executor."""
        self._worker.close()


class WorkerProcess(NamedTuple):
    """A process that plays, and the pipe to it."""

    process: SpawnProcess
    pipe: "Connection[Any, Any]"


class Processes(Executor):
    """Workers on this machine."""

    def __init__(self, config: TournamentConfig, workers: int) -> None:
        self._config, self.workers = config, workers
        self._losses: Counter[int] = Counter()  # by the first block of the chunk
        compile_ahead(config)
        with _no_interrupts():
            self._idle = [self._start() for _ in range(workers)]
        self._busy: dict[Any, tuple[WorkerProcess, Chunk]] = {}  # by pipe

    def _start(self) -> WorkerProcess:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=work, args=(theirs, self._config), daemon=False)
        with safe_path():
            process.start()
        theirs.close()
        return WorkerProcess(process, ours)

    def submit(self, chunk: Chunk) -> None:
        """As of Executor."""
        worker = self._idle.pop()
        self._busy[worker.pipe] = worker, chunk
        with suppress(OSError):  # where it has died: `wait` will see it
            worker.pipe.send(chunk)

    def wait(self) -> Played:
        """As of Executor."""
        while True:
            worker, chunk = self._busy.pop(wait(list(self._busy))[0])
            try:
                played: Played | OddVilleError | str = worker.pipe.recv()
            except (EOFError, OSError):
                self._replace(worker, chunk)
                self.submit(chunk)
                continue
            self._idle.append(worker)
            if isinstance(played, OddVilleError):
                raise played
            if isinstance(played, str):
                raise RuntimeError(f"a worker failed:\n{played}")
            return played

    def _replace(self, lost: WorkerProcess, chunk: Chunk) -> None:
        """A worker has died with a chunk."""
        lost.process.join()
        self._losses[int(chunk.blocks[0])] += 1
        losses = self._losses[int(chunk.blocks[0])]
        if losses > MOST_LOSSES:
            lineup = self._config.schedule.sections[chunk.section].lineups[chunk.lineup]
            names = " | ".join(self._config.names[agent] for agent in lineup)
            raise WorkerError(
                f"{losses} workers died one after the other, the last with exit code {lost.process.exitcode}, while "
                f"they played {names}: one of these agents may have ended them, or there is too little memory"
            )
        with _no_interrupts():
            self._idle.append(self._start())

    def close(self) -> None:
        """As of Executor."""
        workers = [*self._idle, *(worker for worker, _ in self._busy.values())]
        for worker in workers:
            worker.process.terminate()
        until = monotonic() + FAREWELL_S
        for worker in workers:
            worker.process.join(max(until - monotonic(), 0))
            worker.process.kill()  # it may be deep in compiled code, where nothing is heard
            worker.process.join()
            worker.pipe.close()


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Processes started here do not hear Ctrl-C, from their first moment on: the one that started them ends them."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def on_ray(workers: int | None = None, address: str | None = None) -> Callable[[TournamentConfig], Executor]:
    """What makes an executor of Ray's workers; raises SettingError where Ray is not installed."""
    with needs_extra("Ray needs", "ray"):
        from oddville_training.tournament.workers.cluster import Cluster
    return partial(Cluster, workers=workers, address=address)


def on_this_machine(workers: int | None = None) -> Callable[[TournamentConfig], Executor]:
    """What makes an executor of so many workers, or one for each core that this process may use."""
    number = _cores() if workers is None else whole_number("workers", workers, 1)
    return Here if number == 1 else partial(Processes, workers=number)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def work(pipe: "Connection[Any, Any]", config: TournamentConfig) -> None:
    """A worker's life: play the chunks that come, until it is told to stop or none can come any more."""
    worker = Worker(config)

    def end(*_: object) -> None:
        """End at once: an exception could come up where Python drops it, in the middle of a `__del__`."""
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        worker.close()
        os._exit(0)

    signal.signal(signal.SIGTERM, end)
    die_with_parent(signal.SIGTERM)
    try:
        with suppress(EOFError, OSError):  # nobody is at the other end of the pipe
            while True:
                pipe.send(_outcome(worker, pipe.recv()))
    finally:
        worker.close()


def _outcome(worker: Worker, chunk: Chunk) -> Played | OddVilleError | str:
    """What became of a chunk, or why it cannot be played."""
    try:
        return worker.play(chunk)
    except OddVilleError as error:
        return error
    except Exception:
        return traceback.format_exc()
