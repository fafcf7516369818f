"""The same people once more: seats changed, wins kept, and the way there for everybody's key."""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import Any

from oddville_env.web.sessions.keys import Entry, Keys
from oddville_env.web.sessions.seats import Seat


@dataclass
class Rematch:
    """The next game of the same people: its id, and its keys by the seats of that game."""

    id: str
    keys: Keys

    def of(self, entry: Entry) -> dict[str, str]:
        """The next game and the key to it of who has come with a key of this one."""
        return {"id": self.id, "key": self._key(entry)}

    def _key(self, entry: Entry) -> str:
        if entry.seat is not None:
            return self.keys.seats[next_seat(entry.seat, len(self.keys.seats))]
        return self.keys.host if entry.role == "host" else self.keys.watch

    def plain(self) -> dict[str, Any]:
        """What is saved of it."""
        return {"id": self.id, **self.keys.plain()}


def next_seat(seat: int, players: int) -> int:
    """Where who has sat here sits in the next game."""
    return (seat + 1) % players


def next_seats(seats: Sequence[Seat], wins: Sequence[int], ended: Container[int] = ()) -> list[Seat]:
    """Everybody one seat further, with their wins; each plays where they have played.

    ended: seats where an agent played on for a person whose time was over: the person is back.
    """
    moved = [
        Seat(None if number in ended else seat.agent, seat.person, seat.place, won)
        for number, (seat, won) in enumerate(zip(seats, wins, strict=True))
    ]
    return [*moved[-1:], *moved[:-1]]
