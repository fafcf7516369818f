"""The server process: its socket and addresses, time limits for requests; and a server in a thread for notebooks."""

import asyncio
import atexit
import ipaddress
import os
import secrets
import shutil
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from io import StringIO
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import segno
import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from oddville_env.core.errors import SettingError
from oddville_env.core.game.game_type import GameType
from oddville_env.web.app import make_app
from oddville_env.web.sessions.lobby import Lobby, offered_agents

PATIENCE_S = 12.0  # for a whole request; longer than the time limit of uploads
LONGEST_HEAD = 65536  # bytes
LONGEST_FRAME = 65536  # bytes of a WebSocket message; longer ones close the connection unread
TOKEN_BYTES = 18
MOST_FILES = 16384


class PatientProtocol(HttpToolsProtocol):
    """HTTP with a time limit for every request, head and body; a late one closes its connection.

    TCP_NODELAY sends small messages at once; with Nagle's algorithm the second of two waits for 40 ms.
    """

    patience_s = PATIENCE_S
    _patience: asyncio.TimerHandle | None = None
    _in_head, _head = True, 0  # bytes of the head that has not ended yet

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A connection begins."""
        super().connection_made(transport)
        self._wait()
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def data_received(self, data: bytes) -> None:
        """More bytes of a request. Bytes that begin none, like empty lines, have the same time limit."""
        if self._patience is None and (self.cycle is None or self.cycle.response_complete):
            self._wait()
        self._head += len(data) * self._in_head
        super().data_received(data)
        if self._in_head and self._head > LONGEST_HEAD and not self.transport.is_closing():
            self.send_400_response("The head of this request is too long.")

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._wait()

    def on_headers_complete(self) -> None:
        """Its head has ended."""
        self._in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The request has ended."""
        self._in_head, self._head = True, 0
        self._stop_waiting()
        super().on_message_complete()

    def _wait(self) -> None:
        self._stop_waiting()
        self._patience = self.loop.call_later(self.patience_s, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        self._stop_waiting()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        """A request for a WebSocket has ended."""
        self._stop_waiting()
        super().handle_websocket_upgrade()


def serve(lobby: Lobby, host: str, port: int, ready: Callable[..., None]) -> None:
    """Serve until the process is interrupted; port 0 takes a free one.

    ready: called with the addresses of the page, the best one first. Raises SettingError where the port is taken, or
    another server uses the folder, and OSError where the folder cannot be used.
    """
    token = "" if is_loopback(host) else secrets.token_urlsafe(TOKEN_BYTES)
    listening = listening_at(host, port)
    more_files()
    addresses = [url(each, listening.getsockname()[1], f"{token}/" if token else "") for each in hosts(host)]
    with lobby.folder.kept(), suppress(KeyboardInterrupt):
        ready(*addresses)
        uvicorn.Server(configured(make_app(lobby, token, warm=True))).run(sockets=[listening])


NOWHERE = {"192.0.2.1": socket.AF_INET, "2001:db8::1": socket.AF_INET6}
"""Addresses for documentation [RFC 5737, RFC 3849]: choosing the own address that leads there sends nothing."""


def is_loopback(host: str) -> bool:
    """Whether only programs on this computer reach the host."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def hosts(host: str) -> list[str]:
    """The names that open a server on this host: the host itself, or for `0.0.0.0` and `::` the machine's addresses."""
    with suppress(ValueError):
        address = ipaddress.ip_address(host)
        if address.is_unspecified:
            own = [each for each in _own() if address.version > 4 or ":" not in each]  # `::` hears both kinds
            return own or ["::1" if address.version > 4 else "127.0.0.1"]
    return [host]


def _own() -> list[str]:
    """This machine's addresses in its network, the one of its default route first."""
    found: list[str] = []
    for nowhere, family in NOWHERE.items():
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asking:
            asking.connect((nowhere, 9))
            found.append(asking.getsockname()[0])
    with suppress(OSError):
        found += [str(each[4][0]) for each in socket.getaddrinfo(socket.gethostname(), None)]
    addresses = [ipaddress.ip_address(each.split("%")[0]) for each in found]
    return list(dict.fromkeys(str(each) for each in addresses if not (each.is_loopback or each.is_link_local)))


def url(host: str, port: int, path: str) -> str:
    """The address of a page."""
    return f"http://[{host}]:{port}/{path}" if ":" in host else f"http://{host}:{port}/{path}"


def qr_lines(text: str) -> str:
    """A QR code for a terminal."""
    out = StringIO()
    segno.make(text, micro=False).terminal(out, compact=True, border=2)
    return out.getvalue()


def configured(app: Starlette) -> uvicorn.Config:
    """The configuration of uvicorn for an application."""
    return uvicorn.Config(
        app,
        http=PatientProtocol,
        ws="websockets-sansio",
        ws_max_size=LONGEST_FRAME,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=3,  # seconds
    )


def listening_at(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 takes a free one. Raises SettingError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=1024)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise SettingError(f"the server cannot listen at {host}, port {port}: {reason}") from None


def more_files() -> None:
    """Raise the limit of open files (and connections) as far as the system allows it, where it has one."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(MOST_FILES, hard)
        if soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


HOST = "127.0.0.1"


class NotebookServer:
    """The page of one game, with a temporary folder for its games."""

    def __init__(self, game_type: GameType, data: dict[str, Any]) -> None:
        token, listening = secrets.token_urlsafe(TOKEN_BYTES), listening_at(HOST, 0)
        self._folder, self._home = Path(mkdtemp(prefix=f"{game_type.name}-")), os.getpid()
        self.lobby = Lobby([game_type], self._folder, offered_agents(game_type), data)
        self.address = url(HOST, listening.getsockname()[1], f"{token}/")
        app = make_app(self.lobby, token, warm=True, framed=True)
        self._server = uvicorn.Server(configured(app))
        self._thread = threading.Thread(target=self._server.run, args=([listening],), name="page", daemon=True)
        self._thread.start()
        atexit.register(self.stop)

    def stop(self) -> None:
        """End the server. A forked process, which inherits this object, leaves it alone."""
        if self._home == os.getpid():
            self._server.should_exit = True
            self._thread.join(5.0)
            shutil.rmtree(self._folder, ignore_errors=True)


@cache
def server_of(game_type: GameType, cards: Any) -> NotebookServer:
    """The server of this process for a game and its cards."""
    return NotebookServer(game_type, {option.name: cards for option in game_type.options if option.data})


def address_of(game: Any, view: int | None) -> str:
    """The address that shows a game, to look back and to ask agents; view: the seat as which it is shown.

    Raises RecordError where the game has no record, RefusalError where it is too long for the page.
    """
    server = server_of(game.game_type, game.box.cards)
    session = server.lobby.make_now({"game": game.game_name, "upload": game.record()}, view)
    return f"{server.address}#game={session.id}&key={session.keys.watch}"
