"""What the naive twins of both games share: what may be said depends on the phase."""


class Phased:
    """A game with a function `_words_<phase>` for each phase, and `_do_<kind>` for each kind of words."""

    phase: str
    moves: list[str]

    @property
    def over(self) -> bool:
        """Whether the game has ended, or was cut off."""
        return self.phase == "over"

    def legal(self) -> list[str]:
        """List every word that the seat to move may say now, sorted as strings; none when the game is over."""
        if self.over:
            return []
        return sorted(set(getattr(self, f"_words_{self.phase}")()))

    def play(self, word: str) -> None:
        """Say one word: carry it out, then whatever follows from it by itself."""
        if word not in self.legal():
            raise ValueError(f"{word!r} is not legal in phase {self.phase}: {' '.join(self.legal()) or 'no word is'}")
        self.moves.append(word)
        kind, *rest = word.split(":")
        getattr(self, f"_do_{kind}")(*rest)
        self._settle()

    def _settle(self) -> None:
        raise NotImplementedError
