"""Middleware that checks the host and the origin of every request, and sets the security headers."""

from collections.abc import MutableMapping
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from oddville_env.web.refusal import STATUS, RefusalError

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
    """Refuses requests of foreign pages, and on loopback other hosts (Starlette's filter does not know `[::1]`).

    framed: other pages may show this one in a frame. Notebooks have addresses of every kind, so none can be named.
    """

    def __init__(self, app: ASGIApp, loopback: bool, framed: bool = False) -> None:
        self._app, self._loopback = app, loopback
        self._headers = HEADERS | ({"Content-Security-Policy": POLICY} if framed else {})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        if refusal := self._refusal(scope):
            await _refuse(refusal, scope, receive, send)
            return

        async def send_with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope) -> RefusalError | None:
        headers = Headers(scope=scope)
        host, *more = headers.getlist("host") or [""]
        if more:
            return RefusalError("bad_request", "a request must have one Host header")
        if self._loopback and _name_of(f"//{host}") not in LOOPBACK:
            return RefusalError("forbidden", "this server answers to localhost only")
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        origin = headers.get("origin")
        if changes and origin is not None and urlsplit(origin).netloc != host:
            return RefusalError("forbidden", "this request comes from a foreign page")
        return None


def _name_of(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


async def _refuse(refusal: RefusalError, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 4403, "reason": str(refusal)})
        return
    answer = JSONResponse({"error": refusal.plain()}, STATUS.get(refusal.code, 400), HEADERS)
    await answer(scope, receive, send)
