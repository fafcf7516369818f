"""What the server does not do, and why."""

from oddville_env.core.errors import OddVilleError

STATUS = {"not_found": 404, "forbidden": 403, "not_now": 409, "too_large": 413, "bad_request": 400}
"""The HTTP status of a refusal by its code; 400 where none is listed."""


class RefusalError(OddVilleError):
    """A request that is refused: a code of PROTOCOL.md, and a sentence."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
