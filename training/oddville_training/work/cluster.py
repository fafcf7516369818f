"""Jobs as tasks of Ray. Needs the extra `ray`."""

import logging
import os
from collections.abc import Iterator, Sequence
from typing import Any

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # read when ray is imported: nothing is sent anywhere

import ray

from oddville_env.core.errors import OddVilleError
from oddville_env.core.processes import safe_path
from oddville_training.work.jobs import MOST_LOSSES, Job, WorkerError


def start(number: int | None, address: str | None) -> None:
    """Use the cluster at an address, or one of so many workers that is started here. Raises WorkerError."""
    own: dict[str, Any] = {"num_cpus": number, "include_dashboard": False} if address is None else {}
    try:
        with safe_path():
            ray.init(address=address or "local", log_to_driver=False, logging_level=logging.ERROR, **own)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise WorkerError(f"there is no cluster at {address} that could be used ({error})") from None


def work(jobs: Sequence[Job]) -> Iterator[Job]:
    """As of Workers; a job of a worker that was lost is done again by another one. Raises WorkerError."""
    running = {ray.remote(max_retries=MOST_LOSSES)(job.work).remote(*job.arguments): job for job in jobs}
    while running:
        (done,), _ = ray.wait(list(running), num_returns=1)
        job = running.pop(done)
        try:
            yield job.finish(ray.get(done))
        except ray.exceptions.RayTaskError as error:
            raise error.cause if isinstance(error.cause, OddVilleError) else error from None
        except ray.exceptions.RayError as error:
            raise WorkerError(f"workers were lost again and again while they worked on {job.title} ({error})") from None
