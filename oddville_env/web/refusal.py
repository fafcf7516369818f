"""Requests that the server refuses, why, and how many it takes."""

from time import monotonic
from typing import Any

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
