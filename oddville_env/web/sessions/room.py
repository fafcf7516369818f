"""A session with those who look at it: states go out, agents move, the game is saved."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import Any, Protocol

from oddville_env.core.errors import GameError
from oddville_env.web.refusal import RefusalError
from oddville_env.web.sessions.keys import Entry
from oddville_env.web.sessions.saving import Folder, text_of
from oddville_env.web.sessions.seats import Seat
from oddville_env.web.sessions.session import Session
from oddville_env.web.sessions.snapshot import Snapshot
from oddville_env.web.sessions.thinking import SeatedAgent, Thinking
from oddville_env.web.sessions.time_keeping import TimeKeeper

MOST_SNAPSHOTS = 16
AGAIN_S = 30.0  # seconds until a game that could not be saved is saved again


class Watcher(Protocol):
    """One browser that looks at a session."""

    entry: Entry

    def look(self) -> bool:
        """Settle as whom it looks now, and remember what it is shown; whether that is something new."""

    def tell(self, reason: str) -> None:
        """The session has changed."""

    def warn(self, problem: RefusalError) -> None:
        """Something went wrong that nobody asked for."""

    def hear(self, lines: Sequence[Mapping[str, Any]]) -> None:
        """Somebody said something."""


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
        self.unsaved = ""
        """Why the game could not be saved; empty: it is saved."""
        self._text, self._settling = "", False
        self._again: asyncio.TimerHandle | None = None
        self._changing = asyncio.Lock()
        self.arranging = asyncio.Lock()  # of the next game, of which there is one
        self._changes: set[asyncio.Task[None]] = set()
        self._times = TimeKeeper(session, lambda work: self._begin(self._change("seats", work, None)), self.reseat)

    async def enter(self, watcher: Watcher) -> None:
        """A browser comes: that is saved, and what it is shown. Agents go on as long as somebody is there."""
        before = self._sitting()
        new = self.session.come(watcher.entry)
        while watcher.look() or new:
            new = False
            await self._save_first()
        self.watchers.add(watcher)
        self._times.look(bool(self.here))
        self._tell_others(watcher, before)
        if self.unsaved:
            watcher.warn(RefusalError("not_saved", self.unsaved))
        self.drive()

    async def show(self, entry: Entry) -> int:
        """As whom a key looks; what it is shown is remembered first."""
        viewer = self.session.viewer_of(entry)
        if self.session.show_to(entry, viewer):
            await self._save_first()
        return viewer

    async def _save_first(self) -> None:
        await asyncio.shield(self._begin(self._saved()))

    def go(self, watcher: Watcher) -> None:
        """A browser leaves."""
        before = self._sitting()
        self.watchers.discard(watcher)
        self.used = monotonic()
        if self._times.look(bool(self.here)):
            self._begin(self._saved())
        self._tell_others(watcher, before)

    def _sitting(self) -> tuple[set[int], list[Seat]]:
        """What others see of who is there."""
        return self.here, [replace(seat) for seat in self.session.seats]

    def _tell_others(self, but: Watcher, before: tuple[set[int], list[Seat]]) -> None:
        """Spectators who come and go change nothing for others."""
        if self._sitting() != before:
            for watcher in self.watchers - {but}:
                watcher.tell("seats")

    @property
    def here(self) -> set[int]:
        """The seats of persons whose browser is there."""
        return {seat for watcher in self.watchers for seat in self.session.seats_of(watcher.entry)}

    def snapshot(self, shown: int, viewer: int) -> Snapshot:
        """A moment as a viewer sees it, made once until something changes."""
        key = (shown, viewer)
        if key not in self._snapshots:
            if len(self._snapshots) >= MOST_SNAPSHOTS:
                self._snapshots.clear()
            self._snapshots[key] = Snapshot(self.session, shown, viewer)
        return self._snapshots[key]

    async def change(self, reason: str, work: Callable[[], object], first: Watcher | None = None) -> None:
        """Change the game: it is saved, then everybody is told (who asked for it first), and agents go on.

        One change at a time; it is carried through though whoever asked for it goes. Raises what work raises, and then
        nothing has changed.
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
            task.exception()  # whoever asked has it, if they are still there

    async def _change(self, reason: str, work: Callable[[], object], first: Watcher | None) -> None:
        async with self._changing:
            work()
            self._times.look(bool(self.here))
            self._snapshots.clear()
            self.used = monotonic()
            for watcher in self.watchers:
                watcher.look()
            await self.save()
            for watcher in sorted(self.watchers, key=lambda each: each is not first):
                watcher.tell(reason)
            if self.session.game.is_over:
                self._dismiss()
            self.drive()

    async def say(self, entry: Entry, words: str, name: str | None) -> None:
        """A line of the chat: everybody hears it, and it is saved; raises RefusalError."""
        line = self.session.say(entry, words, name)
        for watcher in self.watchers:
            watcher.hear([line])
        await self._save_first()

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
            except GameError as error:
                await self._try("seats", generation, partial(self._fail, seat, str(error)))
                continue
            await self._keep_pace(start)
            if not self.session.paused or self._steps:
                await self._try("move", generation, partial(self._push, action))

    async def _try(self, reason: str, generation: int, work: Callable[[], object]) -> None:
        """Change the game, if it has not gone on meanwhile."""

        def still() -> None:
            if generation != self.session.generation:
                raise RefusalError("stale", "the game has gone on")
            work()

        with suppress(RefusalError):
            await self.change(reason, still)

    def _push(self, action: int) -> None:
        self._steps = 0
        self.session.push(action)

    def _fail(self, seat: int, sentence: str) -> None:
        self.session.fail(seat, sentence)
        self.reseat(seat)

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
            spec = session.seats[seat].agent
            assert spec is not None
            self._agents[seat] = SeatedAgent(spec, session.game_type, session.settings, seat, session.seed)
        return self._agents[seat]

    async def save(self) -> None:
        """Save the game as it is now. One that cannot be saved stays in memory, and everybody there is told."""
        self._text = text_of(self.session)
        if await self._stored(self.thinking.write, self._folder.keep):
            self._begin(self._settle())

    async def _settle(self) -> None:
        """See it safely on the disk, if it was not seen there yet, or is not just now."""
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
                watcher.warn(RefusalError("not_saved", self.unsaved))
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
        """Nobody is there, and nothing is under way: it may be forgotten until somebody comes back."""
        driving = self._driver is not None and not self._driver.done()
        return not (self.watchers or driving or self._changes or self.unsaved)

    def close(self) -> None:
        """End what agents run."""
        if self._again:
            self._again.cancel()
        if self._driver:
            self._driver.cancel()
        self._times.stop()
        self._dismiss()

    def _dismiss(self) -> None:
        """Let the agents go, with all that they remember."""
        for seat in list(self._agents):
            self.reseat(seat)
