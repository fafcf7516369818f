"""The clock of a game among people: the seconds that each seat has left. Only the server measures time."""

from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from typing import Any

from oddville_env.core.checked import having, number, several, whole
from oddville_env.core.errors import RecordError

LEAST_S, MOST_S, MOST_INCREMENT_S = 10, 86_400, 3_600
MOST_MARKS = 1_000_000
_LEFT = number(0, 1e9)
CLOCK = having({
    "total": whole(LEAST_S, MOST_S), "increment": whole(0, MOST_INCREMENT_S),
    "left": several(_LEFT, 1, 8), "marks": several(several(_LEFT, 1, 8), 1, MOST_MARKS),
    **dict.fromkeys(("ended", "persons"), several(whole(0, 7), 0, 8)),
})  # fmt: skip
"""What is saved of a clock."""


class Clock:
    """What each seat has left of its time: `total` seconds at first, and `increment` more when its turn ends.

    Attributes:
        runs: the seat whose time runs.
        persons: the seats that a person has played, also those that an agent plays now.
        ended: the seats whose time is over.
        agent: the agent that continues for them.
    """

    def __init__(self, players: int, total: int, increment: int, now: Callable[[], float] = monotonic) -> None:
        self.total, self.increment, self.now = total, increment, now
        self.left = [float(total)] * players
        self.runs: int | None = None
        self.persons: set[int] = set()
        self.ended: set[int] = set()
        self.agent = "random"
        self._marks = [list(self.left)]  # the seconds of all seats after each number of moves
        self._since = now()

    def run(self, seat: int | None) -> None:
        """Let the time of this seat run from now on; None: of no seat."""
        now = self.now()
        if self.runs is not None:
            self.left[self.runs] = max(self.left[self.runs] - (now - self._since), 0.0)
        self.runs, self._since = seat, now

    def is_over(self, seat: int) -> bool:
        """Whether this seat has no time left."""
        self.run(self.runs)
        return self.left[seat] <= 0

    def moved(self, seat: int, following: int | None) -> None:
        """A seat has moved; following: the seat to move next, which may be the same one in the middle of its turn."""
        was_timed = self.runs == seat
        self.run(None)
        if was_timed and following != seat:
            self.left[seat] += self.increment
        self._marks.append(list(self.left))

    def take_back(self, moves: int) -> None:
        """Give all seats the time that they had after so many moves; a time that was over stays over."""
        self.run(None)
        self.left = [0.0 if seat in self.ended else left for seat, left in enumerate(self._marks[moves])]
        del self._marks[moves + 1 :]

    def end(self, seat: int) -> None:
        """The time of a seat is over for good."""
        self.run(None)
        self.left[seat] = 0.0
        self.ended.add(seat)
        self.persons.add(seat)

    def terms(self) -> dict[str, int]:
        """The terms of the clock."""
        return {"total": self.total, "increment": self.increment}

    def state(self, persons: Sequence[int]) -> dict[str, Any]:
        """The clock as every browser gets it; persons: the seats of persons, as agents' seats have no clock."""
        self.run(self.runs)
        left = [round(left, 2) if seat in persons else None for seat, left in enumerate(self.left)]
        return {**self.terms(), "left": left, "runs": self.runs, "ended": sorted(self.ended), "agent": self.agent}

    def plain(self) -> dict[str, Any]:
        """What is saved of it."""
        self.run(self.runs)
        marks = [[round(left, 2) for left in mark] for mark in self._marks]
        left, seats = [round(left, 2) for left in self.left], {"ended": [*self.ended], "persons": [*self.persons]}
        return {**self.terms(), "left": left, "marks": marks, **seats}

    @classmethod
    def restored(cls, plain: Mapping[str, Any], players: int, moves: int) -> "Clock":
        """A saved clock, stopped; raises RecordError for that of another game."""
        if len(plain["marks"]) != moves + 1 or {len(plain["left"]), *map(len, plain["marks"])} != {players}:
            raise RecordError(f"the clock of {players} players after {moves} moves has times of another game")
        if max([*plain["ended"], *plain["persons"]], default=0) >= players:
            raise RecordError(f"the clock of {players} players has seats of another game")
        clock = cls(players, plain["total"], plain["increment"])
        clock.left = [float(left) for left in plain["left"]]
        clock.ended, clock.persons = set(plain["ended"]), {*plain["ended"], *plain["persons"]}
        clock._marks = [[float(left) for left in mark] for mark in plain["marks"]]
        return clock
