"""The server in its process: a socket, and patience with those who say nothing."""

import asyncio
import secrets
import socket
from collections.abc import Callable
from contextlib import suppress

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from oddville_env.core.errors import SettingError
from oddville_env.web.addresses import hosts, is_loopback, url
from oddville_env.web.app import make_app
from oddville_env.web.sessions.lobby import Lobby

PATIENCE_S = 12.0  # until a request must have come to its end; longer than what is said of slow uploads
LONGEST_HEAD = 65536  # bytes
LONGEST_FRAME = 65536  # bytes of a WebSocket message that are looked at at all
GRACE_S = 3  # until a server that ends has closed its connections
TOKEN_BYTES = 18
MOST_FILES = 16384


class PatientProtocol(HttpToolsProtocol):
    """HTTP over a connection that is closed where a request, its head and its body, does not come in time.

    What is said leaves at once: of a small message after another one the system would wait 40 ms for more.
    """

    patience_s = PATIENCE_S
    _patience: asyncio.TimerHandle | None = None
    _in_head, _head = True, 0  # bytes of the head that has not ended yet

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody has connected."""
        super().connection_made(transport)
        self._wait()
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def data_received(self, data: bytes) -> None:
        """More of a request; what does not even begin one is no reason to stay."""
        if self._patience is None and (self.cycle is None or self.cycle.response_complete):
            self._wait()
        self._head += len(data) * self._in_head
        super().data_received(data)
        if self._in_head and self._head > LONGEST_HEAD and not self.transport.is_closing():
            self.send_400_response("This request begins with too much.")

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
        self._wait_no_more()
        super().on_message_complete()

    def _wait(self) -> None:
        self._wait_no_more()
        self._patience = self.loop.call_later(self.patience_s, self.transport.abort)

    def _wait_no_more(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        self._wait_no_more()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        """It has asked for a WebSocket: that was a request."""
        self._wait_no_more()
        super().handle_websocket_upgrade()


def serve(lobby: Lobby, host: str, port: int, ready: Callable[..., None]) -> None:
    """Serve until the process is told to end; ready gets the addresses of the page, the best one first.

    Raises SettingError, OSError.
    """
    token = "" if is_loopback(host) else secrets.token_urlsafe(TOKEN_BYTES)
    listening = listening_at(host, port)
    more_files()
    addresses = [url(each, listening.getsockname()[1], f"{token}/" if token else "") for each in hosts(host)]
    with lobby.folder.kept(), suppress(KeyboardInterrupt):
        ready(*addresses)
        uvicorn.Server(configured(make_app(lobby, token, warm=True))).run(sockets=[listening])


def configured(app: Starlette) -> uvicorn.Config:
    """How an application is served."""
    return uvicorn.Config(
        app,
        http=PatientProtocol,
        ws="websockets-sansio",
        ws_max_size=LONGEST_FRAME,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE_S,
    )


def listening_at(host: str, port: int) -> socket.socket:
    """A socket that takes connections; port 0: a free one. Raises SettingError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=1024)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise SettingError(f"the server cannot listen at {host}, port {port}: {reason}") from None


def more_files() -> None:
    """As many open connections as the system allows without asking; not every system has such limits."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(MOST_FILES, hard)
        if soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
