"""Phases and turns: what begins, ends and is skipped by itself (T5, D3), and when the game is over (E1, E2)."""

from .words import Words


class Turns(Words):
    """The way through a game: turn after turn, phase after phase."""

    def _begin_turn(self, seat: int) -> None:
        """[T1] The next turn; own buildings are filled up first."""
        self.turn += 1
        self.to_move = seat
        self._fill_up()

    def _fill_up(self) -> None:
        """[T1, B2] Looked at anew before each building."""
        self.phase = "take" if self._must_take() else "main"

    def _end_turn(self) -> None:
        """[T1] The next seat clockwise has its turn."""
        assert self.to_move is not None, "a turn is somebody's"
        self._begin_turn(self._after(self.to_move))

    def _end_action(self, draws: int) -> None:
        """[E1, D1] After a play or a pair: the game ends with the last building, before drawing."""
        if self._is_complete():
            self._end_game("complete")
        else:
            self.draws = draws
            self.phase = "draw"
            self._go_on_drawing()

    def _go_on_drawing(self) -> None:
        """[D2, D3] Draw by itself where there is no choice; wait where there is one."""
        while self.draws and self._stacks():
            if len(self._stacks()) > 1:
                return
            self._draw(*self._stacks())
            self.draws -= 1
        self.draws = 0
        self._end_turn()

    def _end_game(self, how: str) -> None:
        """[E1, E2] Nobody is to move any more."""
        self.end = how
        self.phase = "over"
        self.to_move = None
