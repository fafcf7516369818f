"""The messages `hello` and `state` for one browser, without what it has already, and a summary for lists of games."""

from typing import Any

from oddville_env.web.sessions.access import Grant
from oddville_env.web.sessions.lobby import Entered
from oddville_env.web.sessions.room import Room
from oddville_env.web.sessions.snapshot import Snapshot, drawings, seats_of

PROTOCOL = 3


class StateWriter:
    """Writes the messages for one browser, and remembers what was sent and which moment is shown.

    uncovered: the seat whose player said to be at this screen.
    """

    def __init__(self, entered: Entered) -> None:
        self._room, self._grant = entered
        self._session = self._room.session
        self._moment: int | None = None
        self.uncovered: int | None = None
        self._sent: set[str] = set()
        self._listed = 0
        self._knows_facts = False

    def uncover(self, seat: int) -> None:
        """Show a seat's hand at this screen; raises RefusalError."""
        self._session.check_uncovered(self._grant, seat)
        self.uncovered = seat

    @property
    def viewer(self) -> int:
        """The viewer that this browser sees the game as."""
        return self._session.viewer_of(self._grant, self.uncovered)

    def look(self) -> bool:
        """Cover another player's hand, and remember what is shown; returns whether that is something new.

        A moment that an undo made the newest one follows the game again.
        """
        if self._moment is not None and self._moment >= self._session.moves and not self._session.is_replay:
            self._moment = None
        if self._session.covered(self._grant, self.uncovered) is not None:
            self.uncovered = None
        return self._session.show_to(self._grant, self.viewer)

    @property
    def shown(self) -> int:
        """The number of moves after which the shown position is."""
        return self._session.moves if self._moment is None else min(self._moment, self._session.moves)

    def look_at(self, move: int | None) -> bool:
        """Show another moment; returns whether it is the one after the last one shown."""
        before = self.shown
        self._session.at(self._session.moves if move is None else move)
        self._moment = None if move == self._session.moves and not self._session.is_replay else move
        return self.shown == before + 1

    def hello(self) -> dict[str, Any]:
        """The first message."""
        session = self._session
        return {
            "type": "hello",
            "protocol": PROTOCOL,
            "id": session.id,
            "game": session.game_type.name,
            "title": session.game_type.title,
            "role": self._grant.role,
            "mine": session.seats_of(self._grant),
            "players": session.game.players,
            "replay": session.is_replay,
            "settings": session.game_settings,
            "help": session.with_help,
            "links": self._links() if self._grant.role == "host" else None,
        }

    def _links(self) -> dict[str, Any]:
        """The keys to give away: those of persons who have not entered yet."""
        keys, seats = self._session.keys, self._session.seats
        free = (seat.is_human and seat.place is None for seat in seats)
        own = [key if each else None for key, each in zip(keys.seats, free, strict=False)]
        return {"watch": keys.watch, "seats": own}

    def state(self, reason: str, forward: bool = False) -> dict[str, Any]:
        """The message `state`; forward: with the events of the move that led to the shown position."""
        session, shown = self._session, self.shown
        snapshot = self._room.snapshot(shown, self.viewer)
        newest, mine = shown == session.moves, session.seats_of(self._grant)
        happened = forward or (reason == "move" and newest)
        begin, may = 0 if reason in ("enter", "undo") else self._listed, self.may()
        self._listed = session.moves
        message: dict[str, Any] = {
            "type": "state",
            "reason": reason,
            **self._words(shown),
            **snapshot.fields(),
            "legal": snapshot.legal if may["move"] or self._looks_at_moves(snapshot) else [],
            "events": snapshot.events() if happened else [],
            "seats": seats_of(session, mine, self._room.here),
            "list": {"from": begin, "entries": session.entries[begin:]},
            "may": may,
            "covered": session.covered(self._grant, self.uncovered),
            "asks": session.asked.plain() if session.asked else None,
            "clock": session.clock.state(session.persons) if session.clock else None,
            "practice": session.practice,
            "chat": session.chat.allowed,
            "rematch": session.rematch.of(self._grant) if session.rematch else None,
            "saved": not self._room.unsaved,
            "paused": session.paused,
            "pace": session.pace,
        }
        if message["table"] is not None and session.scene and not self._knows_facts:
            self._knows_facts = True
            message["table"] = {**message["table"], **session.scene.facts(session.game.box)}
        named = [message["table"], message["legal"], message["events"]]
        message["drawings"] = drawings(session.game_type, session.game.box, named, self._sent)
        self._sent.update(message["drawings"])
        return message

    def _looks_at_moves(self, snapshot: Snapshot) -> bool:
        """Whether a replay shows its legal moves: where they reveal nothing hidden to this viewer."""
        session, turn = self._session, snapshot.game.to_move
        return session.is_replay and turn is not None and (session.is_open or turn == snapshot.viewer)

    def _words(self, shown: int) -> dict[str, Any]:
        """The move that led to the shown position, and in a replay the next one."""
        session = self._session
        last = session.entries[shown - 1] if shown else None
        following = session.entries[shown]["word"] if session.is_replay and shown < session.moves else None
        return {"word": last and last["word"], "by": last and last["seat"], "played_next": following}

    def may(self) -> dict[str, bool]:
        """The rights of this browser now."""
        session, grant = self._session, self._grant
        mine, newest = session.seats_of(grant), self.shown == session.moves
        covered = session.covered(grant, self.uncovered) is not None
        turn = newest and session.game.to_move in mine and not covered
        over, asked = bool(session.game.is_over), session.asked
        played = bool(mine or session.late_seats_of(grant))
        return {
            "move": turn,
            "undo": session.last_decision(grant) is not None,
            "agree": asked is not None and not asked.waits.isdisjoint(mine),
            "seat": not session.is_replay and grant.role != "watch",
            "replace": session.may_replace(grant),
            "pause": not session.is_replay and (grant.role == "host" or not session.people),
            "analyse": session.may_ask(grant),
            "chances": session.may_see_chances(grant),
            "hint": turn and session.may_ask(grant),
            "record": session.has_open_record,
            "chat": session.chat.allowed and session.is_among_people and not session.is_replay,
            "rematch": over and played and session.rematch is None,
            "play_on": over or session.is_open,
        }


def about_game(room: Room, grant: Grant) -> dict[str, Any]:
    """What every holder of a key may know of a game, and what the key is for."""
    session = room.session
    mine, outcome = session.seats_of(grant), session.game.outcome
    hosts = [seat for seat in session.seats_of(Grant("host")) if seat != grant.seat]
    return {
        "id": session.id,
        "game": session.game_type.name,
        "title": session.game_type.title,
        "role": grant.role,
        "seat": grant.seat,
        "arrived": grant.seat is not None and bool(session.seats) and session.seats[grant.seat].place is not None,
        "inviter": hosts[0] if hosts else None,
        "players": session.game.players,
        "replay": session.is_replay,
        "help": session.with_help,
        "clock": session.clock.terms() if session.clock else None,
        "seats": seats_of(session, mine, room.here),
        "to_move": session.game.to_move,
        "over": bool(session.game.is_over),
        "moves": session.moves,
        "scores": list(map(int, session.game.scores)),
        "winners": None if outcome is None else list(outcome.winners),
        "rematch": session.rematch.of(grant) if session.rematch else None,
    }
