"""Whose time runs in a room, and what happens when it is over."""

import asyncio
from collections.abc import Callable

from oddville_env.web.refusal import RefusalError
from oddville_env.web.sessions.session import Session


class TimeKeeper:
    """Starts and stops the clock of a session, if it has one. begin: carries out a change of the game soon."""

    def __init__(self, session: Session, begin: Callable[[Callable[[], object]], object]) -> None:
        self._session, self._begin = session, begin
        self._timer: asyncio.TimerHandle | None = None

    def look(self, here: bool) -> bool:
        """Let the time of who is to move run while somebody who plays is here; whether it ran, and stands now."""
        clock = self._session.clock
        if clock is None:
            return False
        ran = clock.runs
        clock.run(self._session.timed_seat if here else None)
        self.stop()
        if clock.runs is not None:
            self._timer = asyncio.get_running_loop().call_later(clock.left[clock.runs], self._begin, self._ended)
        return ran is not None and clock.runs is None

    def _ended(self) -> None:
        """[as a change] Nothing, if who had so little time has moved meanwhile."""
        clock = self._session.clock
        if clock is None or clock.runs is None or not clock.is_over(clock.runs):
            raise RefusalError("stale", "the time is not over")
        self._session.end_time(clock.runs)

    def stop(self) -> None:
        """Wait for no end."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
