"""What plays chunks, wherever that is."""

from abc import ABC, abstractmethod

from oddville_env.core.errors import OddVilleError
from oddville_training.tournament.schedule import Chunk
from oddville_training.tournament.workers.worker import Played

MOST_LOSSES = 3  # of workers with the same chunk


class WorkerError(OddVilleError):
    """Work that cannot be done: workers die again and again."""


class Executor(ABC):
    """Plays chunks: submit up to `workers` of them, then wait for one, in any order, and submit the next."""

    workers = 1

    @abstractmethod
    def submit(self, chunk: Chunk) -> None:
        """Begin with a chunk."""

    @abstractmethod
    def wait(self) -> Played:
        """The next chunk that is finished. Raises AgentError and WorkerError."""

    @abstractmethod
    def close(self) -> None:
        """Stop, and forget what is unfinished."""
