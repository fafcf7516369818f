"""The server in its process: a socket, and patience with those who say nothing."""

import asyncio
import ipaddress
import secrets
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from oddville_env.core.errors import SettingError
from oddville_env.web.app import make_app
from oddville_env.web.sessions.lobby import Lobby

PATIENCE_S = 10.0  # until a connection must have sent a request
LONGEST_FRAME = 65536  # bytes of a WebSocket message that are looked at at all
GRACE_S = 3  # until a server that ends has closed its connections
TOKEN_BYTES = 18
MOST_FILES = 16384


class PatientProtocol(H11Protocol):
    """HTTP over a connection that is closed where no whole request comes in time."""

    patience_s = PATIENCE_S

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody has connected."""
        super().connection_made(transport)
        self._patience = self.loop.call_later(self.patience_s, self._lose_patience)

    def _lose_patience(self) -> None:
        if self.cycle is None:
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        self._patience.cancel()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: Any) -> None:
        """It has asked for a WebSocket: that was a request."""
        self._patience.cancel()
        super().handle_websocket_upgrade(event)


def is_loopback(host: str) -> bool:
    """Only programs on this computer reach the host's address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def serve(lobby: Lobby, host: str, port: int, ready: Callable[[str], None]) -> None:
    """Serve until the process is told to end; ready gets the address of the page. Raises SettingError, OSError."""
    token = "" if is_loopback(host) else secrets.token_urlsafe(TOKEN_BYTES)
    listening = _socket(host, port)
    more_files()
    name = f"[{host}]" if ":" in host else host
    address = f"http://{name}:{listening.getsockname()[1]}/" + (f"{token}/" if token else "")
    config = uvicorn.Config(
        make_app(lobby, token),
        http=PatientProtocol,
        ws="websockets-sansio",
        ws_max_size=LONGEST_FRAME,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE_S,
    )
    with lobby.folder.kept(), suppress(KeyboardInterrupt):
        ready(address)
        uvicorn.Server(config).run(sockets=[listening])


def _socket(host: str, port: int) -> socket.socket:
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
