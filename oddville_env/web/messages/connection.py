"""One browser in one game: what it says is checked and done, what changes is told."""

import asyncio
import json
import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from time import monotonic
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from oddville_env.core.errors import GameError
from oddville_env.web.messages.handlers import Handlers
from oddville_env.web.messages.protocol import LONGEST_MESSAGE
from oddville_env.web.messages.schemas import parse_message
from oddville_env.web.messages.state_writer import StateWriter
from oddville_env.web.refusal import RefusalError
from oddville_env.web.sessions.lobby import Entered, Lobby

LOG = logging.getLogger("uvicorn.error")
MOST_WAITING = 100  # messages that a browser has not taken yet
MOST_UNHEARD = 8  # from so many on it is not answered until it has taken some
BURST, A_SECOND = 200.0, 50.0  # messages of it that are heard at once, and on average
MOST_BAD = 20  # in a row
TOO_SLOW, TOO_LARGE, TOO_MANY = 4408, 4413, 4429


class Connection:
    """A browser that has been let in."""

    def __init__(self, websocket: WebSocket, entered: Entered, lobby: Lobby) -> None:
        self.entry, self.room = entered.entry, entered.room
        self._websocket = websocket
        self._outgoing: asyncio.Queue[str] = asyncio.Queue()
        self._writer = StateWriter(entered)
        self._handlers = Handlers(entered, lobby, self._writer, self)
        self._allowance, self._last = BURST, monotonic()
        self._bad = 0
        self._closing: int | None = None
        self._heard = asyncio.Event()

    def send(self, message: dict[str, Any]) -> None:
        """Put a message into the queue of this browser."""
        if self._closing is None:
            self._outgoing.put_nowait(json.dumps(message, separators=(",", ":")))
            if self._outgoing.qsize() > MOST_WAITING:
                self._close(TOO_SLOW)

    def look(self) -> bool:
        """Settle as whom it looks now; whether it is shown something new."""
        return self._writer.look()

    def tell(self, reason: str) -> None:
        """The session has changed."""
        if reason in ("move", "undo"):
            self._handlers.stop()
        self.send(self._writer.state(reason))

    def warn(self, problem: RefusalError) -> None:
        """Something went wrong that this browser did not ask for."""
        self.send({"type": "error", "id": None, **problem.plain()})

    def hear(self, lines: Sequence[Mapping[str, Any]]) -> None:
        """Somebody said something."""
        self.send({"type": "chat", "lines": lines})

    async def run(self) -> None:
        """Talk until one of both has enough."""
        tasks: list[asyncio.Task[None]] = []
        try:
            await self.room.enter(self)
            self.send(self._writer.hello())
            self.send(self._writer.state("enter"))
            if lines := self.room.session.chat.lines:
                self.hear(lines)
            tasks += [asyncio.create_task(self._speak()), asyncio.create_task(self._listen())]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            self._handlers.close()
            self.room.go(self)
            with suppress(RuntimeError, WebSocketDisconnect):
                await self._websocket.close(self._closing or 1000)

    async def _speak(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):
            while self._closing is None:
                text = await self._outgoing.get()
                await self._websocket.send_text(text)
                self._heard.set()

    async def _listen(self) -> None:
        while self._closing is None:
            said = await self._websocket.receive()
            if said["type"] == "websocket.disconnect":
                return
            text = said.get("text")
            if text is None or len(text.encode()) > LONGEST_MESSAGE:
                self._close(TOO_LARGE)
                return
            await self._keep_measure()
            await self._answer(text)
            await asyncio.sleep(0)  # messages that wait already are no reason to let others wait

    async def _answer(self, text: str) -> None:
        number = None
        try:
            message = parse_message(text)
            number = message.get("id")
            await self._handlers.handle(message)
            self._bad = 0
        except RefusalError as error:
            self._refuse(error, number)
        except GameError as error:
            self._refuse(RefusalError("not_now", str(error)), number)
        except Exception:
            LOG.exception("a message could not be answered")
            self._refuse(RefusalError("failed", "the server could not do this"), number)

    def _refuse(self, error: RefusalError, number: int | None) -> None:
        self.send({"type": "error", "id": number, **error.plain()})
        self._bad = self._bad + 1 if error.code == "bad_message" else 0
        if self._bad >= MOST_BAD:
            self._close(TOO_MANY)

    async def _keep_measure(self) -> None:
        """Who says too much at once, or does not listen, is heard later."""
        while self._outgoing.qsize() >= MOST_UNHEARD and self._closing is None:
            self._heard.clear()
            await self._heard.wait()
        now = monotonic()
        self._allowance = min(BURST, self._allowance + (now - self._last) * A_SECOND) - 1
        self._last = now
        if self._allowance < 0:
            await asyncio.sleep(-self._allowance / A_SECOND)

    def _close(self, code: int) -> None:
        self._closing = self._closing or code
