"""Games on disk: saved ones in one file each, written whole at every move and read again when a browser comes back.

A move is in the system's hands before it is answered, so a killed process loses nothing. Until the disk has it too, it
lies in a second file: a power failure leaves one of both whole.
"""

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Any

from oddville_env.core.checked import ValueKind, check, having, instance, one_of, several, text, truth, whole
from oddville_env.core.disk.files import check_not_standard_output, write_whole
from oddville_env.core.disk.locks import alone_in
from oddville_env.core.disk.reading import JsonFormat, all_lines, parse_json
from oddville_env.core.errors import GameError, RecordError, SettingError, shown_path
from oddville_env.core.game.game_type import GameType
from oddville_env.web.sessions.access import HOST, ID_PATTERN, OWN, Keys
from oddville_env.web.sessions.clock import CLOCK, Clock
from oddville_env.web.sessions.company import CHAT, Rematch, Seat
from oddville_env.web.sessions.session import Session
from oddville_env.web.sessions.snapshot import drawn

FORMAT = JsonFormat("oddville-session", 1, "saved game", RecordError)
MOST_SEATS, MOST_POINTS = 8, 10_000  # of a record that is listed
_KEY = ValueKind("a key of ASCII letters", lambda value: isinstance(value, str) and value != "" and value.isascii())
_KEYS = {"host": _KEY, "watch": _KEY, "seats": several(_KEY, 1, MOST_SEATS)}
_KNOWING = {**dict.fromkeys(("with_help", "had_people", "opened", "practice"), truth()), "view": whole(0, 7).or_none()}
"""What a session remembers of what its players may know."""
_CHAIR = {
    "kind": one_of("human", "agent"),
    "agent": text().or_none(),
    "person": instance(str).or_none(),
    "place": one_of(HOST, OWN).or_none(),
    "wins": whole(0, 1_000_000),
}
_KINDS = {
    "game": text(),
    "seed": whole(0, 2**64 - 1),
    **_KEYS,
    "chairs": several(having(_CHAIR), 0, MOST_SEATS),
    "paused": truth(),
    **_KNOWING,
    "chat": CHAT,
    "clock": CLOCK.or_none(),
    "rematch": having({"id": text(), **_KEYS}).or_none(),
    "record": instance(dict),
}

_POINTS = several(whole(-MOST_POINTS, MOST_POINTS), 1, MOST_SEATS)
_LISTED = {"scores": _POINTS, "ranks": _POINTS, "agents": several(text(), 1, MOST_SEATS)}
"""What a record says of its seats."""


class Folder:
    """The folder of saved games; data: the settings that a record does not hold."""

    def __init__(self, path: Path, game_types: Mapping[str, GameType], data: Mapping[str, Any]) -> None:
        self.path, self._game_types, self._data = path, game_types, data
        self._replacing = Lock()

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Lock the folder against other servers; raises SettingError where one has it, and OSError."""
        check_not_standard_output(self.path)
        self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
        with alone_in(self.path, SettingError):
            yield

    def has(self, ident: str) -> bool:
        """Whether there is a game of this id."""
        return re.fullmatch(ID_PATTERN, ident) is not None and any(file.is_file() for file in self._files(ident))

    def count(self) -> int:
        """The number of games in the folder."""
        return len({name.partition(".")[0] for name in os.listdir(self.path)} - {""}) if self.path.is_dir() else 0

    def _files(self, ident: str) -> tuple[Path, Path]:
        """The file of a game, and the file with moves that the first one may lack."""
        return self.path / f"{ident}.json", self.path / f"{ident}.newest"

    def keep(self, ident: str, text: str) -> None:
        """Hand a game to the system; other users cannot read its keys. Raises OSError; then nothing is left."""
        self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
        _, newest = self._files(ident)
        begun = newest.with_suffix(".begun")
        try:
            begun.write_text(text, encoding="utf-8")
        except OSError:
            begun.unlink(missing_ok=True)
            raise
        with self._replacing:
            os.replace(begun, newest)

    def settle(self, ident: str, text: str) -> None:
        """Save a game, and wait until the disk has it; raises OSError."""
        file, newest = self._files(ident)
        write_whole(file, text)
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
        game_type = self._game_types.get(plain["game"])
        if game_type is None:
            raise RecordError(f"{file}: there is no game {plain['game']}")
        game = game_of(game_type, plain["record"], self._data)
        seats = [Seat(*(chair[name] for name in ("agent", "person", "place", "wins"))) for chair in plain["chairs"]]
        if len(seats) not in (0, game.players):
            raise RecordError(f"{file}: its game of {game.players} has {len(seats)} chairs")
        if (plain["view"] or 0) >= game.players:
            raise RecordError(f"{file}: its game of {game.players} has no seat {plain['view']} to look from")
        session = Session(ident, game_type, game, seats, _keys(plain, game.players), self._data)
        session.seed, session.paused = plain["seed"], plain["paused"]
        for name in _KNOWING:
            setattr(session, name, plain[name])
        session.chat.restore(plain["chat"])
        if plain["clock"] is not None:
            session.clock = Clock.restored(plain["clock"], game.players, session.moves)
        if (rematch := plain["rematch"]) is not None:
            session.rematch = Rematch(rematch["id"], _keys(rematch, game.players))
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
    """The file of a session, as text."""
    plain = {
        "game": session.game_type.name,
        "seed": session.seed,
        **session.keys._asdict(),
        "chairs": [{name: getattr(seat, name) for name in _CHAIR} for seat in session.seats],
        "paused": session.paused,
        **{name: getattr(session, name) for name in _KNOWING},
        "chat": session.chat.plain(),
        "clock": session.clock.plain() if session.clock else None,
        "rematch": session.rematch.plain() if session.rematch else None,
        "record": session.game.record(),
    }
    return FORMAT.text(plain, indent=None)


def _keys(plain: Mapping[str, Any], players: int) -> Keys:
    if len(plain["seats"]) != players:
        raise RecordError(f"a game of {players} players has {len(plain['seats'])} keys")
    return Keys(plain["host"], plain["watch"], plain["seats"])


class RecordFile:
    """The file of records of `oddville view`, one a line; None: no file. Raises RecordError and OSError.

    Attributes:
        listed: what each record says of its game; it is checked when it is replayed.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._lines: list[tuple[int, str]] = []
        if path is not None:
            self._lines = all_lines(path, RecordError)
            if not self._lines:
                raise RecordError(f"{shown_path(path)}: it holds no record")
        self.listed = [_about(record, number, line) for record, (number, line) in enumerate(self._lines)]

    def __len__(self) -> int:
        return len(self._lines)

    def line(self, record: int) -> str:
        """The text of a record by its number, from 0; raises RecordError."""
        if not 0 <= record < len(self._lines):
            raise RecordError(f"there is no record {record}, expected 0 to {len(self._lines) - 1}")
        return self._lines[record][1]

    def led_from(self, record: int, game_type: GameType, data: Mapping[str, Any]) -> dict[str, Any]:
        """The move after which the winners of a record led to the end, or why it cannot be replayed."""
        try:
            game = game_of(game_type, self.line(record), data)
        except RecordError as error:
            return {"record": record, "led": None, "wrong": str(error)}
        outcome, leads = game.outcome, True
        while outcome is not None and leads and game.moves:
            game.pop()
            others = [points for seat, points in enumerate(game.scores) if seat not in outcome.winners]
            leads = min(game.scores[seat] for seat in outcome.winners) > max(others, default=-MOST_POINTS)
        return {"record": record, "led": len(game.moves) + 1 if outcome else None, "wrong": None}

    def last_table(self, record: int, game_type: GameType, data: Mapping[str, Any]) -> str | None:
        """The table at the end of a record as an SVG picture, None where the game has none; raises RecordError."""
        game = game_of(game_type, self.line(record), data)
        return drawn(game_type, game.position(), game.box)


def _about(record: int, number: int, line: str) -> dict[str, Any]:
    """What a record says of its game; number: that of its line."""
    try:
        found = parse_json(line)
    except ValueError:
        found = None
    plain = found if isinstance(found, dict) else {}
    moves = plain.get("moves")
    listed = {name: plain.get(name) if kind.holds(plain.get(name)) else None for name, kind in _LISTED.items()}
    seats = {len(values) for values in listed.values() if values}
    listed = listed if len(seats) < 2 else dict.fromkeys(listed)
    return {"record": record, "line": number, "moves": len(moves) if isinstance(moves, list) else 0, **listed}
