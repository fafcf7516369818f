"""The order of calls: no step before a reset, nor after a call that was interrupted."""

from gymnasium.error import ResetNeeded

BEFORE = "reset() comes first: no game has been dealt yet"
BROKEN_OFF = "reset() comes first: the last call was broken off in the middle, so the games are between two moves"
OVER = "reset() comes first: the game is over"


class StepGuard:
    """Refuses calls out of order: `begin` and `finish` stand around every call that changes games."""

    def __init__(self) -> None:
        self._refusal = BEFORE

    def check(self) -> None:
        """Raises ResetNeeded where a reset has to come first."""
        if self._refusal:
            raise ResetNeeded(self._refusal)

    def check_dealt(self) -> None:
        """Raises ResetNeeded before the first reset."""
        if self._refusal == BEFORE:
            raise ResetNeeded(BEFORE)

    def end(self) -> None:
        """The game is over: the next call has to be a reset."""
        self._refusal = OVER

    def begin(self) -> None:
        """A call begins; an error before `finish` leaves the games between two moves."""
        self._refusal = BROKEN_OFF

    def finish(self) -> None:
        """The call is complete."""
        self._refusal = ""
