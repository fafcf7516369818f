"""What every request has to pass: the right host, no foreign page behind it, nothing that a page may not do."""

from collections.abc import MutableMapping
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

LOOPBACK = ("127.0.0.1", "localhost", "::1")
POLICY = "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'none'"
NOT_FRAMED = "; frame-ancestors 'none'"
HEADERS = {
    "Content-Security-Policy": POLICY + NOT_FRAMED,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}


class RequestFilter:
    """Refuses other hosts than loopback's where the server is on loopback, and requests that foreign pages make.

    framed: other pages may show it in a frame; notebooks have addresses of every kind, so none can be named.
    """

    def __init__(self, app: ASGIApp, loopback: bool, framed: bool = False) -> None:
        self._app, self._loopback = app, loopback
        self._headers = HEADERS | ({"Content-Security-Policy": POLICY} if framed else {})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        if problem := self._problem(scope):
            await _refuse(problem, scope, receive, send)
            return

        async def send_with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, send_with_headers)

    def _problem(self, scope: Scope) -> str:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if self._loopback and _name_of(f"//{host}") not in LOOPBACK:
            return "this server answers to localhost only"
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        origin = headers.get("origin")
        if changes and origin is not None and urlsplit(origin).netloc != host:
            return "this request comes from a foreign page"
        return ""


def _name_of(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


async def _refuse(problem: str, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 4403, "reason": problem})
        return
    body = {"error": {"code": "forbidden", "message": problem}}
    await JSONResponse(body, 403, HEADERS)(scope, receive, send)
