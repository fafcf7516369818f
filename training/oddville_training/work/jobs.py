"""The parts of a run's work: a job is done when its file is there."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from oddville_env.core.errors import OddVilleError
from oddville_env.core.files import written_whole

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


def write_json(path: Path, plain: Any) -> None:
    """Write it, whole or not at all."""
    with written_whole(path) as file:
        json.dump(plain, file, indent=1)
        file.write("\n")
