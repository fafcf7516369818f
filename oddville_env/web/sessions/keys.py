"""Keys that open a game. A key plays no seat, one, or all of those of persons."""

import secrets
from hmac import compare_digest
from typing import Any, NamedTuple

ID_BYTES, KEY_BYTES = 16, 24
ID_PATTERN = r"[A-Za-z0-9_-]{22}"


class Grant(NamedTuple):
    """What a key allows: the role of its holder (host, seat, watch), and for a seat which one."""

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

    def grant(self, key: str) -> Grant | None:
        """What a key allows; None for a key of another game. It takes equally long for every key."""
        seats = [(known, Grant("seat", seat)) for seat, known in enumerate(self.seats)]
        found = None
        for known, grant in [(self.host, Grant("host")), (self.watch, Grant("watch")), *seats]:
            if compare_digest(known.encode(), key.encode()):
                found = grant
        return found

    def plain(self) -> dict[str, Any]:
        """The keys as plain values."""
        return {"host": self.host, "watch": self.watch, "seats": self.seats}


def fresh_id() -> str:
    """An id of a game: 22 letters that fit a file's name and an address."""
    return secrets.token_urlsafe(ID_BYTES)
