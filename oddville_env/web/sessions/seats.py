"""Who sits at the table: its person or its agent, seat by seat."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from time import monotonic

HOST, OWN = "host", "own"
"""Where a seat's person plays: at the host's screen, or with the seat's own key."""


@dataclass
class Seat:
    """A seat: a person (agent None) or an agent sits there; nobody in a replay.

    place: where its person plays (HOST or OWN), None as long as nobody has come. It stays so all through the game,
    whoever moves for the seat meanwhile: a hand that was shown at one place is not played at the other. wins: games
    that who sits here has won before, of those that the same people played one after the other.
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
        """A person's."""
        return self.agent is None


def has_name(seats: Sequence[Seat], name: str, but: int | None = None) -> bool:
    """Somebody who plays is called so already, in another seat than this one."""
    others = [seat.person for number, seat in enumerate(seats) if seat.person and number != but]
    return name.casefold() in map(str.casefold, others)
