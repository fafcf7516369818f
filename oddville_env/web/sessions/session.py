"""A game on the server: the game itself, who sits where, and what may be done in it. It does no input and output."""

from collections.abc import Container, Mapping, Sequence
from time import monotonic
from typing import Any

from oddville_env.core.errors import GameError
from oddville_env.core.game.game_type import GameType
from oddville_env.core.game.scene import Scene
from oddville_env.core.parts.played_game import dealt_anew
from oddville_env.web.refusal import RefusalError
from oddville_env.web.sessions.chat import Chat, one_line
from oddville_env.web.sessions.clock import Clock
from oddville_env.web.sessions.keys import Entry, Keys
from oddville_env.web.sessions.move_list import entries_of, entry_of
from oddville_env.web.sessions.rematch import Rematch
from oddville_env.web.sessions.seats import HOST, OWN, Seat, has_name
from oddville_env.web.sessions.taking_back import Asked, Revealing
from oddville_env.web.sessions.viewers import ALL, PUBLIC, is_private, position_for

PACE = 0.7  # seconds between two moves of agents


class Session:
    """A game being played, or a replay, where nobody sits. data: the settings that its record does not hold.

    view: the seat as which everybody looks at a replay, None: all of it is open. with_help: people may ask agents
    though other people play. had_people: a person sits there, or has sat. opened: somebody has seen all that is
    hidden. practice: somebody who plays knows, or may know, more than a player should.
    """

    def __init__(
        self, ident: str, game_type: GameType, game: Any, seats: Sequence[Seat], keys: Keys, data: Mapping[str, Any]
    ) -> None:
        self.id, self.game_type, self.game, self.keys = ident, game_type, game, keys
        record = game.record()
        self.told_settings = {option.name: record[option.name] for option in game_type.options if not option.data}
        self.settings = game_type.settings(game.players, **self.told_settings, **data)
        self.scene: Scene | None = game_type.scene() if game_type.scene else None
        self.seats = list(seats)
        self.is_replay = not seats
        self.view: int | None = None
        self.paused, self.pace = False, PACE
        self.with_help = self.opened = self.practice = False
        self.had_people = bool(self.people)
        self.asked: Asked | None = None
        self.clock: Clock | None = None
        self.rematch: Rematch | None = None
        self.chat, self._data = Chat(), dict(data)
        self.private = is_private(game)
        self.seed = self.generation = 0
        self.entries = entries_of(self.scene, game, self.private)
        self._revealing = Revealing(self.players if self.private else 1)

    @property
    def moves(self) -> int:
        """How many moves were played."""
        return len(self.entries)

    @property
    def players(self) -> int:
        """The number of seats."""
        return int(self.game.players)

    @property
    def people(self) -> list[int]:
        """The seats of persons."""
        return [number for number, seat in enumerate(self.seats) if seat.is_human]

    def at(self, move: int) -> Any:
        """The game as it was after so many moves; raises RefusalError."""
        if not 0 <= move <= self.moves:
            raise RefusalError("no_such_move", f"the game has {self.moves} moves, there is no move {move}", n=move)
        game = self.game.copy()
        game.take_back(move)
        return game

    @property
    def is_open(self) -> bool:
        """Everybody may see all of it: a replay, or a game in which no person has ever sat."""
        return self.view is None and (self.is_replay or not self.had_people)

    @property
    def has_open_record(self) -> bool:
        """Its record, which tells all that is hidden, may be had."""
        return bool(self.game.is_over) or (self.is_replay and self.is_open)

    @property
    def persons(self) -> list[int]:
        """The seats of persons, with those for whom an agent plays at the moment."""
        known = self.clock.persons if self.clock else ()
        return [number for number, seat in enumerate(self.seats) if seat.is_human or seat.place or number in known]

    @property
    def late(self) -> list[int]:
        """The seats of persons whose time is over."""
        return sorted(self.clock.ended) if self.clock else []

    @property
    def is_among_people(self) -> bool:
        """More than one person plays."""
        return len(self.persons) > 1

    def seats_of(self, entry: Entry) -> list[int]:
        """The seats that a key may play now: a seat's key its own, the host's all that have no browser of their own."""
        return self._owned(entry, self.people)

    def late_seats_of(self, entry: Entry) -> list[int]:
        """The seats of a key whose time is over: an agent plays there, but its person is still at the table."""
        return self._owned(entry, self.late)

    def _owned(self, entry: Entry, seats: Sequence[int]) -> list[int]:
        if entry.role == "host":
            return [seat for seat in seats if self.seats[seat].place != OWN]
        theirs = self.private and entry.seat is not None and self.seats[entry.seat].place == HOST
        return [] if theirs else [seat for seat in seats if seat == entry.seat]

    def seat_shown(self, entry: Entry, uncovered: int | None = None) -> int | None:
        """The seat whose hand a key's screen shows. uncovered: the seat whose person said to be there.

        Where several persons share the host's screen, a hand is shown to its own person only: it is covered until they
        say that they are there, and again when another one of them is to move.
        """
        mine, turn = self.seats_of(entry), self.game.to_move
        if not mine:
            return None
        if not self.private:
            return turn if turn in mine else mine[0]
        if entry.role == "host" and self._is_there(uncovered, mine):
            return uncovered
        known = entry.role != "host" or mine == self.persons or self.seats[mine[0]].place == HOST
        return mine[0] if known and len(mine) == 1 else None

    def _is_there(self, uncovered: int | None, mine: Sequence[int]) -> bool:
        return uncovered in mine and (self.game.to_move == uncovered or self.game.to_move not in mine)

    def covered(self, entry: Entry, uncovered: int | None = None) -> int | None:
        """The seat whose hand waits at a key's screen for its person, None where none does."""
        mine = self.seats_of(entry)
        if not mine or self.game.is_over or self.seat_shown(entry, uncovered) is not None:
            return None
        return self.game.to_move if self.game.to_move in mine else mine[0] if len(mine) == 1 else None

    def check_uncovered(self, entry: Entry, seat: int) -> None:
        """A person may say to be there for this seat; raises RefusalError."""
        if not self._is_there(seat, self.seats_of(entry)):
            raise RefusalError("not_allowed", f"the hand of seat {seat} is not to be shown here now", "other_hand")

    def viewer_of(self, entry: Entry, uncovered: int | None = None) -> int:
        """As whom a key looks: a seat's, PUBLIC, or ALL where no person has ever played."""
        if self.is_open:
            return ALL
        seat = self.view if self.is_replay else self.seat_shown(entry, uncovered)
        return PUBLIC if seat is None else seat

    def show_to(self, entry: Entry, viewer: int) -> bool:
        """Remember what a key is shown; whether that is something new."""
        if not self.private or self.is_replay:
            return False
        if viewer == ALL and not self.opened:
            self.opened = True
            return True
        if entry.role == "host" and viewer >= 0 and self.seats[viewer].place is None:
            self.seats[viewer].place = HOST
            return True
        return False

    def come(self, entry: Entry) -> bool:
        """A browser comes to its seats: one with its own key is from now on played there. Whether that is new."""
        new = entry.seat is not None and not self.is_replay and self.seats[entry.seat].place is None
        if new and entry.seat is not None:
            self.seats[entry.seat].place = OWN
        for seat in self.seats_of(entry):
            self.seats[seat].left = False
        return new

    def may_ask(self, entry: Entry) -> bool:
        """Agents may be asked what they think: nobody plays, one person alone does, or the game was made with help."""
        if self.game.is_over or self.is_open or self.is_replay:
            return True
        return bool(self.seats_of(entry)) and (self.with_help or not self.is_among_people)

    def play(self, entry: Entry, word: str, at: int, uncovered: int | None = None) -> None:
        """Play a move of a person; raises RefusalError."""
        if at != self.moves:
            raise RefusalError("stale", f"the game has gone on: {self.moves} moves were played, not {at}")
        seat = self.game.to_move
        if seat is None or seat not in self.seats_of(entry):
            raise RefusalError("not_your_turn", "it is not your turn")
        if self.covered(entry, uncovered) is not None:
            raise RefusalError("not_now", "this hand is covered until its person is there", "covered")
        if self.clock and self.clock.is_over(seat):
            raise RefusalError("not_now", "the time of this seat is over", "time_over")
        self.push(word)
        if self.clock:
            self.clock.persons.add(seat)

    def push(self, move: str | int) -> None:
        """Play a move of whoever is to move; raises RefusalError, and then changes nothing."""
        seat, position = self.game.to_move, position_for(self.game, PUBLIC, self.private)
        try:
            self.game.push(move)
        except GameError as error:
            raise RefusalError("illegal", str(error)) from None
        word = move if isinstance(move, str) else self.game_type.words(self.game.box.layout)[move]
        after = position_for(self.game, PUBLIC, self.private)
        self.entries.append(entry_of(self.scene, self.moves + 1, word, position, after, self.game))
        if self.clock:
            self.clock.moved(seat, self.game.to_move)
        self.asked = None
        self._go_on()

    def may_undo(self, entry: Entry) -> bool:
        """There is an own decision to go back to, no rematch counts the result, and among people nothing was
        revealed since."""
        return self._last_decision(entry) is not None

    def _last_decision(self, entry: Entry) -> int | None:
        mine = self.seats_of(entry)
        own = [number for number, entry in enumerate(self.entries) if entry["seat"] in mine]
        if not own or self.rematch is not None:
            return None
        if self.is_among_people and (self.game.is_over or self._has_revealed(own[-1])):
            return None
        return own[-1]

    def _has_revealed(self, begin: int) -> bool:
        """A move since then told a seat something that it could not foresee."""
        words = [entry["word"] for entry in self.entries]
        return any(self._revealing.by(number, words[number], self.at) for number in range(begin, self.moves))

    def undo(self, entry: Entry) -> None:
        """Take back to the last own decision, or ask the other people for it; raises RefusalError."""
        number = self._last_decision(entry)
        if number is None:
            raise RefusalError("not_allowed", "there is no move of yours that can be taken back", "no_undo")
        mine = self.seats_of(entry)
        self.asked = Asked(mine, number, set(self.people) - set(mine))
        self._take_back()

    def agree(self, entry: Entry, agrees: bool) -> None:
        """Say whether somebody else may take back; raises RefusalError."""
        mine = self.seats_of(entry)
        if self.asked is None or not self.asked.waits.intersection(mine):
            raise RefusalError("not_now", "nobody asks you for this", "nobody_asks")
        self.asked.waits.difference_update(mine)
        if agrees:
            self._take_back()
        else:
            self.asked = None

    def _take_back(self) -> None:
        """Do what was asked for, when all have agreed. Who plays alone gets what is unknown dealt anew [K3]."""
        if self.asked is None or self.asked.waits:
            return
        number, self.asked = self.asked.move, None
        game = self.at(number)
        if not self.is_among_people:
            try:
                game = dealt_anew(game, game.to_move, **self._data)
            except GameError:
                self.practice = True
        self.game = game
        del self.entries[number:]
        self._revealing.forget(number)
        if self.clock:
            self.clock.take_back(number)
        self._go_on()

    def seat(self, entry: Entry, seat: int, agent: str | None, here: Container[int] = ()) -> None:
        """An agent takes a seat, or gives it back to a person; raises RefusalError. here: the seats of who is there."""
        if not (entry.role == "host" or (entry.role == "seat" and entry.seat == seat)) or self.is_replay:
            raise RefusalError(
                "not_allowed", "only the host, or who sits there, may say who plays a seat", "host_seats"
            )
        if seat >= self.players:
            raise RefusalError("not_allowed", f"there is no seat {seat}", "no_seat", n=seat)
        before = self.seats[seat]
        theirs = before.is_human and seat in here and not before.left
        if (before.place == OWN and theirs) if entry.role == "host" else before.place == HOST:
            raise RefusalError("not_allowed", "somebody else plays this seat: only they may give it away", "their_seat")
        if agent is None and self.opened:
            raise RefusalError(
                "not_allowed", "this game was shown with open hands: nobody sits down in it any more", "opened"
            )
        if seat in self.late and (agent is None or not before.failure):
            raise RefusalError("not_allowed", "the time of this seat is over", "time_over")
        self.had_people |= agent is None
        self._sit_down(seat, agent)

    def end_time(self, seat: int) -> None:
        """The time of a person is over: an agent plays for them to the end."""
        if self.clock:
            self.clock.end(seat)
            self._sit_down(seat, self.clock.agent)

    def _sit_down(self, seat: int, agent: str | None) -> None:
        before = self.seats[seat]
        self.seats[seat] = Seat(agent, before.person, before.place, before.wins)
        at_host = [each for each in self.seats if each.place == HOST]
        if any(not each.is_human for each in at_host) and self.seats_of(Entry("host")):
            self.practice = True  # an agent holds a hand that was shown at the screen of who plays on
        self.asked = None
        self._go_on()

    def name(self, entry: Entry, seat: int, name: str) -> None:
        """A person says how they are called; nobody takes the name of another one. Raises RefusalError."""
        if seat not in self.seats_of(entry):
            raise RefusalError("not_allowed", "only who sits there may say how they are called", "their_name")
        called = one_line(name)
        if has_name(self.seats, called, seat):
            raise RefusalError("not_allowed", "somebody else here has this name", "name_taken")
        self.seats[seat].person = called or None

    def wins(self, seat: int) -> int:
        """How many games who sits there has won, of those that the same people played one after the other."""
        outcome = self.game.outcome
        return self.seats[seat].wins + (outcome is not None and seat in outcome.winners and seat not in self.late)

    def say(self, entry: Entry, words: str, name: str | None) -> dict[str, Any]:
        """A line of the chat; who watches may say a name, which nobody has who plays. Raises RefusalError."""
        mine = self.seats_of(entry) or self.late_seats_of(entry)
        shown = self.seat_shown(entry) if len(mine) > 1 else None
        seat = shown if shown is not None else mine[0] if mine else None
        called = one_line(name or "") if seat is None else ""
        return self.chat.say(entry, seat, None if has_name(self.seats, called) else called or None, words)

    def leave(self, entry: Entry) -> None:
        """A person stands up."""
        for seat in self.seats_of(entry):
            self.seats[seat].left = True

    def fail(self, seat: int, sentence: str) -> None:
        """The agent of a seat can play no more."""
        self.seats[seat].failure = sentence
        self.seats[seat].since = monotonic()

    def _go_on(self) -> None:
        """Whatever was being thought about the last position is of no use any more."""
        self.generation += 1
        if self.game.to_move is not None and self.seats:
            self.seats[self.game.to_move].since = monotonic()

    @property
    def next_agent(self) -> int | None:
        """The seat of the agent that is to move, if it can."""
        seat = self.game.to_move
        if seat is None or not self.seats or self.seats[seat].is_human or self.seats[seat].failure:
            return None
        return int(seat)
