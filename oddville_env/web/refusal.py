"""Requests that the server refuses, why, and how many it takes; middleware that refuses those of foreign pages."""

from collections.abc import MutableMapping
from time import monotonic
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from oddville_env.core.errors import GameError

STATUS = {"not_found": 404, "forbidden": 403, "not_now": 409, "too_large": 413, "too_many": 429, "not_saved": 507}
"""The HTTP status of a refusal by its code; 400 where none is listed."""


class RefusalError(GameError):
    """A refused request.

    Args:
        code: the kind of refusal, as in PROTOCOL.md.
        sentence: the reason, in English.
        why: which sentence it is, for other languages, where a code has several.
        values: the values in the sentence.
    """

    def __init__(self, code: str, sentence: str, why: str = "", **values: str | int) -> None:
        super().__init__(sentence)
        self.code, self.why, self.values = code, why or code, values

    def plain(self) -> dict[str, Any]:
        """The refusal as browsers get it."""
        return {"code": self.code, "why": self.why, "values": self.values, "message": str(self)}

    def message(self, number: int | None = None) -> dict[str, Any]:
        """The answer to message `number` over the WebSocket; None: a warning, which answers none."""
        return {"type": "error", "id": number, **self.plain()}


class TokenBucket:
    """Counts events: so many at once (burst), and so many a second on average."""

    def __init__(self, burst: float, a_second: float) -> None:
        self._burst, self._a_second = burst, a_second
        self._left, self._last = burst, monotonic()

    def take(self) -> float:
        """Take a token, also one that is not there yet; returns the seconds until it is."""
        now = monotonic()
        self._left = min(self._burst, self._left + (now - self._last) * self._a_second) - 1
        self._last = now
        return max(-self._left / self._a_second, 0.0)

    def try_take(self) -> bool:
        """Take a token if one is there; returns whether it was."""
        if self.take() > 0:
            self._left += 1
            return False
        return True


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
