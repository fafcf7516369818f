"""Keys that open a game, which seats they play, and what their screens show of hidden hands."""

import secrets
from hmac import compare_digest
from typing import Any, NamedTuple

ID_BYTES, KEY_BYTES = 16, 24
ID_PATTERN = r"[A-Za-z0-9_-]{22}"


class Grant(NamedTuple):
    """What a key allows: the role of its holder (host, seat, watch), and for a seat which one."""

    role: str
    seat: int | None = None


class Keys(NamedTuple):
    """The keys of one game."""

    host: str
    watch: str
    seats: list[str]

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


def fresh_id() -> str:
    """An id of a game: 22 letters that fit a file's name and an address."""
    return secrets.token_urlsafe(ID_BYTES)


HOST, OWN = "host", "own"
"""The places where a seat is played: at the host's screen, or with the seat's own key."""

ALL = -2
"""The viewer of a game that no person plays: everything is visible."""
PUBLIC = -1
"""The viewer without a seat."""


class Access(NamedTuple):
    """What a key may do with a seat: see its hand, and play it. A hand that is played but not seen is covered."""

    sees: bool
    plays: bool


BOTH, COVERED, SEES, NONE = Access(True, True), Access(False, True), Access(True, False), Access(False, False)

OPEN, ALONE, SINGLE, CLAIMED, SHARED = "open", "alone", "single", "claimed", "shared"
"""The turn at a screen. open: the game hides nothing. alone: the seat's person is the only one in the game. single: no
other person plays at this screen. claimed: the seat's person said to be there, and no other person of this screen is to
move. shared: none of these."""

_ROWS: dict[tuple[str, str | None], tuple[Access, ...]] = {
    # (role of the key, place of the seat): open, alone, single, claimed, shared
    ("host", None): (BOTH, BOTH, COVERED, BOTH, COVERED),
    ("host", HOST): (BOTH, BOTH, BOTH, BOTH, COVERED),
    ("host", OWN): (SEES, NONE, NONE, NONE, NONE),
    ("own", None): (BOTH, BOTH, BOTH, BOTH, BOTH),
    ("own", HOST): (BOTH, NONE, NONE, NONE, NONE),
    ("own", OWN): (BOTH, BOTH, BOTH, BOTH, BOTH),
    ("other", None): (SEES, NONE, NONE, NONE, NONE),
    ("other", HOST): (SEES, NONE, NONE, NONE, NONE),
    ("other", OWN): (SEES, NONE, NONE, NONE, NONE),
}
TABLE = {
    (role, place, turn): access
    for (role, place), row in _ROWS.items()
    for turn, access in zip((OPEN, ALONE, SINGLE, CLAIMED, SHARED), row, strict=True)
}
"""(role, place, turn) -> access. The role is that of a key to a seat: the host's, the seat's own, or another one."""


def is_private(game: Any) -> bool:
    """Whether the seats see different things of this game."""
    views = [game.position(view=seat) for seat in range(game.players)]
    return any(view != views[0] for view in views)


def position_for(game: Any, viewer: int, private: bool) -> dict[str, Any]:
    """The position as a viewer sees it: a seat, ALL, or PUBLIC.

    PUBLIC sees each seat as the one before it sees it, and the rest where two seats agree.
    """
    if viewer == ALL or not private:
        return dict(game.position())
    if viewer >= 0:
        return dict(game.position(view=viewer))
    views = [game.position(view=seat) for seat in range(game.players)]
    common = {name: value if views[-1][name] == value else None for name, value in views[0].items()}
    common["seats"] = [views[seat - 1]["seats"][seat] for seat in range(game.players)]
    return common
