"""Phases and turns: what begins, ends and is skipped by itself (T6), and when the game is over (E1, E4)."""

from .words import Words

MOST_HELD = 2  # L2
OPTIONAL = ("extra", "bonus", "end", "builder")  # T6


class Turns(Words):
    """The way through a game: turn after turn, phase after phase."""

    def _settle(self) -> None:
        """[T6, L2, N6] After every word: what interrupts, ends by itself or is skipped, until somebody has a choice."""
        while not self.over and self.phase != "setup":
            if len(self._mover().held) > MOST_HELD:
                self._begin_discard()
                return
            nothing_pending = self.phase == "bonus" and not self.pending  # N6: over even if an ability could be used
            only_done = self.phase in OPTIONAL and self.legal() == ["done"]
            if not nothing_pending and not only_done:
                return
            self._end_phase()

    def _begin_turn(self, seat: int) -> None:
        """[T1, C9] A turn begins, in a new round if it is the first seat's; the benefactor pays its owner."""
        self._forget_turn()
        self.phase = "main"
        self.active = self.to_move = seat
        if seat == self.first:
            self.round += 1
        if self._has("benefactor"):
            self._gain_coins(seat, 1)

    def _begin_discard(self) -> None:
        """[L2, T6] The discard interrupts the phase and returns to it; `worker` and `pending` wait."""
        self.resume = self.phase
        self.phase = "discard"

    def _end_phase(self) -> None:
        """[T6, N6, C3, C11] What `done` means in each optional phase."""
        if self.phase == "extra":
            self._end_action()
        elif self.phase == "bonus":
            self._end_bonuses()
        elif self.phase == "end":
            self._begin_window()
        else:
            self._end_turn()

    def _end_action(self) -> None:
        """[T6] The main action is over; abilities may still be used."""
        self.worker = None
        self.phase = "end"

    def _end_bonuses(self) -> None:
        """[N6, B6, C11] The rest is given up, then the guild's favour; T4 does not apply in the Builder's window."""
        self.pending = []
        self._guild_favour()
        if self._in_window():
            self._end_turn()
        else:
            self._end_action()

    def _begin_window(self) -> None:
        """[C11] The turn is otherwise over: who has the builder now may build, if it was another seat that built."""
        owner = self._owner("builder")
        if self.built and owner is not None and owner != self.active:
            self.to_move = owner
            self.phase = "builder"
        else:
            self._end_turn()

    def _end_turn(self) -> None:
        """[E1, E4, S6] The game ends after the turn with the sixth worker or after the last round; or the next turn."""
        following = (self.active + 1) % self.players
        last_of_all = following == self.first and self.round == self.max_rounds
        if self.trigger is not None or last_of_all:
            self.truncated = self.trigger is None
            self._forget_turn()
            self.phase = "over"
            self.to_move = None
        else:
            self._begin_turn(following)
