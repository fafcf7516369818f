"""A game on the server: what each key may do in it. It does no input and output."""

from collections.abc import Container
from time import monotonic
from typing import Any

from oddville_env.core.errors import GameError
from oddville_env.core.svg.palette import SEAT_NAMES
from oddville_env.web.refusal import RefusalError
from oddville_env.web.sessions.access import HOST, OWN, Grant
from oddville_env.web.sessions.company import Rematch, Seat, UndoRequest, folded, is_taken, one_line, reserved
from oddville_env.web.sessions.seating import Seating


class Session(Seating):
    """A game that is played, or a replay: moves, undo, seats, names, chat."""

    paused, pace = False, 0.7  # seconds between two moves of agents
    asked: UndoRequest | None = None
    rematch: Rematch | None = None
    seed = generation = 0

    def at(self, move: int) -> Any:
        """A copy of the game as it was after `move` moves; raises RefusalError where it has fewer."""
        if not 0 <= move <= self.moves:
            raise RefusalError("no_such_move", f"the game has {self.moves} moves, there is no move {move}", n=move)
        return super().at(move)

    def play(self, grant: Grant, word: str, at: int, uncovered: int | None = None) -> None:
        """Play a move of a person whose browser knows `at` moves, and at whose screen the hand `uncovered` is shown.

        Raises RefusalError where the move is late, illegal or not theirs; then nothing changes.
        """
        if at != self.moves:
            raise RefusalError("stale", f"the game has moved on: {self.moves} moves were played, not {at}")
        seat = self.game.to_move
        if seat is None or seat not in self.seats_of(grant):
            raise RefusalError("not_your_turn", "it is not your turn")
        if self.covered(grant, uncovered) is not None:
            raise RefusalError("not_now", "this hand is covered until its player is there", "covered")
        if self.clock and self.clock.is_over(seat):
            raise RefusalError("not_now", "the time of this seat is over", "time_over")
        self.push(word)
        if self.clock:
            self.clock.persons.add(seat)

    def push(self, move: str | int) -> None:
        """Play a move of the seat to move; raises RefusalError where it is illegal, and nothing changes."""
        seat = self.game.to_move
        try:
            super().push(move)
        except GameError as error:
            raise RefusalError("illegal", str(error)) from None
        if self.clock:
            self.clock.moved(seat, self.game.to_move)
        self.asked = None
        self._changed()

    def last_decision(self, grant: Grant) -> int | None:
        """The number of the last move that a key may take back, None where it has none.

        No rematch counts the result, and among people the moves since then revealed nothing.
        """
        mine = self.seats_of(grant)
        own = [number for number, entry in enumerate(self.entries) if entry["seat"] in mine]
        if not own or self.rematch is not None:
            return None
        if self.is_among_people and (self.game.is_over or any(map(self.reveals, range(own[-1], self.moves)))):
            return None
        return own[-1]

    def undo(self, grant: Grant) -> None:
        """Take back to the last own decision, or ask the other people for it; raises RefusalError."""
        number = self.last_decision(grant)
        if number is None:
            raise RefusalError("not_allowed", "you have no move that can be undone", "no_undo")
        mine = self.seats_of(grant)
        self.asked = UndoRequest(mine, number, set(self.people) - set(mine))
        self._undo_if_agreed()

    def agree(self, grant: Grant, agrees: bool) -> None:
        """Answer another player's wish to take back; raises RefusalError where there is none."""
        mine = self.seats_of(grant)
        if self.asked is None or not self.asked.waits.intersection(mine):
            raise RefusalError("not_now", "there is no question for you to answer", "nobody_asks")
        self.asked.waits.difference_update(mine)
        if agrees:
            self._undo_if_agreed()
        else:
            self.asked = None

    def _undo_if_agreed(self) -> None:
        if self.asked is None or self.asked.waits:
            return
        number, self.asked = self.asked.move, None
        alone = not self.is_among_people
        if not self.take_back(number, deal_anew=alone) and alone:
            self.practice = True
        if self.clock:
            self.clock.take_back(number)
        self._changed()

    def may_replace(self, grant: Grant) -> bool:
        """Whether a key may give a failed agent's seat to another agent."""
        failed = [number for number, seat in enumerate(self.seats) if seat.failure]
        return any(self._seat_refusal(grant, seat, ()) is None for seat in failed)

    def seat(self, grant: Grant, seat: int, agent: str | None, here: Container[int] = ()) -> None:
        """Give a seat to an agent, or back to a person (None); here: the seats whose players are connected.

        Raises RefusalError where the key may not do this now.
        """
        if refusal := self._seat_refusal(grant, seat, here):
            raise refusal
        if agent is None and self.opened:
            sentence = "this game was shown with open hands: no person can join it any more"
            raise RefusalError("not_allowed", sentence, "opened")
        if seat in self.late and (agent is None or not self.seats[seat].failure):
            raise RefusalError("not_allowed", "the time of this seat is over", "time_over")
        self.had_people |= agent is None
        self._sit_down(seat, agent)

    def _seat_refusal(self, grant: Grant, seat: int, here: Container[int]) -> RefusalError | None:
        """Why a key may not change the player of a seat; None: it may."""
        if not (grant.role == "host" or (grant.role == "seat" and grant.seat == seat)) or self.is_replay:
            sentence = "only the host, or the seat's own player, may change who plays a seat"
            return RefusalError("not_allowed", sentence, "host_seats")
        if seat >= self.game.players:
            return RefusalError("not_allowed", f"there is no seat {seat}", "no_seat", n=seat)
        before = self.seats[seat]
        present = before.is_human and seat in here and not before.left
        if (before.place == OWN and present) if grant.role == "host" else before.place == HOST:
            sentence = "another player has this seat: only they may give it away"
            return RefusalError("not_allowed", sentence, "their_seat")
        return None

    def end_time(self, seat: int) -> None:
        """The time of a person is over: an agent plays for them to the end."""
        if self.clock:
            self.clock.end(seat)
            self._sit_down(seat, self.clock.agent)

    def _sit_down(self, seat: int, agent: str | None) -> None:
        before = self.seats[seat]
        self.seats[seat] = Seat(agent, before.person, before.place, before.wins)
        at_host = [each for each in self.seats if each.place == HOST]
        if any(not each.is_human for each in at_host) and self.seats_of(Grant("host")):
            self.practice = True  # an agent holds a hand that was shown at the screen of a person who still plays
        self.asked = None
        self._changed()

    def name(self, grant: Grant, seat: int, name: str) -> None:
        """Set a player's name; raises RefusalError where it looks like another one at this table."""
        if seat not in self.seats_of(grant):
            raise RefusalError("not_allowed", "only the seat's player may change its name", "their_name")
        called = one_line(name)
        if is_taken(called, self.seats, self._reserved - {folded(SEAT_NAMES[seat])}, seat):
            raise RefusalError("not_allowed", "another seat or an agent has this name, or one like it", "name_taken")
        self.seats[seat].person = called or None

    @property
    def _reserved(self) -> frozenset[str]:
        return reserved(self.game_type.name) | frozenset(map(folded, SEAT_NAMES))

    def wins(self, seat: int) -> int:
        """The number of games that a seat's player has won, of those that the same people played in a row."""
        outcome = self.game.outcome
        return self.seats[seat].wins + (outcome is not None and seat in outcome.winners and seat not in self.late)

    def say(self, grant: Grant, words: str, name: str | None) -> dict[str, Any]:
        """Add a line to the chat, and return it as every browser gets it; name: that of a spectator, if they give one.

        Raises RefusalError where the chat is off, the speaker too fast, or a spectator's name looks like a player's.
        """
        mine = self.seats_of(grant) or self.late_seats_of(grant)
        shown = self.seat_shown(grant) if len(mine) > 1 else None
        seat = shown if shown is not None else mine[0] if mine else None
        called = one_line(name or "") if seat is None else ""
        if is_taken(called, self.seats, self._reserved):
            raise RefusalError("not_allowed", "another seat or an agent has this name, or one like it", "name_taken")
        return self.chat.say(grant, seat, called or None, words)

    def leave(self, grant: Grant) -> None:
        """A person stands up."""
        for seat in self.seats_of(grant):
            self.seats[seat].left = True

    def fail(self, seat: int, sentence: str) -> None:
        """The agent of a seat cannot play any more."""
        self.seats[seat].failure = sentence
        self.seats[seat].since = monotonic()

    def _changed(self) -> None:
        """Results of thinking about the last position are outdated."""
        self.generation += 1
        if self.game.to_move is not None and self.seats:
            self.seats[self.game.to_move].since = monotonic()

    @property
    def next_agent(self) -> int | None:
        """The seat of the agent to move, if it can."""
        seat = self.game.to_move
        if seat is None or not self.seats or self.seats[seat].is_human or self.seats[seat].failure:
            return None
        return int(seat)
