"""The seats of a game on the server: which ones a key plays, and what its screen shows."""

from collections.abc import Mapping, Sequence
from itertools import dropwhile
from typing import Any

from oddville_env.core.game.game_type import GameType
from oddville_env.web.refusal import RefusalError
from oddville_env.web.sessions import access
from oddville_env.web.sessions.access import Grant, Keys
from oddville_env.web.sessions.clock import Clock
from oddville_env.web.sessions.company import Chat, Seat
from oddville_env.web.sessions.game import SessionGame


class Seating(SessionGame):
    """A game with seats and keys; a replay has no seats.

    Attributes:
        view: the seat as which every browser sees a replay; None: everything is visible.
        with_help: people may ask agents although other people play.
        had_people: a person plays, or has played.
        opened: a browser was shown everything that is hidden.
        practice: a player knows, or may know, more than a player should.
    """

    view: int | None = None
    with_help = opened = practice = False
    clock: Clock | None = None

    def __init__(
        self, ident: str, game_type: GameType, game: Any, seats: Sequence[Seat], keys: Keys, data: Mapping[str, Any]
    ) -> None:
        super().__init__(game_type, game, data)
        self.id, self.keys, self.seats, self.chat = ident, keys, list(seats), Chat()
        self.is_replay = not seats
        self.had_people = bool(self.people)

    @property
    def people(self) -> list[int]:
        """The seats of persons."""
        return [number for number, seat in enumerate(self.seats) if seat.is_human]

    @property
    def is_open(self) -> bool:
        """Whether everything is visible to all: a replay, or a game that no person has ever played."""
        return self.view is None and (self.is_replay or not self.had_people)

    @property
    def has_open_record(self) -> bool:
        """Whether the record, which holds everything hidden, may be downloaded."""
        return bool(self.game.is_over) or (self.is_replay and self.is_open)

    @property
    def persons(self) -> list[int]:
        """The seats of persons, also those that an agent plays at the moment."""
        known = self.clock.persons if self.clock else ()
        return [number for number, seat in enumerate(self.seats) if seat.is_human or seat.place or number in known]

    @property
    def late(self) -> list[int]:
        """The seats of persons whose time is over."""
        return sorted(self.clock.ended) if self.clock else []

    @property
    def timed_seat(self) -> int | None:
        """The seat whose time runs while it is to move: a person's, from its second turn on, until its time is over.

        It also runs while an agent plays the seat: lending a seat to an agent saves no time.
        """
        seat = self.game.to_move
        if seat is None or seat not in self.persons or seat in self.late:
            return None
        since = dropwhile(lambda entry: entry["seat"] != seat, self.entries)  # a turn ends where another seat moves
        return seat if any(entry["seat"] != seat for entry in since) else None

    @property
    def is_among_people(self) -> bool:
        """Whether more than one person plays."""
        return len(self.persons) > 1

    def seats_of(self, grant: Grant) -> list[int]:
        """The seats of persons that a key plays."""
        return self._played(grant, self.people)

    def late_seats_of(self, grant: Grant) -> list[int]:
        """The seats of a key whose time is over: an agent plays there, but the person is still at the table."""
        return self._played(grant, self.late)

    def _played(self, grant: Grant, seats: Sequence[int]) -> list[int]:
        turn = access.SHARED if self.private else access.OPEN
        return [seat for seat in seats if self._access(grant, seat, turn).plays]

    def _access(self, grant: Grant, seat: int, turn: str) -> access.Access:
        role = "host" if grant.role == "host" else "own" if grant.seat == seat else "other"
        return access.TABLE[role, self.seats[seat].place, turn]

    def _turn(self, seat: int, mine: Sequence[int], uncovered: int | None) -> str:
        if not self.private:
            return access.OPEN
        if uncovered == seat and (self.game.to_move == seat or self.game.to_move not in mine):
            return access.CLAIMED
        return access.ALONE if mine == self.persons == [seat] else access.SINGLE if mine == [seat] else access.SHARED

    def seat_shown(self, grant: Grant, uncovered: int | None = None) -> int | None:
        """The seat whose hand a key's screen shows; uncovered: the seat whose person said to be there."""
        mine, turn = self.seats_of(grant), self.game.to_move
        if mine and not self.private:
            return turn if turn in mine else mine[0]
        seen = [seat for seat in mine if self._access(grant, seat, self._turn(seat, mine, uncovered)).sees]
        return uncovered if uncovered in seen else seen[0] if seen else None

    def covered(self, grant: Grant, uncovered: int | None = None) -> int | None:
        """The seat whose hand waits at a key's screen for its person; None where there is none."""
        mine = self.seats_of(grant)
        if not mine or self.game.is_over or self.seat_shown(grant, uncovered) is not None:
            return None
        return self.game.to_move if self.game.to_move in mine else mine[0] if len(mine) == 1 else None

    def check_uncovered(self, grant: Grant, seat: int) -> None:
        """Raises RefusalError where the hand of a seat may not be uncovered at a key's screen now."""
        mine = self.seats_of(grant)
        hidden = self.private and self._turn(seat, mine, seat) != access.CLAIMED
        if seat not in mine or hidden or (self.game.to_move != seat and self.game.to_move in mine):
            raise RefusalError("not_allowed", f"the hand of seat {seat} may not be shown here now", "other_hand")

    def viewer_of(self, grant: Grant, uncovered: int | None = None) -> int:
        """The viewer that a key sees the game as: a seat, PUBLIC, or ALL."""
        if self.is_open:
            return access.ALL
        seat = self.view if self.is_replay else self.seat_shown(grant, uncovered)
        return access.PUBLIC if seat is None else seat

    def show_to(self, grant: Grant, viewer: int) -> bool:
        """Remember what a key is shown; returns whether that is something new."""
        if not self.private or self.is_replay:
            return False
        if viewer == access.ALL and not self.opened:
            self.opened = True
            return True
        if grant.role == "host" and viewer >= 0 and self.seats[viewer].place is None:
            self.seats[viewer].place = access.HOST
            return True
        return False

    def come(self, grant: Grant) -> bool:
        """A browser enters: a seat's own key binds the seat to it. Returns whether that is something new."""
        seat = None if self.is_replay or grant.seat is None else self.seats[grant.seat]
        new = seat is not None and seat.place is None
        if seat is not None and new:
            seat.place = access.OWN
        for mine in self.seats_of(grant):
            self.seats[mine].left = False
        return new

    def may_ask(self, grant: Grant) -> bool:
        """Whether a key may ask agents: no person plays, one person alone does, or the game was made with help."""
        if self.game.is_over or self.is_open or self.is_replay:
            return True
        return bool(self.seats_of(grant)) and (self.with_help or not self.is_among_people)

    def may_see_chances(self, grant: Grant) -> bool:
        """Whether a key may see win chances of all moves: where they reveal nothing hidden."""
        return self.may_ask(grant) and (not self.private or self.is_open or bool(self.game.is_over))
