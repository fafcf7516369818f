"""Background work: agents' moves, analysis and files in threads, agents of other packages in a sandbox."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from math import inf
from time import monotonic, perf_counter
from typing import Any

from oddville_env.core.game.game_type import GameType
from oddville_env.core.game.view import View
from oddville_env.core.system.extras import find_agents, find_training

QUICK_S = 0.1  # seconds: an agent whose last move took no longer is quick
QUICK, MOVERS, ANALYSTS = 4, 32, 16  # threads for quick agents, for the others, and for analysis
FILES, SETTLERS = 4, 2  # threads that write files, and threads that wait for the disk
LIMIT_S = 120.0  # for a move of an agent in a sandbox
MEMORY_MB = 2048  # of its process
LOOKING_SHARE = 0.5  # of the server's time that browsing old positions may take


def lower_priority() -> None:
    """Lower this thread's priority, where the system has one for each thread (Linux)."""
    if sys.platform == "linux":
        os.nice(5)  # below the server's own


async def _run(threads: ThreadPoolExecutor, work: Callable[..., Any], *args: Any) -> Any:
    return await asyncio.get_running_loop().run_in_executor(threads, work, *args)


class Thinking:
    """The thread pools of a server, so that its event loop never waits.

    `analyse` runs an analysis of a position, `write` a quick write, `settle` a write that waits for the disk.
    """

    def __init__(self) -> None:
        self._quick = ThreadPoolExecutor(QUICK, "quick", lower_priority)
        self._movers = ThreadPoolExecutor(MOVERS, "mover", lower_priority)
        self._analysts = ThreadPoolExecutor(ANALYSTS, "analyst", lower_priority)
        self._files = ThreadPoolExecutor(FILES, "files")
        self._settlers = ThreadPoolExecutor(SETTLERS, "settler")
        self._took: dict[str, float] = {}
        self.analyse, self.write = partial(_run, self._analysts), partial(_run, self._files)
        self.settle = partial(_run, self._settlers)
        self._looking = asyncio.Lock()

    async def move(self, spec: str, work: Callable[..., Any], *args: Any) -> Any:
        """Run a move of an agent. Quick agents have threads of their own, so that they wait for no slow one."""

        def timed() -> Any:
            start = monotonic()
            try:
                return work(*args)
            finally:
                self._took[spec] = monotonic() - start

        threads = self._quick if self._took.get(spec, inf) < QUICK_S else self._movers
        return await _run(threads, timed)

    @asynccontextmanager
    async def looking(self) -> AsyncIterator[None]:
        """Wait to browse old positions, in LOOKING_SHARE of the time. Moves never wait behind it."""
        await self._looking.acquire()
        begun = perf_counter()
        try:
            yield
        finally:
            pause = (perf_counter() - begun) * (1 - LOOKING_SHARE) / LOOKING_SHARE
            asyncio.get_running_loop().call_later(pause, self._looking.release)

    def close(self) -> None:
        """Start nothing more, and wait for the files."""
        for pool in (self._quick, self._movers, self._analysts):
            pool.shutdown(wait=False, cancel_futures=True)
        for pool in (self._files, self._settlers):
            pool.shutdown(wait=True)


class SeatedAgent:
    """An agent in a seat of one game. It runs in threads, one call at a time."""

    def __init__(self, spec: str, game_type: GameType, settings: Any, seat: int, seed: int) -> None:
        self.spec, self._game_type, self._settings = spec, game_type, settings
        self._seat, self._seed = seat, seed
        self._player: Any = None
        self._lock = asyncio.Lock()
        self._closed = False

    async def move(self, view: View, thinking: Thinking) -> int:
        """The id of its move; raises GameError."""
        async with self._lock:
            return int(await thinking.move(self.spec, self._move, view))

    def _move(self, view: View) -> int:
        if self._player is None:
            self._player = self._make()
        action: int = self._player.move(view)
        if self._closed:
            self.close()
        return action

    def _make(self) -> Any:
        agents = find_agents()
        if is_own_code(self.spec, self._game_type):
            player = find_agents("player").Player(agents.make_agent(self.spec, self._game_type.name))
            seed = find_agents("play").agent_seed(self._seed, self._seat, player.agent.name)
        else:
            sandbox = find_training("processes.sandbox").Sandbox
            player, seed = sandbox(self.spec, self._game_type, self._settings, LIMIT_S, MEMORY_MB), self._seed
        player.begin(self._seat, self._settings.players, seed)
        return player

    def close(self) -> None:
        """End its process, if it has one; while it thinks, as soon as it has answered."""
        self._closed = True
        player, busy = self._player, self._lock.locked()
        if player is not None and hasattr(player, "close") and not busy:
            player.close()


def is_own_code(spec: str, game_type: GameType) -> bool:
    """Whether the agent is one of this package, which runs in the server and may be asked for analysis."""
    return bool(find_agents("spec").is_own_code(spec, game_type.name))
