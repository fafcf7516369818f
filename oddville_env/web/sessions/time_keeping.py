"""The clock of a room: which seat's time runs, and what happens when it is over."""

import asyncio
from collections.abc import Callable
from itertools import dropwhile

from oddville_env.web.refusal import RefusalError
from oddville_env.web.sessions.session import Session


def timed_seat(session: Session) -> int | None:
    """The seat whose time runs while it is to move: a person's, from its second turn on, until its time is over.

    It also runs while an agent plays the seat: lending a seat to an agent saves no time.
    """
    seat = session.game.to_move
    is_timed = seat is not None and seat in session.persons and seat not in session.late
    return seat if is_timed and _has_had_a_turn(session, seat) else None


def _has_had_a_turn(session: Session, seat: int) -> bool:
    """A turn may have several moves: it ends where another seat moves."""
    since = dropwhile(lambda entry: entry["seat"] != seat, session.entries)
    return any(entry["seat"] != seat for entry in since)


class TimeKeeper:
    """Starts and stops the clock of a session, if it has one.

    Args:
        session: the Session.
        begin: carries out a change of the game soon.
        reseat: ends the agent that plays a seat.
    """

    def __init__(
        self, session: Session, begin: Callable[[Callable[[], object]], object], reseat: Callable[[int], object]
    ) -> None:
        self._session, self._begin, self._reseat = session, begin, reseat
        self._timer: asyncio.TimerHandle | None = None

    def update(self, here: bool) -> bool:
        """Let the time of the seat to move run while a player is here; returns whether it ran and is stopped now."""
        clock = self._session.clock
        if clock is None:
            return False
        ran = clock.runs
        clock.run(timed_seat(self._session) if here else None)
        self.stop()
        if clock.runs is not None:
            self._timer = asyncio.get_running_loop().call_later(clock.left[clock.runs], self._begin, self._ended)
        return ran is not None and clock.runs is None

    def _ended(self) -> None:
        """Raises RefusalError where the seat has moved meanwhile."""
        clock = self._session.clock
        seat = clock.runs if clock else None
        if clock is None or seat is None or not clock.is_over(seat):
            raise RefusalError("stale", "the time is not over")
        self._session.end_time(seat)
        self._reseat(seat)

    def stop(self) -> None:
        """Wait for no end."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
