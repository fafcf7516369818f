"""What one browser is told: `hello`, and `state` with what it has not been sent before."""

from typing import Any

from oddville_env.web.sessions.lobby import Entered
from oddville_env.web.sessions.snapshot import new_drawings, seats_of

PROTOCOL = 1


class Teller:
    """The messages for one browser; it remembers what was sent, and which moment is looked at (None: the newest)."""

    def __init__(self, entered: Entered) -> None:
        self._room, self._entry = entered
        self._session = self._room.session
        self._moment: int | None = None
        self._sent: set[str] = set()
        self._listed = 0
        self._knows_facts = False

    @property
    def shown(self) -> int:
        """After how many moves the position is that is looked at."""
        return self._session.moves if self._moment is None else min(self._moment, self._session.moves)

    def look_at(self, move: int | None) -> bool:
        """Look at another moment; it is the one that follows the last one."""
        before = self.shown
        self._session.at(self._session.moves if move is None else move)
        self._moment = None if move == self._session.moves and not self._session.is_replay else move
        return self.shown == before + 1

    def hello(self) -> dict[str, Any]:
        """The first message."""
        session = self._session
        keys = session.keys
        seats = [key if chair.is_human else None for key, chair in zip(keys.seats, session.chairs, strict=False)]
        return {
            "type": "hello",
            "protocol": PROTOCOL,
            "id": session.id,
            "game": session.game_type.name,
            "title": session.game_type.title,
            "role": self._entry.role,
            "mine": session.seats_of(self._entry),
            "players": session.players,
            "replay": session.is_replay,
            "settings": session.told_settings,
            "links": {"watch": keys.watch, "seats": seats} if self._entry.role == "host" else None,
        }

    def state(self, reason: str, forward: bool = False) -> dict[str, Any]:
        """The whole table; forward: the move before the shown position is shown as it happens."""
        session, shown = self._session, self.shown
        snapshot = self._room.snapshot(shown, session.eyes_of(self._entry))
        newest, mine = shown == session.moves, session.seats_of(self._entry)
        happened = forward or (reason == "move" and newest)
        may = self.may()
        message: dict[str, Any] = {
            "type": "state",
            "reason": reason,
            **self._words(shown),
            **snapshot.fields(),
            "legal": snapshot.legal() if may["move"] or (session.is_replay and not snapshot.game.is_over) else [],
            "events": snapshot.events() if happened else [],
            "seats": seats_of(session, mine, self._room.here),
            "list": self._list(reason),
            "may": may,
            "paused": session.paused,
            "pace": session.pace,
        }
        if message["table"] is not None and session.scene and not self._knows_facts:
            self._knows_facts = True
            message["table"] = {**message["table"], **session.scene.facts(session.game.box)}
        message["drawings"] = new_drawings(session, [message["table"], message["legal"], message["events"]], self._sent)
        return message

    def _words(self, shown: int) -> dict[str, Any]:
        """The move that led here, and in a replay the one that follows."""
        session = self._session
        last = session.entries[shown - 1] if shown else None
        following = session.entries[shown]["word"] if session.is_replay and shown < session.moves else None
        return {"word": last and last["word"], "by": last and last["seat"], "played_next": following}

    def _list(self, reason: str) -> dict[str, Any]:
        begin = 0 if reason in ("enter", "undo") else self._listed
        self._listed = self._session.moves
        return {"from": begin, "entries": self._session.entries[begin:]}

    def may(self) -> dict[str, bool]:
        """What this browser may do now."""
        session, entry = self._session, self._entry
        mine, newest = session.seats_of(entry), self.shown == session.moves
        free, alone = not session.people, session.plays_alone(entry)
        turn = newest and session.game.to_move in mine
        over = bool(session.game.is_over)
        return {
            "move": turn,
            "undo": session.may_undo(entry),
            "seat": not session.is_replay and entry.role != "watch",
            "pause": not session.is_replay and (entry.role == "host" or free),
            "analyse": alone or over,
            "hint": turn and alone,
            "record": over or free,
            "play_on": over or free,
        }
