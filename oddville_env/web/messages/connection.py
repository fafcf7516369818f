"""One browser in one game: its messages are checked and carried out, changes are sent to it."""

import asyncio
import json
import logging
from contextlib import suppress
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from oddville_env.core.errors import GameError
from oddville_env.web.messages.handlers import Handlers
from oddville_env.web.messages.protocol import LONGEST_MESSAGE, parse_message
from oddville_env.web.messages.state_writer import StateWriter
from oddville_env.web.refusal import RefusalError, TokenBucket
from oddville_env.web.sessions.lobby import Entered, Lobby

LOG = logging.getLogger("uvicorn.error")
MOST_WAITING = 100  # messages that a browser has not read yet
MOST_UNREAD = 8  # from so many unread messages on, the browser's own messages wait
BURST, A_SECOND = 200.0, 50.0  # messages of a browser
MOST_BAD = 20  # malformed messages in a row
TOO_SLOW, TOO_LARGE, TOO_MANY = 4408, 4413, 4429


class Connection:
    """A browser in a game."""

    def __init__(self, websocket: WebSocket, entered: Entered, lobby: Lobby) -> None:
        self.grant, self.room = entered.grant, entered.room
        self._websocket = websocket
        self._outgoing: asyncio.Queue[str] = asyncio.Queue()
        self._writer = StateWriter(entered)
        self._handlers = Handlers(entered, lobby, self._writer, self)
        self._rate = TokenBucket(BURST, A_SECOND)
        self._bad = 0
        self._closing: int | None = None
        self._heard = asyncio.Event()

    def send(self, message: dict[str, Any]) -> None:
        """Put a message into this browser's queue."""
        if self._closing is None:
            self._outgoing.put_nowait(json.dumps(message, separators=(",", ":")))
            if self._outgoing.qsize() > MOST_WAITING:
                self._close(TOO_SLOW)

    def look(self) -> bool:
        """Update its view; returns whether it is shown something new."""
        return self._writer.look()

    def update(self, reason: str) -> None:
        """The session has changed."""
        if reason in ("move", "undo"):
            self._handlers.stop()
        self.send(self._writer.state(reason))

    async def run(self) -> None:
        """Exchange messages until one side closes the connection."""
        tasks: list[asyncio.Task[None]] = []
        try:
            await self.room.enter(self)
            self.send(self._writer.hello())
            self.send(self._writer.state("enter"))
            if lines := self.room.session.chat.lines:
                self.send({"type": "chat", "lines": lines})
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
            await self._limit_rate()
            await self._answer(text)
            await asyncio.sleep(0)  # other browsers have their turn, also during a flood of messages

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
        self.send(error.message(number))
        self._bad = self._bad + 1 if error.code == "bad_message" else 0
        if self._bad >= MOST_BAD:
            self._close(TOO_MANY)

    async def _limit_rate(self) -> None:
        """Wait, where the browser sends too fast or does not read."""
        while self._outgoing.qsize() >= MOST_UNREAD and self._closing is None:
            self._heard.clear()
            await self._heard.wait()
        if wait := self._rate.take():
            await asyncio.sleep(wait)

    def _close(self, code: int) -> None:
        self._closing = self._closing or code
