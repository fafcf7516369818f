"""Who may enter: keys that cannot be guessed. A key owns seats, none, one or all of those of persons."""

import secrets
from hmac import compare_digest
from typing import Any, NamedTuple

ID_BYTES, KEY_BYTES = 16, 24
ID_PATTERN = r"[A-Za-z0-9_-]{22}"


class Entry(NamedTuple):
    """What a key lets a browser do: its role (host, seat, watch), and for a seat which one."""

    role: str
    seat: int | None = None


class Keys:
    """The keys of one game."""

    def __init__(self, host: str, watch: str, seats: list[str]) -> None:
        self.host, self.watch, self.seats = host, watch, seats

    @classmethod
    def fresh(cls, players: int) -> "Keys":
        """New keys for a game."""
        host, watch, *seats = (secrets.token_urlsafe(KEY_BYTES) for _ in range(players + 2))
        return cls(host, watch, seats)

    def entry(self, key: str) -> Entry | None:
        """What a key lets in to; None for one of another game. It takes as long for every key."""
        found = None
        for known, entry in self._all():
            if compare_digest(known.encode(), key.encode()):
                found = entry
        return found

    def _all(self) -> list[tuple[str, Entry]]:
        seats = [(key, Entry("seat", seat)) for seat, key in enumerate(self.seats)]
        return [(self.host, Entry("host")), (self.watch, Entry("watch")), *seats]

    def plain(self) -> dict[str, Any]:
        """All of them in plain values."""
        return {"host": self.host, "watch": self.watch, "seats": self.seats}


def fresh_id() -> str:
    """An id of a game: 22 letters that fit a file's name and an address."""
    return secrets.token_urlsafe(ID_BYTES)
