"""All games of a server: made, found by their ids, saved, and forgotten when nobody has looked for a while."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from oddville_env.core.errors import GameError, shown
from oddville_env.core.game.game_type import GameType
from oddville_env.core.game.seeds import check_seed
from oddville_env.core.system.lazy_packages import HUMAN, find_agents
from oddville_env.web.refusal import RefusalError
from oddville_env.web.sessions.chat import one_line
from oddville_env.web.sessions.clock import Clock
from oddville_env.web.sessions.keys import Entry, Keys, fresh_id
from oddville_env.web.sessions.looking import Looking
from oddville_env.web.sessions.record_files import RecordFile
from oddville_env.web.sessions.rematch import next_seats
from oddville_env.web.sessions.room import Room
from oddville_env.web.sessions.saving import Folder, game_of, text_of
from oddville_env.web.sessions.seats import Seat
from oddville_env.web.sessions.session import Session
from oddville_env.web.sessions.thinking import Thinking

FORGOTTEN_AFTER, OVER_AFTER = 60.0, 10.0  # seconds without anybody; of games that are over
LOOK_AFTER_S = 15.0  # seconds between two looks for such games
MOST_AWAKE = 1000  # games in memory
MOST_MOVES = 3000  # of a record that is sent
MOST_BYTES = 4096  # of one state
NO_RECORDS = RecordFile(None)
ANY_GAME = "random"  # an agent of every game


class Entered(NamedTuple):
    """What a key opens: a room, and what may be done there."""

    room: Room
    entry: Entry


class Lobby:
    """The games of a server.

    offered: the specs that may be seated from the page. data: the settings that a record does not hold. records: what
    `view` was given.
    """

    def __init__(
        self,
        game_types: Sequence[GameType],
        folder: Path,
        offered: Sequence[str],
        data: Mapping[str, Any] | None = None,
        records: RecordFile = NO_RECORDS,
    ) -> None:
        self.game_types = {game_type.name: game_type for game_type in game_types}
        self.data, self.records = dict(data or {}), records
        self.folder = Folder(folder, self.game_types, self.data)
        self.offered = list(dict.fromkeys(offered))
        self.thinking = Thinking()
        self.looking = Looking()
        self._rooms: dict[str, Room] = {}
        self._reading: dict[str, asyncio.Lock] = {}

    async def enter(self, ident: str, key: str) -> Entered:
        """The room of a game for who has a key; raises RefusalError, the same for whatever is wrong."""
        room = self._rooms.get(ident)
        if room is None and self.folder.has(ident):
            room = await self._wake(ident)
        entry = room.session.keys.entry(key) if room else None
        if room is None or entry is None:
            raise RefusalError("not_found", "there is no such game, or this key does not open it", "no_game")
        room.used = monotonic()
        return Entered(room, entry)

    async def _wake(self, ident: str) -> Room | None:
        """Read a saved game, once."""
        lock = self._reading.setdefault(ident, asyncio.Lock())
        try:
            async with lock:
                if ident not in self._rooms:
                    session = await asyncio.to_thread(self.folder.read, ident)
                    self._take(session)
        except (GameError, OSError):
            return None
        finally:
            self._reading.pop(ident, None)
        return self._rooms[ident]

    def _unseat_strangers(self, session: Session) -> None:
        """A file may name any code, which a rematch would take over: an agent that is not offered does not play, until
        another one is seated."""
        for number, seat in enumerate(session.seats):
            if seat.agent is not None and seat.agent not in self.offered:
                session.fail(number, f"the agent {shown(seat.agent)} is not offered here")

    def _take(self, session: Session) -> Room:
        self.forget_idle()
        self._unseat_strangers(session)
        if session.clock:
            session.clock.agent = self.stand_in(session.game_type)
        room = self._rooms[session.id] = Room(session, self.thinking, self.folder)
        return room

    async def make(self, request: Mapping[str, Any]) -> Room:
        """The game of a checked request; raises RefusalError."""
        game_type = self.game_type(request["game"])
        try:
            session = await asyncio.to_thread(self._session, game_type, request)
        except GameError as error:
            raise error if isinstance(error, RefusalError) else RefusalError("bad_request", str(error)) from None
        return await self.open(session)

    def make_now(self, request: Mapping[str, Any], view: int | None = None) -> Session:
        """The game of a request, saved before anybody enters. view: the seat as which a replay is looked at."""
        session = self._session(self.game_type(request["game"]), request)
        session.view = view if session.private else None
        self.folder.keep(session.id, text_of(session))
        return session

    async def open(self, session: Session) -> Room:
        """Take in a new session, and save it."""
        room = self._take(session)
        await room.save()
        return room

    def game_type(self, name: str) -> GameType:
        """A game by its name; raises RefusalError."""
        if name not in self.game_types:
            raise RefusalError("bad_request", f"there is no game {shown(name)}")
        return self.game_types[name]

    def box_of(self, game_type: GameType) -> Any:
        """The box of what is shown outside games: the fewest players, with the server's own data."""
        return game_type.box(game_type.settings(game_type.players[0], **self.data))

    def _session(self, game_type: GameType, request: Mapping[str, Any]) -> Session:
        if "seats" in request:
            return self._new(game_type, request)
        if "upload" in request:
            self._check_size(game_type, request["upload"])
            record = request["upload"]
        else:
            record = self.records.line(request["record"])
        return self.session_of(game_type, game_of(game_type, record, self.data), [])

    def _check_size(self, game_type: GameType, record: Mapping[str, Any]) -> None:
        """A game that somebody sends may not be larger than games are; raises SettingError, RefusalError."""
        moves = record.get("moves")
        if isinstance(moves, list) and len(moves) > MOST_MOVES:
            raise RefusalError(
                "bad_request",
                f"a record of more than {MOST_MOVES} moves is not opened here",
                "long_record",
                n=MOST_MOVES,
            )
        names = [option.name for option in game_type.options if not option.data]
        if all(name in record for name in names):
            settings = {name: record[name] for name in names}
            self._check_box(game_type, record.get("players"), settings)

    def _check_box(self, game_type: GameType, players: Any, settings: Mapping[str, Any]) -> None:
        """Raises RefusalError where one position alone is too large, SettingError for a setting no game can have."""
        size = game_type.box(game_type.settings(players, **settings, **self.data)).games.itemsize
        if size > MOST_BYTES:
            raise RefusalError("bad_request", "the table is too large to be played here", "large_table")

    def _new(self, game_type: GameType, request: Mapping[str, Any]) -> Session:
        """A fresh deal with people and agents."""
        seats = self.seats(request["seats"], request.get("names", []))
        known = {option.name for option in game_type.options if not option.data}
        settings = request.get("settings", {})
        for name in settings.keys() - known:
            raise RefusalError("bad_request", f"settings: there is no setting {shown(name)}")
        self._check_box(game_type, len(seats), settings)
        seed = check_seed(request.get("seed"))
        game = game_type.game(len(seats), seed, **settings, **self.data)
        session = self.session_of(game_type, game, seats)
        session.seed, session.with_help = seed, request.get("help", False)
        if "clock" in request:
            session.clock = Clock(session.players, **request["clock"])
        return session

    async def rematch(self, session: Session) -> Session:
        """The next game of the same people, with another deal, saved; raises RefusalError."""
        game_type, seed = session.game_type, check_seed(None)
        game = game_type.game(session.players, seed, **session.told_settings, **self.data)
        wins = [session.wins(seat) for seat in range(session.players)]
        begun = self.session_of(game_type, game, next_seats(session.seats, wins, session.late))
        if session.clock:
            begun.clock = session.clock.anew()
        begun.seed, begun.with_help = seed, session.with_help
        begun.chat.allowed = session.chat.allowed
        await self.open(begun)
        return begun

    def session_of(self, game_type: GameType, game: Any, seats: Sequence[Seat]) -> Session:
        """A session with new keys."""
        return Session(fresh_id(), game_type, game, seats, Keys.fresh(game.players), self.data)

    def seats(self, specs: Sequence[str], names: Sequence[str | None] = ()) -> list[Seat]:
        """Who sits where: `human` or an offered agent; raises RefusalError."""
        called = [*names, *[None] * len(specs)]
        return [
            Seat(None if spec == HUMAN else self.check_agent(spec), one_line(name or "") or None)
            for spec, name in zip(specs, called, strict=False)
        ]

    def check_agent(self, spec: str) -> str:
        """An agent that may be seated from the page; raises RefusalError."""
        if spec not in self.offered:
            raise RefusalError(
                "bad_request", f"the agent {shown(spec)} is not offered here", "no_agent", agent=shown(spec)
            )
        return spec

    def stand_in(self, game_type: GameType) -> str:
        """Who plays on for a person whose time is over: the weakest of the levels that people know."""
        levels = find_agents("roster").roster_of(game_type.name).levels
        return next((spec for spec in levels if spec in self.offered), ANY_GAME)

    def forget_idle(self) -> None:
        """Forget games that nobody looks at; their files stay."""
        too_many = len(self._rooms) >= MOST_AWAKE
        for ident, room in list(self._rooms.items()):
            patience = min(OVER_AFTER, FORGOTTEN_AFTER) if room.session.game.is_over else FORGOTTEN_AFTER
            if room.is_idle and (too_many or monotonic() - room.used > patience):
                room.close()
                del self._rooms[ident]

    async def look_after(self) -> None:
        """Forget games at rest again and again, whether or not anybody comes or goes."""
        while True:
            await asyncio.sleep(LOOK_AFTER_S)
            self.forget_idle()

    @property
    def awake(self) -> int:
        """How many games are in memory."""
        return len(self._rooms)

    def awake_room(self, ident: str) -> Room:
        """The room of a game in memory."""
        return self._rooms[ident]

    def close(self) -> None:
        """End all agents; what waits to be saved is saved."""
        for room in self._rooms.values():
            room.close()
        self.thinking.close()
