"""What the naive twins of both games share: what may be said depends on the phase."""

from collections.abc import Iterator


class Phased:
    """A game that has for each phase a function `_words_<phase>`."""

    phase: str

    @property
    def over(self) -> bool:
        """Whether the game has ended, or was cut off."""
        return self.phase == "over"

    def legal(self) -> list[str]:
        """List every word that the seat to move may say now, sorted as strings; none when the game is over."""
        if self.over:
            return []
        words: Iterator[str] = getattr(self, f"_words_{self.phase}")()
        return sorted(set(words))
