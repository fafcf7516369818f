"""Games on the disk: one file each, written whole at every move, read again when somebody comes back.

A move is kept before it is answered: the system has it then, and a process that is killed loses nothing. Until the disk
has it too, which takes its time, it lies in a second file, so that a power failure finds one of both whole.
"""

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Any

from oddville_env.core.checked.kinds import ValueKind, check, instance, one_of, several, text, truth, whole
from oddville_env.core.disk.files import JsonFormat, check_folder, written_whole
from oddville_env.core.disk.locks import alone_in
from oddville_env.core.errors import GameError, RecordError, SettingError
from oddville_env.core.game.game_type import GameType
from oddville_env.web.sessions.clock import Clock
from oddville_env.web.sessions.keys import ID_PATTERN, Keys
from oddville_env.web.sessions.rematch import Rematch
from oddville_env.web.sessions.seats import HOST, OWN, Seat
from oddville_env.web.sessions.session import Session

FORMAT = JsonFormat("oddville-session", 1, "saved game", RecordError)
MOST_WINS = 1_000_000
_NUMBER = whole(0, 2**64 - 1)
_KEY = ValueKind("a key of ASCII letters", lambda value: isinstance(value, str) and value != "" and value.isascii())
_KINDS = {
    "game": text(),
    "seed": _NUMBER,
    "host": _KEY,
    "watch": _KEY,
    "seats": several(_KEY, 1, 8),
    "chairs": instance(list),
    "paused": truth(),
    "record": instance(dict),
}
_CHAIR = {"kind": one_of("human", "agent")}
_SAT_DOWN = {
    "agent": text().or_none(),
    "person": instance(str).or_none(),
    "place": one_of(HOST, OWN).or_none(),
    "wins": whole(0, MOST_WINS),
}
"""What a seat may have."""
_NEXT = {"id": text(), "host": _KEY, "watch": _KEY, "seats": several(_KEY, 1, 8)}
_KNOWING = {
    **dict.fromkeys(("with_help", "had_people", "opened", "practice"), truth()),
    "view": whole(0, 7).or_none(),
}
"""What a session remembers of who may know what. Files that were written before have none of it."""


class Folder:
    """The folder of saved games. data: the settings that a record does not hold."""

    def __init__(self, path: Path, game_types: Mapping[str, GameType], data: Mapping[str, Any]) -> None:
        self.path, self._game_types, self._data = path, game_types, data
        self._replacing = Lock()

    @contextmanager
    def kept(self) -> Iterator[None]:
        """No other server may use the folder meanwhile; raises SettingError where one does, and OSError."""
        check_folder(self.path)
        self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
        with alone_in(self.path, SettingError):
            yield

    def has(self, ident: str) -> bool:
        """There is such a game."""
        return re.fullmatch(ID_PATTERN, ident) is not None and any(file.is_file() for file in self._files(ident))

    def _files(self, ident: str) -> tuple[Path, Path]:
        """The file of a game, and that with its newest moves, if the first has them not yet."""
        return self.path / f"{ident}.json", self.path / f"{ident}.newest"

    def keep(self, ident: str, text: str) -> None:
        """Save a game as far as the system; nobody else on this computer may read its keys."""
        self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
        _, newest = self._files(ident)
        begun = newest.with_suffix(".begun")
        begun.write_text(text, encoding="utf-8")
        with self._replacing:
            os.replace(begun, newest)

    def settle(self, ident: str, text: str) -> None:
        """Save a game as far as the disk."""
        file, newest = self._files(ident)
        with written_whole(file) as out:
            out.write(text)
        with self._replacing:
            if newest.is_file() and newest.read_text(encoding="utf-8") == text:
                newest.unlink()

    def read(self, ident: str) -> Session:
        """A saved game; raises GameError."""
        file, newest = self._files(ident)
        if newest.is_file():
            with suppress(GameError):
                return self._read(ident, newest)
        return self._read(ident, file)

    def _read(self, ident: str, file: Path) -> Session:
        plain = FORMAT.read(file)
        check(plain, _KINDS, RecordError)
        check(plain, {name: kind for name, kind in _KNOWING.items() if name in plain}, RecordError)
        game_type = self._game_types.get(plain["game"])
        if game_type is None:
            raise RecordError(f"{file}: there is no game {plain['game']}")
        game = game_of(game_type, plain["record"], self._data)
        keys, seats = Keys(plain["host"], plain["watch"], plain["seats"]), list(map(_seat, plain["chairs"]))
        if len(keys.seats) != game.players or len(seats) not in (0, game.players):
            raise RecordError(f"{file}: its game of {game.players} has {len(keys.seats)} keys, {len(seats)} chairs")
        if (plain.get("view") or 0) >= game.players:
            raise RecordError(f"{file}: its game of {game.players} has no seat {plain['view']} to look from")
        session = Session(ident, game_type, game, seats, keys, self._data)
        session.seed, session.paused = plain["seed"], plain["paused"]
        for name in _KNOWING:
            setattr(session, name, plain.get(name, getattr(session, name)))
        if "chat" in plain:
            session.chat.restore(plain["chat"])
        if plain.get("clock") is not None:
            session.clock = Clock.restored(plain["clock"], game.players, session.moves)
        if plain.get("rematch") is not None:
            session.rematch = _rematch(plain["rematch"], game.players)
        return session


def game_of(game_type: GameType, record: Mapping[str, Any] | str, data: Mapping[str, Any]) -> Any:
    """The game of a record; raises RecordError."""
    try:
        return game_type.game.from_record(record, **data)
    except GameError:
        raise
    except (TypeError, ValueError, KeyError, IndexError, AttributeError, OverflowError) as error:
        raise RecordError(f"this is no record of {game_type.title} ({type(error).__name__})") from None


def text_of(session: Session) -> str:
    """The file of a session."""
    return FORMAT.text(plain_of(session), indent=None)


def plain_of(session: Session) -> dict[str, Any]:
    """All that is saved of a session."""
    keys = session.keys.plain()
    return {
        "game": session.game_type.name,
        "seed": session.seed,
        **keys,
        "chairs": [
            {
                "kind": "human" if seat.is_human else "agent",
                "agent": seat.agent,
                "person": seat.person,
                "place": seat.place,
                "wins": seat.wins,
            }
            for seat in session.seats
        ],
        "paused": session.paused,
        **{name: getattr(session, name) for name in _KNOWING},
        "chat": session.chat.plain(),
        "clock": session.clock.plain() if session.clock else None,
        "rematch": session.rematch.plain() if session.rematch else None,
        "record": session.game.record(),
    }


def _seat(plain: Any) -> Seat:
    if not isinstance(plain, dict):
        raise RecordError("chairs must be a list of objects")
    check(plain, _CHAIR | {name: kind for name, kind in _SAT_DOWN.items() if name in plain}, RecordError)
    return Seat(plain.get("agent"), plain.get("person"), plain.get("place"), plain.get("wins", 0))


def _rematch(plain: Any, players: int) -> Rematch:
    check(plain if isinstance(plain, dict) else {}, _NEXT, RecordError)
    if len(plain["seats"]) != players:
        raise RecordError(f"the next game of {players} players has {len(plain['seats'])} keys")
    return Rematch(plain["id"], Keys(plain["host"], plain["watch"], plain["seats"]))
