"""The order of calls: no step before a reset, nor after one that was broken off in the middle."""

from types import TracebackType

from gymnasium.error import ResetNeeded

BEFORE = "reset() comes first: no game has been dealt yet"
BROKEN_OFF = "reset() comes first: the last call was broken off in the middle, so the games are between two moves"
OVER = "reset() comes first: the game is over"


class StepGuard:
    """Refuses what may not come now; `with` it around whatever must not be left half done."""

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

    def __enter__(self) -> None:
        self._refusal = BROKEN_OFF

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if kind is None:
            self._refusal = ""
