"""What may be said: for each phase a function `_words_<phase>`, for each rule the words that it allows."""

from collections.abc import Iterator

from support.phases import Phased

from .table import Table

MOST_MINE = 2  # B1


class Words(Table, Phased):
    """The legal words of a game."""

    def _words_setup(self) -> Iterator[str]:
        """[S5] Any building of the supply."""
        yield from (f"take:{building}" for building in self.supply)

    def _words_take(self) -> Iterator[str]:
        """[B2] Any building of the supply."""
        yield from (f"take:{building}" for building in self.supply)

    def _words_main(self) -> Iterator[str]:
        """[T2, T3, T4] A play or the first card of a pair; else drawing; else passing."""
        words = [*self._play_words(), *self._first_show_words()]
        if not words:
            words = [f"draw:{stack}" for stack in self._stacks()]
        yield from words or ["pass"]

    def _words_show(self) -> Iterator[str]:
        """[Q2] The second card, of a higher number."""
        assert self.shown is not None, "Q2"
        yield from (f"show:{number}" for number in self._showable() if number > self.shown)

    def _words_remove(self) -> Iterator[str]:
        """[Q3] Any token on the board."""
        yield from (f"remove:{building}@{lot}" for building, lot in self._tokens())

    def _words_draw(self) -> Iterator[str]:
        """[D2] Any stack with cards."""
        yield from (f"draw:{stack}" for stack in self._stacks())

    # By rule

    def _choices(self, number: int) -> list[str | None]:
        """[C1, C2] The own buildings that a card of the hand can be used with; for type A the choice is none."""
        card = self.deck.cards[number]
        if card.type == "A":
            return [None]
        return [own for own in self._mover().mine if own != card.building]

    def _play_words(self) -> Iterator[str]:
        """[P5, P6] A change; with `lone_confirm` also a confirming card."""
        playable = ("change", "confirming") if self.lone_confirm else ("change",)
        for number in self._mover().hand:
            for own in self._choices(number):
                if self._verdict(number, own).name in playable:
                    yield f"play:{number}" if own is None else f"play:{number}:{own}"

    def _showable(self) -> list[int]:
        """[Q1] The cards of the hand that confirm or contradict, with at least one choice."""
        return [
            number
            for number in self._mover().hand
            if any(self._verdict(number, own).name in ("confirming", "contradicting") for own in self._choices(number))
        ]

    def _first_show_words(self) -> Iterator[str]:
        """[Q2] A card that counts, if another one of a higher number does too."""
        showable = self._showable()
        yield from (f"show:{number}" for number in showable if number < max(showable))

    def _tokens(self) -> list[tuple[str, int]]:
        """[W1, Q3] The tokens on the board."""
        return [(building, lot) for building, lots in self.board.items() if len(lots) > 1 for lot in lots]

    def _must_take(self) -> bool:
        """[B2] Fewer than two own buildings; none, when the supply is as small as the number of players."""
        enough = 1 if len(self.supply) <= self.players else MOST_MINE
        return len(self._mover().mine) < enough and bool(self.supply)
