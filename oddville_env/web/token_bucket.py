"""A token bucket: so many events at once, and so many a second on average."""

from time import monotonic


class TokenBucket:
    """Counts events against a burst and a rate."""

    def __init__(self, burst: float, a_second: float) -> None:
        self._burst, self._a_second = burst, a_second
        self._left, self._last = burst, monotonic()

    def take(self) -> float:
        """Take a token, also one that is not there yet; returns the seconds until it is."""
        now = monotonic()
        self._left = min(self._burst, self._left + (now - self._last) * self._a_second) - 1
        self._last = now
        return max(-self._left / self._a_second, 0.0)

    def try_take(self) -> bool:
        """Take a token if one is there; returns whether it was."""
        if self.take() > 0:
            self._left += 1
            return False
        return True
