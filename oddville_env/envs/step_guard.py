"""The order of calls: no step before a reset, nor after one that was broken off in the middle."""

from gymnasium.error import ResetNeeded

BEFORE = "reset() comes first: no game has been dealt yet"
BROKEN_OFF = "reset() comes first: the last call was broken off in the middle, so the games are between two moves"
OVER = "reset() comes first: the game is over"


class StepGuard:
    """Refuses what may not come now: `begin` and `finish` stand around whatever must not be left half done."""

    def __init__(self) -> None:
        self._refusal = BEFORE

    def check(self) -> None:
        """Raises ResetNeeded where a reset has to come first."""
        if self._refusal:
            raise ResetNeeded(self._refusal)

    def check_dealt(self) -> None:
        """Raises ResetNeeded before the first reset: there is nothing to look at."""
        if self._refusal == BEFORE:
            raise ResetNeeded(BEFORE)

    def end(self) -> None:
        """The game is over: the next call has to be a reset."""
        self._refusal = OVER

    def begin(self) -> None:
        """A step begins, and must come to its end: whatever is raised in between leaves the games between two moves."""
        self._refusal = BROKEN_OFF

    def finish(self) -> None:
        """It came to its end."""
        self._refusal = ""
