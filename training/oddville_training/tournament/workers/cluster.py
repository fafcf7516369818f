"""Chunks as tasks of Ray: on this machine, or on a cluster that is already there. Needs the extra `ray`."""

import logging
import os
from functools import lru_cache
from typing import Any

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # read when ray is imported: nothing is sent anywhere

import ray

from oddville_env.core.errors import OddVilleError
from oddville_env.core.processes import safe_path
from oddville_training.tournament.config import TournamentConfig
from oddville_training.tournament.schedule import Chunk
from oddville_training.tournament.workers.executor import MOST_LOSSES, Executor, WorkerError
from oddville_training.tournament.workers.worker import Played, Worker


class Cluster(Executor):
    """A worker for each processor of a cluster, or so many; Ray plays a chunk again where a worker was lost.

    address: of the cluster, None for one that is started here and ended with the run. Agents and card sets that are
    files must lie in the same place on every machine. Raises WorkerError where the cluster does not answer.
    """

    def __init__(self, config: TournamentConfig, workers: int | None = None, address: str | None = None) -> None:
        here: dict[str, Any] = {"num_cpus": workers, "include_dashboard": False} if address is None else {}
        try:
            with safe_path():
                ray.init(address=address or "local", log_to_driver=False, logging_level=logging.ERROR, **here)
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise WorkerError(f"there is no cluster at {address} that could be used ({error})") from None
        self.workers = workers or int(ray.cluster_resources().get("CPU", 1))
        self._config = ray.put(config)
        self._play = ray.remote(max_retries=MOST_LOSSES)(play)
        self._busy: list[Any] = []

    def submit(self, chunk: Chunk) -> None:
        """As of Executor."""
        self._busy.append(self._play.remote(self._config, chunk))

    def wait(self) -> Played:
        """As of Executor."""
        (task,), self._busy = ray.wait(self._busy, num_returns=1)
        try:
            played: Played = ray.get(task)
        except ray.exceptions.RayTaskError as error:
            raise error.cause if isinstance(error.cause, OddVilleError) else error from None
        except ray.exceptions.RayError as error:
            raise WorkerError(f"a worker was lost again and again ({error})") from None
        return played

    def close(self) -> None:
        """As of Executor."""
        ray.shutdown()


def play(config: TournamentConfig, chunk: Chunk) -> Played:
    """Play a chunk in a worker; agents and compiled rules stay in it for the next one."""
    return _worker(config).play(chunk)


@lru_cache(maxsize=1)
def _worker(config: TournamentConfig) -> Worker:
    return Worker(config)
