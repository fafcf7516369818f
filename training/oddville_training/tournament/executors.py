"""The blocks of a run, played in chunks: in this process, in several, or on a cluster: the games are the same."""

import threading
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import numpy as np

from oddville_agents import make_agent
from oddville_agents.player import copy_of
from oddville_env.core.checked import whole_number
from oddville_env.core.system.processes import cores
from oddville_training.processes import pools
from oddville_training.processes.pools import Job, Pool
from oddville_training.tournament.config import Chunk, Schedule, TournamentConfig
from oddville_training.tournament.seated_batch import Failed, row_type
from oddville_training.tournament.transcripts import Transcripts
from oddville_training.tournament.worker import HomeAgents, Played, Worker, compile_ahead, worker_of

MOST_GAMES = 4096  # of a chunk: their states are in memory
GOAL = 0.5  # seconds that a chunk should take
BLAME = "one of these agents may have ended them, or there is too little memory"

Watcher = Callable[[np.ndarray, list[Failed]], object]
"""Called with the rows and failures of every chunk, earlier ones too when a run is resumed."""


class Executor:
    """Plays the chunks of a run in a pool. agents: see `worker_of`."""

    def __init__(
        self,
        config: TournamentConfig,
        pool: Pool,
        agents: HomeAgents | None = None,
        transcripts: Transcripts | None = None,
    ) -> None:
        self._config, self.pool, self._agents, self.workers = config, pool, agents, pool.workers
        self._transcripts, self._of_thread = transcripts, threading.local()
        self._here: list[Worker] = []

    def play(self, chunks: Iterable[Chunk]) -> Generator[Played, None, None]:
        """Take a chunk whenever a worker is free; yields each when it was played. Raises AgentError and WorkerError."""
        try:
            for _, played in self.pool.results(map(self._job, chunks)):
                yield played
        finally:
            self.pool.close()
            for worker in self._here:
                worker.close()

    def _job(self, chunk: Chunk) -> Job:
        lineup = self._config.schedule.sections[chunk.section].lineups[chunk.lineup]
        names = " | ".join(self._config.names[agent] for agent in lineup)
        elsewhere = (self._config, self._agents, chunk)
        work, arguments = (self._play_here, (chunk,)) if self.pool.is_here else (_play, elsewhere)
        return Job(Path(), work, arguments, title=names, doing="played", blame=BLAME)

    def _play_here(self, chunk: Chunk) -> Played:
        """Play a chunk in this process; of several threads each has a worker, with copies of the agents."""
        if not hasattr(self._of_thread, "worker"):
            agents = self._agents
            if agents is not None and self.workers > 1:
                agents = [copy_of(make_agent(agent, self._config.game.name)) for agent in agents]
            self._of_thread.worker = worker_of(self._config, agents, self._transcripts)
            self._here.append(self._of_thread.worker)
        played: Played = self._of_thread.worker.play(chunk)
        return played


MakeExecutor = Callable[[TournamentConfig], Executor]


def on_ray(workers: int | None = None, address: str | None = None) -> MakeExecutor:
    """The maker of an executor of Ray's workers; raises SettingError where Ray is not installed."""
    pools.find_ray()
    return lambda config: Executor(config, pools.Cluster(workers, address))


def in_threads(parallel: int, agents: HomeAgents, transcripts: Transcripts) -> MakeExecutor:
    """The maker of an executor in this process, of so many threads."""
    pool = pools.Pool() if parallel == 1 else pools.ThreadPool(parallel)
    return lambda config: Executor(config, pool, agents, transcripts)


def on_this_machine(workers: int | None = None, agents: HomeAgents | None = None) -> MakeExecutor:
    """The maker of an executor of so many workers, or one for each core that this process may use."""
    number = cores() if workers is None else whole_number("workers", workers, 1)

    def make(config: TournamentConfig) -> Executor:
        if number > 1:
            compile_ahead(config)
        return Executor(config, pools.local(number), agents)

    return make


def _play(config: TournamentConfig, agents: HomeAgents | None, chunk: Chunk) -> Played:
    """Play a chunk in a worker; agents and compiled rules stay in it for the next one."""
    if _Latest.made_of != (config, agents):
        _Latest.made_of, _Latest.worker = (config, agents), worker_of(config, agents)
        pools.ENDINGS.append(_Latest.worker.close)
    return _Latest.worker.play(chunk)


class _Latest:
    """The worker of this process."""

    made_of: tuple[TournamentConfig, HomeAgents | None] | None = None
    worker: Worker


class Pending:
    """The blocks that are still to be played, handed out in chunks, the furthest behind first."""

    def __init__(self, schedule: Schedule, done: np.ndarray, workers: int) -> None:
        """done: the numbers of the blocks that need not be played."""
        self._schedule, self._workers = schedule, workers
        left = np.ones(schedule.blocks, np.bool_)
        left[done] = False
        self._left: dict[tuple[int, int], np.ndarray] = {}
        deals = np.arange(schedule.number)
        for number, section in enumerate(schedule.sections):
            for lineup in range(len(section.lineups)):
                self._left[number, lineup] = deals[left[schedule.chunk(number, lineup, deals).blocks]]
        self._seconds: dict[tuple[int, int], float] = {}  # that a block takes

    def __len__(self) -> int:
        """The number of blocks not yet handed out."""
        return sum(len(deals) for deals in self._left.values())

    def took(self, chunk: Chunk, seconds: float) -> None:
        """Note the seconds that a chunk took: the next one of its line-up is cut accordingly."""
        self._seconds[chunk.section, chunk.lineup] = seconds / len(chunk.blocks)

    def take(self) -> Chunk | None:
        """The next chunk, None when all are handed out.

        A chunk takes about as long as the goal, but less at the end, when others would wait for it: down to a tenth.
        """
        open_ones = [(int(deals[0]), where) for where, deals in self._left.items() if len(deals)]
        if not open_ones:
            return None
        _, where = min(open_ones)
        most = max(MOST_GAMES // self._schedule.sections[where[0]].games, 1)
        fair = -(-len(self) // (2 * self._workers)) if self._workers > 1 else len(self)
        quick = min(int(GOAL / self._seconds[where]), most) if where in self._seconds else 1
        size = max(min(fair, quick), quick // 10, 1)
        deals, self._left[where] = np.split(self._left[where], [size])
        return self._schedule.chunk(*where, deals)


class Entry(NamedTuple):
    """A chunk that was played. first, sizes: in a journal, the first byte of its blocks' records, and bytes of each."""

    rows: np.ndarray
    failed: list[Failed]
    first: int = 0
    sizes: Sequence[int] = ()

    @property
    def blocks(self) -> np.ndarray:
        """The numbers of the blocks, in order."""
        return np.unique(self.rows["block"])


class Notes:
    """Played chunks, kept in memory."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []

    def add(self, rows: np.ndarray, failed: list[Failed], records: list[bytes]) -> None:
        """Keep a chunk."""
        self.entries.append(Entry(rows, failed))

    @property
    def done(self) -> np.ndarray:
        """The numbers of the blocks that were played."""
        return np.concatenate([np.zeros(0, np.uint32), *(entry.blocks for entry in self.entries)])

    @property
    def rows(self) -> np.ndarray:
        """All rows in the order of block, game and seat; a chunk at least was played."""
        rows = np.concatenate([entry.rows for entry in self.entries])
        return rows[np.argsort(rows["game"], kind="stable")]


def play_blocks(
    config: TournamentConfig,
    make_executor: MakeExecutor,
    notes: Notes,
    watch: Watcher,
    is_over: Callable[[], bool] = lambda: False,
    choose: Callable[[np.ndarray], np.ndarray] | None = None,
) -> None:
    """Play all blocks that have not been noted, and note them.

    is_over: whether to stop between chunks; choose: rows of all rounds so far -> the blocks of the next round, which is
    played to its end before; without it all blocks are one round.
    """

    def play_all_but(done: np.ndarray) -> None:
        executor = make_executor(config)
        pending = Pending(config.schedule, done, executor.workers)
        chunks = iter(lambda: None if is_over() else pending.take(), None)
        with closing(executor.play(chunks)) as chunks_played:
            for played in chunks_played:
                pending.took(played.chunk, played.seconds)
                notes.add(played.rows, played.failed, played.records)
                watch(played.rows, played.failed)
                if is_over():
                    return

    for entry in notes.entries:
        watch(entry.rows, entry.failed)
    if choose is None:
        play_all_but(notes.done)
        return
    chosen = np.zeros(0, np.int64)
    none = np.zeros(0, row_type(config.game.sources))
    while len(more := choose(notes.rows[np.isin(notes.rows["block"], chosen)] if len(chosen) else none)):
        chosen = np.union1d(chosen, more)
        if not np.isin(more, notes.done).all():
            play_all_but(np.union1d(np.setdiff1d(np.arange(config.schedule.blocks), more), notes.done))
