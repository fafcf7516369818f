"""Old Town, slowly and obviously: a twin of the compiled engine, written from the numbered rules alone.

Read it in this order: deck (the components), worlds and judge (what tokens and cards mean), table (what lies where),
words (what may be said), turns (what follows by itself), and here what each word does, in the function of its name.
"""

from typing import Any

from .turns import Turns
from .words import MOST_MINE
from .worlds import closed

DRAWS_AFTER_PLAY = 1  # D1
DRAWS_AFTER_PAIR = 2  # D1


class NaiveGame(Turns):
    """One game, set up from the chance of a record (hands, stacks, first seat) and moved on by words.

    To be read: `over`, `end`, `moves`, and everything that `Table` holds.
    """

    def _settle(self) -> None:
        """[E2] In a row, with no other word between them, not even a taken building."""
        if self.moves[-1] != "pass":
            self.passes = 0

    # Words

    def _do_take(self, building: str) -> None:
        """[S5, B2] A building from supply."""
        self.supply.remove(building)
        self._mover().mine.append(building)
        if self.phase == "take":
            self._fill_up()
        elif len(self._mover().mine) == MOST_MINE:
            self._next_in_setup()

    def _next_in_setup(self) -> None:
        """[S5] The next seat takes two buildings, or all have and the first turn begins."""
        assert self.to_move is not None, "S5"
        self.to_move = self._after(self.to_move)
        if self.to_move == self.first:
            self._begin_turn(self.first)

    def _do_play(self, number: str, own: str | None = None) -> None:
        """[P5, P6, P7] A change changes the board; a confirming card does nothing."""
        verdict = self._verdict(int(number), own)
        self._put_out(int(number))
        if verdict.after is not None:
            self._change_board(verdict.after)
        self._end_action(DRAWS_AFTER_PLAY)

    def _do_show(self, number: str) -> None:
        """[Q2, Q5] The first card of a pair stays in the hand; with the second both are out."""
        if self.shown is None:
            self.shown = int(number)
            self.phase = "show"
            return
        self._put_out(self.shown)
        self._put_out(int(number))
        self.shown = None
        if self._tokens():
            self.phase = "remove"
        else:
            self._end_action(DRAWS_AFTER_PAIR)

    def _do_remove(self, token: str) -> None:
        """[Q3, Q4] The token goes and the board closes."""
        building, lot = token.split("@")
        self._change_board(closed(self.board | {building: self.board[building] - {int(lot)}}))
        self._end_action(DRAWS_AFTER_PAIR)

    def _do_draw(self, stack: str) -> None:
        """[T3, D2] In phase main the draw is the whole turn."""
        self._draw(stack)
        if self.phase == "main":
            self._end_turn()
        else:
            self.draws -= 1
            self._go_on_drawing()

    def _do_pass(self) -> None:
        """[T4, E2] When all have passed in a row, the game ends."""
        self.passes += 1
        if self.passes == self.players:
            self._end_game("exhausted")
        else:
            self._end_turn()

    # Results

    def scores(self) -> list[int]:
        """[E3] The points of each seat so far."""
        return [seat.score for seat in self.seats]

    def ranks(self) -> list[int]:
        """[E4] One more than the number of seats with more points."""
        return [1 + sum(other > score for other in self.scores()) for score in self.scores()]

    def position(self, view: int | None = None) -> dict[str, Any]:
        """[K1] All that a seat sees; with view None everything."""
        return {
            "players": self.players,
            "first": self.first,
            "turn": self.turn,
            "phase": self.phase,
            "to_move": self.to_move,
            "view": view,
            "buildings": {key: sorted(self.board[key]) if key in self.board else None for key in self.deck.buildings},
            "supply": self.deck.in_order(self.supply),
            "seats": [
                {
                    "score": seat.score,
                    "mine": list(seat.mine),
                    "hand": list(seat.hand) if view in (None, number) else len(seat.hand),
                    "own": list(seat.own) if view is None else len(seat.own),
                }
                for number, seat in enumerate(self.seats)
            ],
            "common": list(self.common) if view is None else len(self.common),
            "played": list(self.played),
            "shown": self.shown,
            "draws": self.draws,
            "passes": self.passes,
            "end": self.end,
            "lone_confirm": self.lone_confirm,
        }
