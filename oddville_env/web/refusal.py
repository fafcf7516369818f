"""Requests that the server refuses, and why."""

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
