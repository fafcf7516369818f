"""The chat of a table: its last lines, and how fast each key may write."""

from collections import defaultdict
from time import time
from typing import Any

from oddville_env.core.checked import check, instance, number, several, text, truth, whole
from oddville_env.core.errors import RecordError
from oddville_env.web.refusal import RefusalError, TokenBucket
from oddville_env.web.sessions.access import Grant

MOST_KEPT = 100  # lines
BURST, A_SECOND = 5.0, 0.5  # lines of one key
LATEST_S = 1e11  # as a time
_LINE = {"seat": whole(0, 7).or_none(), "name": text().or_none(), "text": text(), "when": number(0, LATEST_S)}
_KINDS = {"allowed": truth(), "lines": several(instance(dict), 0, MOST_KEPT)}


def one_line(words: str) -> str:
    """A text as one line, without characters that are invisible or change the direction of reading."""
    return "".join(sign for sign in " ".join(words.split()) if sign.isprintable())


class Chat:
    """The lines of a game; allowed: the host has not switched the chat off."""

    def __init__(self) -> None:
        self.allowed = True
        self.lines: list[dict[str, Any]] = []
        self._rates: dict[Grant, TokenBucket] = defaultdict(lambda: TokenBucket(BURST, A_SECOND))

    def say(self, grant: Grant, seat: int | None, name: str | None, words: str) -> dict[str, Any]:
        """Add a line of a seat or of a spectator; raises RefusalError. All spectators together share one rate."""
        said = one_line(words)
        if not self.allowed:
            raise RefusalError("not_allowed", "the host has switched off the chat", "chat_off")
        if not said:
            raise RefusalError("not_allowed", "this line is empty", "chat_empty")
        if not self._rates[grant].try_take():
            raise RefusalError("not_now", "too many lines at once: wait a little", "chat_fast")
        line = {"seat": seat, "name": name, "text": said, "when": time()}
        self.lines = [*self.lines, line][-MOST_KEPT:]
        return line

    def plain(self) -> dict[str, Any]:
        """What is saved of it."""
        return {"allowed": self.allowed, "lines": self.lines}

    def restore(self, plain: Any) -> None:
        """Take in what was saved; raises RecordError."""
        if not isinstance(plain, dict):
            raise RecordError("chat must be an object")
        check(plain, _KINDS, RecordError)
        for line in plain["lines"]:
            check(line, _LINE, RecordError)
        self.allowed = plain["allowed"]
        self.lines = [{name: line[name] for name in _LINE} for line in plain["lines"]]
