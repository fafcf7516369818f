"""The people of a table: seats, names that cannot be mistaken for one another, their chat, and their next game."""

import json
import re
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from time import monotonic, time
from typing import Any
from unicodedata import normalize

from oddville_env.core.checked import having, number, several, text, truth, whole
from oddville_env.core.system.extras import find_agents
from oddville_env.web.refusal import RefusalError, TokenBucket
from oddville_env.web.sessions.access import Grant, Keys

TEXTS, LABELS = Path(__file__).parents[1] / "static", re.compile(r"seat_\d|level_\w+")
LETTERS = str.maketrans("аеорсухіјԁһӏѕԛԝкмнтвгαβεζηικμνορτυχωγı01i", "aeopcyxljdhlsqwkmhtbrabezhlkmvoptuxwyloll")  # noqa: RUF001
"""Letters of other alphabets, and digits, that look like Latin letters (a part of Unicode's list of confusables)."""


@dataclass
class Seat:
    """A seat of a person (agent None) or of an agent.

    place: where its person plays (HOST or OWN), None before it is taken. It stays for the whole game, so that a
    hand that was shown at one place is never played at the other. wins: games won before, in a row of rematches.
    """

    agent: str | None = None
    person: str | None = None
    place: str | None = None
    wins: int = 0
    failure: str = ""
    left: bool = False
    since: float = field(default_factory=monotonic)

    @property
    def is_human(self) -> bool:
        """Whether a person plays it."""
        return self.agent is None

    @property
    def kind(self) -> str:
        """The kind of its player."""
        return "human" if self.is_human else "agent"


@dataclass
class UndoRequest:
    """A request to go back to the position after `move` moves; waits: the seats that have not agreed yet."""

    seats: list[int]
    move: int
    waits: set[int] = field(default_factory=set)

    def plain(self) -> dict[str, Any]:
        """The request as every browser gets it."""
        return {"what": "undo", "seats": self.seats, "move": self.move, "waits": sorted(self.waits)}


@dataclass
class Rematch:
    """The next game of the same people: its id, and its keys by the seats of that game."""

    id: str
    keys: Keys

    def of(self, grant: Grant) -> dict[str, str]:
        """The next game's id, and its key for the holder of a key of this game."""
        if grant.seat is not None:
            return {"id": self.id, "key": self.keys.seats[(grant.seat + 1) % len(self.keys.seats)]}
        return {"id": self.id, "key": self.keys.host if grant.role == "host" else self.keys.watch}

    def plain(self) -> dict[str, Any]:
        """What is saved of it."""
        return {"id": self.id, **self.keys._asdict()}


def next_seats(seats: Sequence[Seat], wins: Sequence[int], ended: Container[int] = ()) -> list[Seat]:
    """The seats of a rematch: every player moves one seat further, with their wins and their place.

    ended: seats where an agent replaced a person whose time was over; the person returns.
    """
    moved = [
        Seat(None if number in ended else seat.agent, seat.person, seat.place, won)
        for number, (seat, won) in enumerate(zip(seats, wins, strict=True))
    ]
    return [*moved[-1:], *moved[:-1]]


def folded(name: str) -> str:
    """A name by its look: names that look alike give the same text."""
    plain = normalize("NFKD", normalize("NFKD", name).casefold()).translate(LETTERS)
    return "".join(letter for letter in plain if letter.isalnum()).replace("rn", "m").replace("vv", "w")


@cache
def reserved(game: str) -> frozenset[str]:
    """The folded names of seats, agents and levels in all languages of the page, which no person may take."""
    labels = [
        label
        for file in TEXTS.rglob("texts/*.json")
        for key, label in json.loads(file.read_text(encoding="utf-8")).items()
        if LABELS.fullmatch(key)
    ]
    return frozenset(map(folded, [*labels, *find_agents().built_in(game)]))


def is_taken(name: str, seats: Sequence[Seat], reserved: Iterable[str], own: int | None = None) -> bool:
    """Whether a name looks like one of another person, a seat or an agent; own: the seat that may keep its name."""
    people = [seat.person for number, seat in enumerate(seats) if seat.person and number != own]
    look = folded(name)
    return look != "" and any(looks_like(look, other) for other in (*reserved, *map(folded, people)))


def looks_like(one: str, other: str) -> bool:
    """Whether two folded names are alike, where letters that have no Latin counterpart may stand for any other.

    At least half of the letters must be the same: a name in another script is like no Latin one.
    """
    pairs = list(zip(one, other, strict=False))
    alike = len(one) == len(other) and 2 * sum(a == b for a, b in pairs) >= len(one)
    return alike and all(a == b or not (a.isascii() and b.isascii()) for a, b in pairs)


MOST_KEPT = 100  # lines
BURST, A_SECOND = 5.0, 0.5  # lines of one key
_LINE = {"seat": whole(0, 7).or_none(), "name": text().or_none(), "text": text(), "when": number(0, 1e11)}
CHAT = having({"allowed": truth(), "lines": several(having(_LINE), 0, MOST_KEPT)})
"""What is saved of a chat."""


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

    def restore(self, plain: Mapping[str, Any]) -> None:
        """Take in what was saved."""
        self.allowed = plain["allowed"]
        self.lines = [{name: line[name] for name in _LINE} for line in plain["lines"]]
