"""Middleware that checks the origin of every request, and sets the security headers."""

from collections.abc import MutableMapping
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from oddville_env.web.refusal import STATUS, RefusalError

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
    """Refuses requests of foreign pages.

    framed: other pages may show this one in a frame. Notebooks have addresses of every kind, so none can be named.
    """

    def __init__(self, app: ASGIApp, framed: bool) -> None:
        self._app = app
        self._headers = HEADERS | ({"Content-Security-Policy": POLICY} if framed else {})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
            await send(message)

        app: ASGIApp = self._app
        if refusal := _refusal(scope):
            answer = JSONResponse({"error": refusal.plain()}, STATUS.get(refusal.code, 400))
            app = answer if scope["type"] == "http" else WebSocketClose(4403, str(refusal))
        await app(scope, receive, send_with_headers)


def _refusal(scope: Scope) -> RefusalError | None:
    headers = Headers(scope=scope)
    host, *more = headers.getlist("host") or [""]
    if more:
        return RefusalError("bad_request", "a request must have one Host header")
    changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
    origin = headers.get("origin")
    if changes and origin is not None and origin.partition("://")[2] != host:
        return RefusalError("forbidden", "this request comes from a foreign page")
    return None
