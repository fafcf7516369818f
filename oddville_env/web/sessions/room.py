"""A session with its browsers: states go out, agents move, the game is saved."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import Any, Protocol

from oddville_env.core.errors import GameError
from oddville_env.web.refusal import RefusalError
from oddville_env.web.sessions.access import Grant
from oddville_env.web.sessions.company import Seat
from oddville_env.web.sessions.saving import Folder, text_of
from oddville_env.web.sessions.session import Session
from oddville_env.web.sessions.snapshot import Snapshot
from oddville_env.web.sessions.thinking import SeatedAgent, Thinking

MOST_SNAPSHOTS = 16
AGAIN_S = 30.0  # seconds until a game that could not be saved is saved again


class Watcher(Protocol):
    """A browser in a session."""

    grant: Grant

    def look(self) -> bool:
        """Update the browser's view, and remember what it is shown; returns whether that is something new."""

    def update(self, reason: str) -> None:
        """The session has changed."""

    def send(self, message: dict[str, Any]) -> None:
        """Put a message into the browser's queue."""


class Room:
    """A session, its browsers and its agents.

    Attributes:
        unsaved: why the game could not be saved; empty where it is saved.
        arranging: a lock for making the next game, of which there is one.
    """

    def __init__(self, session: Session, thinking: Thinking, folder: Folder) -> None:
        self.session = session
        self.watchers: set[Watcher] = set()
        self.used = monotonic()
        self.thinking, self._folder = thinking, folder
        self._agents: dict[int, SeatedAgent] = {}
        self._snapshots: dict[tuple[int, int], Snapshot] = {}
        self._driver: asyncio.Task[None] | None = None
        self._steps = 0
        self.unsaved = ""
        self._text, self._settling = "", False
        self._again: asyncio.TimerHandle | None = None
        self._changing, self.arranging = asyncio.Lock(), asyncio.Lock()
        self._changes: set[asyncio.Task[None]] = set()
        self._timer: asyncio.TimerHandle | None = None

    async def enter(self, watcher: Watcher) -> None:
        """A browser comes. What it is shown is saved first. Agents play as long as a browser is there."""
        before = self._sitting()
        new = self.session.come(watcher.grant)
        while watcher.look() or new:
            new = False
            await self._save_first()
        self.watchers.add(watcher)
        self._run_clock()
        self._update_others(watcher, before)
        if self.unsaved:
            watcher.send(RefusalError("not_saved", self.unsaved).message())
        self.drive()

    async def show(self, grant: Grant) -> int:
        """The viewer that a key sees the game as; what it is shown is saved first."""
        viewer = self.session.viewer_of(grant)
        if self.session.show_to(grant, viewer):
            await self._save_first()
        return viewer

    async def _save_first(self) -> None:
        await asyncio.shield(self._begin(self._saved()))

    def go(self, watcher: Watcher) -> None:
        """A browser leaves."""
        before = self._sitting()
        self.watchers.discard(watcher)
        self.used = monotonic()
        if self._run_clock():
            self._begin(self._saved())
        self._update_others(watcher, before)

    def _sitting(self) -> tuple[set[int], list[Seat]]:
        return self.here, [replace(seat) for seat in self.session.seats]

    def _update_others(self, but: Watcher, before: tuple[set[int], list[Seat]]) -> None:
        """Spectators who come and go change nothing for others."""
        if self._sitting() != before:
            for watcher in self.watchers - {but}:
                watcher.update("seats")

    @property
    def here(self) -> set[int]:
        """The seats of persons whose browser is connected."""
        return {seat for watcher in self.watchers for seat in self.session.seats_of(watcher.grant)}

    def snapshot(self, shown: int, viewer: int) -> Snapshot:
        """A moment as a viewer sees it, cached until the session changes."""
        key = (shown, viewer)
        if key not in self._snapshots:
            if len(self._snapshots) >= MOST_SNAPSHOTS:
                self._snapshots.clear()
            self._snapshots[key] = Snapshot(self.session, shown, viewer)
        return self._snapshots[key]

    async def change(self, reason: str, work: Callable[[], object], first: Watcher | None = None) -> None:
        """Change the game: it is saved, then all browsers get the new state (`first` before the others), and agents
        move.

        One change runs at a time, and completes although the browser that asked for it leaves. Raises what `work`
        raises; then nothing has changed.
        """
        await asyncio.shield(self._begin(self._change(reason, work, first)))

    def _begin(self, change: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(change)
        self._changes.add(task)
        task.add_done_callback(self._changed)
        return task

    def _changed(self, task: asyncio.Task[None]) -> None:
        self._changes.discard(task)
        if not task.cancelled():
            task.exception()  # retrieved here, as the browser that awaits it may be gone

    async def _change(self, reason: str, work: Callable[[], object], first: Watcher | None) -> None:
        async with self._changing:
            work()
            self._run_clock()
            self._snapshots.clear()
            self.used = monotonic()
            for watcher in self.watchers:
                watcher.look()
            await self.save()
            for watcher in sorted(self.watchers, key=lambda each: each is not first):
                watcher.update(reason)
            if self.session.game.is_over:
                self._end_agents()
            self.drive()

    def _run_clock(self) -> bool:
        """Let the time of the seat to move run while a player is here; returns whether it ran and is stopped now."""
        clock = self.session.clock
        if clock is None:
            return False
        ran = clock.runs
        clock.run(self.session.timed_seat if self.here else None)
        if self._timer:
            self._timer.cancel()
        if clock.runs is not None:
            loop, left = asyncio.get_running_loop(), clock.left[clock.runs]
            self._timer = loop.call_later(left, lambda: self._begin(self._change("seats", self._end_time, None)))
        return ran is not None and clock.runs is None

    def _end_time(self) -> None:
        """Raises RefusalError where the seat has moved meanwhile."""
        clock = self.session.clock
        seat = clock.runs if clock else None
        if clock is None or seat is None or not clock.is_over(seat):
            raise RefusalError("stale", "the time is not over")
        self.session.end_time(seat)
        self.reseat(seat)

    async def say(self, grant: Grant, words: str, name: str | None) -> None:
        """Send a line of the chat to all browsers, and save it; raises RefusalError."""
        line = self.session.say(grant, words, name)
        for watcher in self.watchers:
            watcher.send({"type": "chat", "lines": [line]})
        await self._save_first()

    def reseat(self, seat: int) -> None:
        """End the agent of a seat: another one plays it now, or a person."""
        if agent := self._agents.pop(seat, None):
            agent.close()

    def step(self) -> None:
        """Let an agent make one move although the game is paused."""
        self._steps = 1
        self.drive()

    def drive(self) -> None:
        """Let the agents move, if it is their turn and they do not yet."""
        if self._driver is None or self._driver.done():
            self._driver = asyncio.get_running_loop().create_task(self._drive())

    async def _drive(self) -> None:
        while self.watchers and (self._steps or not self.session.paused):
            if (seat := self.session.next_agent) is None:
                return
            generation, start = self.session.generation, monotonic()
            try:
                view = self.session.game.copy().view()  # the game may be taken back while the agent thinks
                action = await self._agent(seat).move(view, self.thinking)
            except GameError as error:
                await self._try("seats", generation, partial(self._fail, seat, str(error)))
                continue
            left = self.session.pace - (monotonic() - start)
            await asyncio.sleep(left if left > 0 and not self._steps else 0)
            if not self.session.paused or self._steps:
                await self._try("move", generation, partial(self._push, action))

    async def _try(self, reason: str, generation: int, work: Callable[[], object]) -> None:
        """Change the game, unless it has changed meanwhile."""

        def unless_changed() -> None:
            if generation != self.session.generation:
                raise RefusalError("stale", "the game has changed meanwhile")
            work()

        with suppress(RefusalError):
            await self.change(reason, unless_changed)

    def _push(self, action: int) -> None:
        self._steps = 0
        self.session.push(action)

    def _fail(self, seat: int, sentence: str) -> None:
        self.session.fail(seat, sentence)
        self.reseat(seat)

    def _agent(self, seat: int) -> SeatedAgent:
        session = self.session
        if seat not in self._agents:
            spec = session.seats[seat].agent
            assert spec is not None
            self._agents[seat] = SeatedAgent(spec, session.game_type, session.settings, seat, session.seed)
        return self._agents[seat]

    async def save(self) -> bool:
        """Save the game as it is now; returns whether that worked. If not, it stays in memory, browsers are warned, and
        it is tried again."""
        self._text = text_of(self.session)
        saved = await self._stored(self.thinking.write, self._folder.keep)
        if saved:
            self._begin(self._settle())
        return saved

    async def _settle(self) -> None:
        """Wait until the disk has the newest state; one such wait runs at a time."""
        if self._settling or not self._text:
            return
        self._settling = True
        try:
            while self._text and await self._stored(self.thinking.settle, self._folder.settle):
                pass
        finally:
            self._settling = False

    async def _stored(self, run: Callable[..., Any], store: Callable[[str, str], None]) -> bool:
        text = self._text
        try:
            await run(store, self.session.id, text)
        except OSError as error:
            self.unsaved = f"the game cannot be saved: {error.strerror}"
            for watcher in self.watchers:
                watcher.send(RefusalError("not_saved", self.unsaved).message())
            if self._again is None:
                self._again = asyncio.get_running_loop().call_later(AGAIN_S, self._save_again)
            return False
        self.unsaved = ""
        if store == self._folder.settle and self._text == text:
            self._text = ""
        return True

    def _save_again(self) -> None:
        self._again = None
        self._begin(self._saved())

    async def _saved(self) -> None:
        async with self._changing:
            await self.save()

    @property
    def is_idle(self) -> bool:
        """Whether no browser is there and nothing is under way: it may leave memory until a browser enters again."""
        driving = self._driver is not None and not self._driver.done()
        return not (self.watchers or driving or self._changes or self.unsaved)

    def close(self) -> None:
        """End all that runs for this game."""
        for running in (self._again, self._driver, self._timer):
            if running:
                running.cancel()
        self._end_agents()

    def _end_agents(self) -> None:
        for seat in list(self._agents):
            self.reseat(seat)
