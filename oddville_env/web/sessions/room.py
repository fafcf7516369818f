"""A session with those who look at it: states go out, agents move, the game is saved."""

import asyncio
from contextlib import suppress
from time import monotonic
from typing import Any, Protocol

from oddville_env.core.errors import OddVilleError
from oddville_env.web.refusal import RefusalError
from oddville_env.web.sessions.keys import Pass
from oddville_env.web.sessions.saving import Folder, plain_of
from oddville_env.web.sessions.session import Session
from oddville_env.web.sessions.snapshot import Snapshot
from oddville_env.web.sessions.thinking import SeatedAgent, Thinking

MOST_SNAPSHOTS = 16


class Watcher(Protocol):
    """One browser that looks at a session."""

    entry: Pass

    def tell(self, reason: str) -> None:
        """The session has changed."""

    def warn(self, code: str, sentence: str) -> None:
        """Something went wrong that nobody asked for."""


class Room:
    """A session, its browsers and its agents."""

    def __init__(self, session: Session, thinking: Thinking, folder: Folder) -> None:
        self.session = session
        self.watchers: set[Watcher] = set()
        self.used = monotonic()
        self.thinking, self._folder = thinking, folder
        self._agents: dict[int, SeatedAgent] = {}
        self._snapshots: dict[tuple[int, int], Snapshot] = {}
        self._driver: asyncio.Task[None] | None = None
        self._steps = 0
        self._unsaved = self._saving = False

    def enter(self, watcher: Watcher) -> None:
        """A browser comes; agents go on as long as somebody is there."""
        self.watchers.add(watcher)
        for seat in self.session.seats_of(watcher.entry):
            self.session.chairs[seat].left = False
        self._others(watcher)
        self.drive()

    def go(self, watcher: Watcher) -> None:
        """A browser leaves."""
        self.watchers.discard(watcher)
        self.used = monotonic()
        self._others(watcher)

    def _others(self, but: Watcher) -> None:
        for watcher in self.watchers - {but}:
            watcher.tell("seats")

    @property
    def here(self) -> set[int]:
        """The seats of persons whose browser is there."""
        return {seat for watcher in self.watchers for seat in self.session.seats_of(watcher.entry)}

    def snapshot(self, shown: int, eyes: int) -> Snapshot:
        """A moment as some eyes see it, made once until something changes."""
        key = (shown, eyes)
        if key not in self._snapshots:
            if len(self._snapshots) >= MOST_SNAPSHOTS:
                self._snapshots.clear()
            self._snapshots[key] = Snapshot(self.session, shown, eyes)
        return self._snapshots[key]

    def changed(self, reason: str) -> None:
        """Something has changed: everybody is told, it is saved, agents go on."""
        self._snapshots.clear()
        self.used = monotonic()
        self._save()
        for watcher in list(self.watchers):
            watcher.tell(reason)
        self.drive()

    def reseat(self, seat: int) -> None:
        """The agent of a seat is another one now, or none."""
        if agent := self._agents.pop(seat, None):
            agent.close()

    def step(self) -> None:
        """One move of an agent, though the game is paused."""
        self._steps = 1
        self.drive()

    def drive(self) -> None:
        """Let the agents move, if it is their turn and nobody does it yet."""
        if self._driver is None or self._driver.done():
            self._driver = asyncio.get_running_loop().create_task(self._drive())

    async def _drive(self) -> None:
        while (seat := self._next_agent()) is not None:
            generation, start = self.session.generation, monotonic()
            try:
                view = self.session.game.copy().view()  # the game may be taken back while the agent thinks
                action = await self._agent(seat).move(view, self.thinking)
            except OddVilleError as error:
                if generation == self.session.generation:
                    self.session.fail(seat, str(error))
                    self.reseat(seat)
                    self.changed("seats")
                continue
            await self._keep_pace(start)
            if generation == self.session.generation and (not self.session.paused or self._steps):
                self._steps = 0
                with suppress(RefusalError):
                    self.session.push(action)
                self.changed("move")

    def _next_agent(self) -> int | None:
        """The seat of the agent that should move now."""
        waits = self.session.paused and not self._steps
        return None if waits or not self.watchers else self.session.next_agent

    async def _keep_pace(self, start: float) -> None:
        left = self.session.pace - (monotonic() - start)
        if left > 0 and not self._steps:
            await asyncio.sleep(left)
        else:
            await asyncio.sleep(0)  # a game of quick agents leaves room for the others

    def _agent(self, seat: int) -> SeatedAgent:
        session = self.session
        if seat not in self._agents:
            spec = session.chairs[seat].agent
            assert spec is not None
            self._agents[seat] = SeatedAgent(spec, session.game_type, session.settings, seat, session.seed)
        return self._agents[seat]

    def _save(self) -> None:
        """Save the game as it is now; while a file is being written, only the newest game waits."""
        self._unsaved = True
        if not self._saving:
            self._saving = True
            asyncio.get_running_loop().create_task(self._write())

    async def _write(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            while self._unsaved:
                self._unsaved = False
                plain: dict[str, Any] = plain_of(self.session)
                await loop.run_in_executor(self.thinking.files, self._folder.write, self.session.id, plain)
        except OSError as error:
            for watcher in self.watchers:
                watcher.warn("not_saved", f"the game cannot be saved: {error.strerror}")
        finally:
            self._saving = False

    @property
    def is_idle(self) -> bool:
        """Nobody is there, and nothing is under way: it may be forgotten until somebody comes back."""
        driving = self._driver is not None and not self._driver.done()
        return not self.watchers and not driving and not self._saving

    def close(self) -> None:
        """End what agents run."""
        if self._driver:
            self._driver.cancel()
        for seat in list(self._agents):
            self.reseat(seat)
