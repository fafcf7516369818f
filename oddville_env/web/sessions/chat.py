"""What people at a table say to each other: its last lines, and how fast each may speak."""

from time import monotonic, time
from typing import Any

from oddville_env.core.checked.kinds import check, instance, number, several, text, truth, whole
from oddville_env.core.errors import RecordError
from oddville_env.web.refusal import RefusalError
from oddville_env.web.sessions.keys import Entry

MOST_KEPT = 100  # lines
BURST, EVERY_S = 5.0, 2.0  # lines of one key at once, and seconds for each one after them
LATEST_S = 1e11  # as a time
_LINE = {
    "seat": whole(0, 7).or_none(),
    "name": text().or_none(),
    "text": text(),
    "when": number(0, LATEST_S),
}
_KINDS = {"allowed": truth(), "lines": several(instance(dict), 0, MOST_KEPT)}


def one_line(words: str) -> str:
    """What somebody typed as one line, without signs that are not seen or turn the direction of reading."""
    return "".join(sign for sign in " ".join(words.split()) if sign.isprintable())


class Chat:
    """The lines of a game; allowed: its host lets people speak."""

    def __init__(self) -> None:
        self.allowed = True
        self.lines: list[dict[str, Any]] = []
        self._left: dict[Entry, tuple[float, float]] = {}

    def say(self, entry: Entry, seat: int | None, name: str | None, words: str) -> dict[str, Any]:
        """Take in a line of a seat, or of somebody who watches; raises RefusalError."""
        said = one_line(words)
        if not self.allowed:
            raise RefusalError("not_allowed", "the host has switched off the chat", "chat_off")
        if not said:
            raise RefusalError("not_allowed", "there is nothing in this line", "chat_empty")
        self._keep_measure(entry)
        line = {"seat": seat, "name": name, "text": said, "when": time()}
        self.lines = [*self.lines, line][-MOST_KEPT:]
        return line

    def _keep_measure(self, entry: Entry) -> None:
        """Who has come with the same key shares what may be said: all who watch speak together as fast as one seat."""
        now = monotonic()
        left, last = self._left.get(entry, (BURST, now))
        left = min(BURST, left + (now - last) / EVERY_S)
        if left < 1:
            raise RefusalError("not_now", "more was said than can be read: wait a little", "chat_fast")
        self._left[entry] = (left - 1, now)

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
