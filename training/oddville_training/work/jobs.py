"""Work in parts: a job is a function and its arguments, and a pool does jobs, wherever that is."""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from oddville_env.core.disk.files import atomic_write
from oddville_env.core.errors import GameError

MOST_LOSSES = 3  # of workers with the same job


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

    def finish(self, found: Any) -> "Job":
        """Write what was found."""
        if self.save:
            self.save(self.path, found)
        return self

    def lost(self, workers: str) -> WorkerError:
        """The error when workers are lost with this job again and again."""
        return WorkerError(f"{workers}, while they {self.doing} {self.title}: {self.blame}")


Workers = Callable[[Sequence[Job]], Iterator[Job]]
"""Jobs -> each of them when it is done and written, in any order."""


class Pool(ABC):
    """Does jobs: submit up to `workers` of them, then wait for one, in any order, and submit the next."""

    workers = 1

    @abstractmethod
    def submit(self, job: Job) -> None:
        """Begin with a job."""

    @abstractmethod
    def wait(self) -> tuple[Job, Any]:
        """The next job that is done, and what was found. Raises WorkerError, and what the job raises."""

    @abstractmethod
    def rest(self) -> None:
        """Forget what is unfinished; the pool may be used again."""

    def close(self) -> None:
        """The pool is not used again."""
        self.rest()

    def do(self, jobs: Sequence[Job]) -> Iterator[Job]:
        """Do jobs and write what they find: a form of Workers."""
        waiting, busy = list(reversed(jobs)), 0
        try:
            while waiting or busy:
                while waiting and busy < self.workers:
                    self.submit(waiting.pop())
                    busy += 1
                job, found = self.wait()
                busy -= 1
                yield job.finish(found)
        finally:
            self.rest()


def write_json(path: Path, plain: Any) -> None:
    """Write it, whole or not at all."""
    with atomic_write(path) as file:
        json.dump(plain, file, indent=1)
        file.write("\n")
