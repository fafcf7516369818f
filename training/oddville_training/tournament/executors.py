"""Executors play chunks: in this process, in several, or on a cluster; what is played does not depend on where."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from oddville_env.core.checked.settings import whole_number
from oddville_env.core.system.processes import cores
from oddville_training.tournament.config import TournamentConfig
from oddville_training.tournament.schedule import Chunk
from oddville_training.tournament.worker import Played, Worker, compile_ahead
from oddville_training.work import pools
from oddville_training.work.jobs import Job, Pool

MakeWorker = Callable[[TournamentConfig], Worker]
BLAME = "one of these agents may have ended them, or there is too little memory"


class Executor:
    """Plays the chunks of a run in a pool: submit up to `workers` of them, wait for one, and submit the next.

    worker: plays in this process; make_worker: makes a worker in another process, and can be pickled.
    """

    def __init__(
        self, config: TournamentConfig, pool: Pool, worker: Worker | None = None, make_worker: MakeWorker = Worker
    ) -> None:
        self._config, self.pool, self._worker, self.workers = config, pool, worker, pool.workers
        self._make_worker = make_worker

    def submit(self, chunk: Chunk) -> None:
        """Begin with a chunk."""
        elsewhere = (self._make_worker, self._config, chunk)
        work, arguments = (self._worker.play, (chunk,)) if self._worker else (play, elsewhere)
        lineup = self._config.schedule.sections[chunk.section].lineups[chunk.lineup]
        names = " | ".join(self._config.names[agent] for agent in lineup)
        self.pool.submit(Job(Path(), work, arguments, title=names, doing="played", blame=BLAME))

    def wait(self) -> Played:
        """The next chunk that is finished, in any order. Raises AgentError and WorkerError."""
        played: Played = self.pool.wait()[1]
        return played

    def close(self) -> None:
        """Stop, and forget what is unfinished."""
        self.pool.close()
        if self._worker:
            self._worker.close()


class Here(Executor):
    """One worker: this process."""

    def __init__(self, config: TournamentConfig, worker: Worker | None = None) -> None:
        super().__init__(config, pools.InProcess(), worker or Worker(config))


class Processes(Executor):
    """Workers on this machine."""

    def __init__(self, config: TournamentConfig, workers: int, make_worker: MakeWorker = Worker) -> None:
        compile_ahead(config)
        super().__init__(config, pools.ProcessPool(workers), make_worker=make_worker)


def on_ray(workers: int | None = None, address: str | None = None) -> Callable[[TournamentConfig], Executor]:
    """The maker of an executor of Ray's workers; raises SettingError where Ray is not installed."""
    cluster = pools.cluster()
    return lambda config: Executor(config, cluster(workers, address))


def on_this_machine(workers: int | None = None) -> Callable[[TournamentConfig], Executor]:
    """The maker of an executor of so many workers, or one for each core that this process may use."""
    number = cores() if workers is None else whole_number("workers", workers, 1)
    return Here if number == 1 else partial(Processes, workers=number)


def play(make_worker: MakeWorker, config: TournamentConfig, chunk: Chunk) -> Played:
    """Play a chunk in a worker; agents and compiled rules stay in it for the next one."""
    if _Latest.made_of != (make_worker, config):
        _Latest.made_of, _Latest.worker = (make_worker, config), make_worker(config)
        pools.ENDINGS.append(_Latest.worker.close)
    return _Latest.worker.play(chunk)


class _Latest:
    """The worker of this process."""

    made_of: tuple[MakeWorker, TournamentConfig] | None = None
    worker: Worker
