"""What the server does not do, and why."""

from typing import Any

from oddville_env.core.errors import GameError

STATUS = {"not_found": 404, "forbidden": 403, "not_now": 409, "too_large": 413, "bad_request": 400}
"""The HTTP status of a refusal by its code; 400 where none is listed."""


class RefusalError(GameError):
    """A request that is refused: a code of PROTOCOL.md, and a sentence.

    why: which sentence it is, for other languages, where the code has several; values: what stands in it.
    """

    def __init__(self, code: str, sentence: str, why: str = "", **values: str | int) -> None:
        super().__init__(sentence)
        self.code, self.why, self.values = code, why or code, values

    def plain(self) -> dict[str, Any]:
        """What a browser is told of it."""
        return {"code": self.code, "why": self.why, "values": self.values, "message": str(self)}
