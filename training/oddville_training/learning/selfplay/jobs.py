"""The parts of a run's work: a job is done when its file is there."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from oddville_env.core.errors import OddVilleError

MOST_LOSSES = 3  # times that the workers are replaced, or that Ray tries a job again


class WorkerError(OddVilleError):
    """Workers were lost again and again."""


class Job(NamedTuple):
    """A part of the work: `save` writes what `work` finds, a function of the arguments and of nothing else."""

    path: Path
    work: Callable[..., Any]
    arguments: tuple[Any, ...]
    save: Callable[[Path, Any], None]
    title: str

    def finish(self, found: Any) -> "Job":
        """Write what was found."""
        self.save(self.path, found)
        return self


Workers = Callable[[Sequence[Job]], Iterator[Job]]
"""Jobs -> each of them when it is done, in any order."""
