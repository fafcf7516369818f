"""Jobs as tasks of Ray: on this machine, or on a cluster that is already there. Needs the extra `ray`."""

import logging
import os
from functools import cache
from typing import Any

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # read when ray is imported: nothing is sent anywhere

import ray

from oddville_env.core.errors import GameError
from oddville_env.core.system.processes import safe_path
from oddville_training.work.jobs import MOST_LOSSES, Job, Pool, WorkerError


class Cluster(Pool):
    """A worker for each processor of a cluster, or so many; Ray does a job again where a worker was lost.

    address: of the cluster, None for one that is started here and ended with the run. Agents and card sets that are
    files must lie in the same place on every machine. Raises WorkerError where the cluster does not answer.
    """

    def __init__(self, workers: int | None = None, address: str | None = None) -> None:
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
        (task,), _ = ray.wait(list(self._busy), num_returns=1)
        job = self._busy.pop(task)
        try:
            return job, ray.get(task)
        except ray.exceptions.RayTaskError as error:
            raise error.cause if isinstance(error.cause, GameError) else error from None
        except ray.exceptions.RayError as error:
            raise job.lost(f"workers were lost again and again ({error})") from None

    def rest(self) -> None:
        """Forget what is unfinished."""
        self._busy.clear()

    def close(self) -> None:
        """End what was started here of Ray."""
        ray.shutdown()
