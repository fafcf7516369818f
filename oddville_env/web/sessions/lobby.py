"""All games of a server: made, found by their ids, saved, and removed from memory when no browser has them open."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from oddville_env.core.checked import check_seed
from oddville_env.core.errors import GameError, shown
from oddville_env.core.game.game_type import GameType
from oddville_env.core.system.extras import HUMAN, find_agents
from oddville_env.web.refusal import RefusalError, TokenBucket
from oddville_env.web.sessions.access import Grant, Keys, fresh_id
from oddville_env.web.sessions.clock import Clock
from oddville_env.web.sessions.company import Rematch, Seat, next_seats, one_line
from oddville_env.web.sessions.room import Room
from oddville_env.web.sessions.saving import Folder, RecordFile, game_of, text_of
from oddville_env.web.sessions.session import Session
from oddville_env.web.sessions.thinking import Thinking

FORGOTTEN_AFTER, OVER_AFTER = 60.0, 10.0  # seconds that a game without browsers stays in memory; one that is over
LOOK_AFTER_S = 15.0  # seconds between two searches for such games
MOST_AWAKE = 1000  # games in memory
MOST_GAMES = 50_000  # in the folder
NEW_AT_ONCE, NEW_A_SECOND = 300.0, 2.0  # new games
MOST_MOVES = 3000  # of an uploaded record
MOST_BYTES = 4096  # of one state
NO_RECORDS = RecordFile(None)
OFFERED = ("random", "greedy", "champion", "search:ms=200", "search:ms=1000", "search:ms=5000")


class Entered(NamedTuple):
    """What a key opens: a room, and what the key allows there."""

    room: Room
    grant: Grant


def offered_agents(game_type: GameType, named: Iterable[str] = ()) -> list[str]:
    """The agents that a page offers: the usual ones that the game has, those of its levels, and the named ones."""
    known = find_agents().built_in(game_type.name)
    usual = [spec for spec in OFFERED if spec.split(":")[0] in known]
    levels = find_agents("roster").roster_of(game_type.name).levels
    return [*usual, *levels, *(spec for spec in named if spec != HUMAN)]


class Lobby:
    """The games of a server.

    Args:
        game_types: the games to play.
        folder: where they are saved.
        offered: the specs of agents that may be seated from the page.
        data: the settings that a record does not hold.
        records: the records that `view` opens.

    Attributes:
        rooms: the games in memory, by their ids.
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
        self.rooms: dict[str, Room] = {}
        self._reading: dict[str, asyncio.Lock] = {}
        self._replays: dict[int, str] = {}  # games that were made of the file's records
        self._new_games = TokenBucket(NEW_AT_ONCE, NEW_A_SECOND)

    async def enter(self, ident: str, key: str) -> Entered:
        """The room that a key opens; raises RefusalError, the same one for a wrong id and a wrong key."""
        room = await self._found(ident)
        grant = room.session.keys.grant(key) if room else None
        if room is None or grant is None:
            raise RefusalError("not_found", "there is no such game, or this key does not open it", "no_game")
        room.used = monotonic()
        return Entered(room, grant)

    async def _found(self, ident: str) -> Room | None:
        """The room of a game, which is read once if it is only saved."""
        if ident in self.rooms or not self.folder.has(ident):
            return self.rooms.get(ident)
        lock = self._reading.setdefault(ident, asyncio.Lock())
        try:
            async with lock:
                if ident not in self.rooms:
                    self._take(await asyncio.to_thread(self.folder.read, ident))
        except (GameError, OSError):
            return None
        finally:
            self._reading.pop(ident, None)
        return self.rooms[ident]

    def _take(self, session: Session) -> Room:
        """Take in a session. A file may name any code as an agent: one that is not offered does not play."""
        self.forget_idle()
        for number, seat in enumerate(session.seats):
            if seat.agent is not None and seat.agent not in self.offered:
                session.fail(number, f"the agent {shown(seat.agent)} is not offered here")
        if session.clock:  # for a person whose time is over plays the weakest level that is offered
            levels = find_agents("roster").roster_of(session.game_type.name).levels
            session.clock.agent = next((spec for spec in levels if spec in self.offered), "random")
        room = self.rooms[session.id] = Room(session, self.thinking, self.folder)
        return room

    async def make(self, request: Mapping[str, Any]) -> Room:
        """Make the game of a checked request, of a record of the file only once; raises GameError."""
        game_type, record = self.game_type(request["game"]), request.get("record", -1)
        room = await self._found(self._replays.get(record, ""))
        if room is None:
            room = await self.open(await asyncio.to_thread(self._session, game_type, request))
        if record >= 0:
            self._replays[record] = room.session.id
        return room

    def make_now(self, request: Mapping[str, Any], view: int | None = None) -> Session:
        """Make and save the game of a request before the server runs; view: the seat as which a replay is seen."""
        session = self._session(self.game_type(request["game"]), request)
        session.view = view if session.private else None
        self.folder.keep(session.id, text_of(session))
        return session

    async def open(self, session: Session) -> Room:
        """Take in a new session, and save it; raises RefusalError where there are too many or the disk is full."""
        if not self._new_games.try_take():
            raise RefusalError("too_many", "too many new games at once: try again in a minute", "too_many_games")
        if await self.thinking.write(self.folder.count) >= MOST_GAMES:
            sentence = f"this server keeps {MOST_GAMES} games: no more until some are deleted"
            raise RefusalError("not_saved", sentence, "disk_full")
        room = self._take(session)
        if not await room.save():
            room.close()
            del self.rooms[session.id]
            raise RefusalError("not_saved", room.unsaved, "disk_full")
        return room

    def game_type(self, name: str) -> GameType:
        """A game by its name; raises RefusalError."""
        if name not in self.game_types:
            raise RefusalError("bad_request", f"there is no game {shown(name)}")
        return self.game_types[name]

    def box_of(self, game_type: GameType) -> Any:
        """The box for what is shown outside of games: the fewest players, with the server's own data."""
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
        """Raises SettingError, RefusalError for an uploaded game that is larger than games are."""
        moves = record.get("moves")
        if isinstance(moves, list) and len(moves) > MOST_MOVES:
            sentence = f"a record may have {MOST_MOVES} moves, not {len(moves)}"
            raise RefusalError("bad_request", sentence, "long_record", n=MOST_MOVES)
        names = [option.name for option in game_type.options if not option.data]
        if all(name in record for name in names):
            settings = {name: record[name] for name in names}
            self._check_box(game_type, record.get("players"), settings)

    def _check_box(self, game_type: GameType, players: Any, settings: Mapping[str, Any]) -> None:
        """Raises RefusalError where one position alone is too large, SettingError for an impossible setting."""
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
            session.clock = Clock(session.game.players, **request["clock"])
        return session

    async def rematch(self, session: Session) -> Rematch:
        """Make the next game of the same people, with another deal; raises RefusalError."""
        game_type, seed = session.game_type, check_seed(None)
        game = game_type.game(session.game.players, seed, **session.game_settings, **self.data)
        wins = [session.wins(seat) for seat in range(session.game.players)]
        begun = self.session_of(game_type, game, next_seats(session.seats, wins, session.late))
        if session.clock:
            begun.clock = Clock(session.game.players, **session.clock.terms(), now=session.clock.now)
        begun.seed, begun.with_help = seed, session.with_help
        begun.chat.allowed = session.chat.allowed
        await self.open(begun)
        return Rematch(begun.id, begun.keys)

    def session_of(self, game_type: GameType, game: Any, seats: Sequence[Seat]) -> Session:
        """A session with new keys."""
        return Session(fresh_id(), game_type, game, seats, Keys.fresh(game.players), self.data)

    def seats(self, specs: Sequence[str], names: Sequence[str | None] = ()) -> list[Seat]:
        """The seats of `human` and of offered agents; raises RefusalError."""
        people = [*names, *[None] * len(specs)]
        return [
            Seat(None if spec == HUMAN else self.check_agent(spec), one_line(name or "") or None)
            for spec, name in zip(specs, people, strict=False)
        ]

    def check_agent(self, spec: str) -> str:
        """The spec, where its agent may be seated from the page; raises RefusalError."""
        if spec not in self.offered:
            sentence = f"the agent {shown(spec)} is not offered here"
            raise RefusalError("bad_request", sentence, "no_agent", agent=shown(spec))
        return spec

    def forget_idle(self) -> None:
        """Remove games without browsers from memory; their files stay."""
        too_many = len(self.rooms) >= MOST_AWAKE
        for ident, room in list(self.rooms.items()):
            patience = min(OVER_AFTER, FORGOTTEN_AFTER) if room.session.game.is_over else FORGOTTEN_AFTER
            if room.is_idle and (too_many or monotonic() - room.used > patience):
                room.close()
                del self.rooms[ident]

    async def look_after(self) -> None:
        """Remove idle games from memory again and again."""
        while True:
            await asyncio.sleep(LOOK_AFTER_S)
            self.forget_idle()

    def close(self) -> None:
        """End all agents, and finish saving."""
        for room in self.rooms.values():
            room.close()
        self.thinking.close()
