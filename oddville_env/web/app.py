"""The routes of PROTOCOL.md as a Starlette application."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cache, partial
from io import BytesIO
from typing import Any

import segno
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

from oddville_env.core.errors import GameError, shown
from oddville_env.core.game.game_type import GameType
from oddville_env.core.game.scene import Puzzles
from oddville_env.web.info import FOLDER, chapters, info, page_index
from oddville_env.web.messages.connection import Connection
from oddville_env.web.messages.handlers import made
from oddville_env.web.messages.protocol import parse_new_game, parse_puzzle
from oddville_env.web.messages.state_writer import about_game
from oddville_env.web.refusal import STATUS, RefusalError, RequestFilter
from oddville_env.web.sessions.lobby import Entered, Lobby
from oddville_env.web.sessions.snapshot import Snapshot, drawings
from oddville_env.web.warming import Warming

LONGEST_UPLOAD = 1_000_000  # bytes
UPLOAD_S = 10.0  # seconds
LONGEST_NUMBER = 7  # digits
MOST_DRAWINGS = 200
MOST_REPLAYED = 20  # records in one request
LONGEST_QR = 400  # letters
MOST_BROWSERS = 2000
UNKNOWN, TOO_MANY = 4401, 4429


def make_app(lobby: Lobby, token: str = "", warm: bool = False, framed: bool = False) -> Starlette:
    """The application of a server; warm: compile kernels in the background.

    token: the first part of all paths; without one, only loopback may reach the server. framed: a notebook on this
    computer may show the page in a frame; only loopback may reach the server.
    """
    answers = Routes(lobby)
    routes = answers.all()
    if token:
        bare = Route(f"/{token}", lambda request: RedirectResponse(f"/{token}/"))
        routes = [bare, Mount(f"/{token}", routes=routes)]

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        if warm:
            answers.warming.start()
        looking_after = asyncio.create_task(lobby.look_after())
        yield
        looking_after.cancel()
        lobby.close()

    middleware = [Middleware(RequestFilter, framed), Middleware(GZipMiddleware, minimum_size=1000)]
    if framed or not token:
        middleware.insert(1, Middleware(TrustedHostMiddleware, ("127.0.0.1", "localhost", "[::1]")))
    return Starlette(routes=routes, middleware=middleware, exception_handlers={GameError: _refused}, lifespan=lifespan)


async def _refused(request: Request, error: Exception) -> Response:
    refusal = error if isinstance(error, RefusalError) else RefusalError("bad_request", str(error))
    return JSONResponse({"error": refusal.plain()}, STATUS.get(refusal.code, 400))


class Routes:
    """The answers of all routes."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._browsers = 0
        self._info = cache(partial(info, lobby))
        self.warming = Warming(list(lobby.game_types.values()), lobby.offered, lobby.data)
        self._index = page_index(lobby.game_types.values())

    def all(self) -> list[BaseRoute]:
        """All routes."""
        return [
            Route("/", self.page),
            Route("/api/info", self.info),
            Route("/api/ready", self.ready),
            Route("/api/qr.svg", self.qr),
            Route("/api/records", self.records),
            Route("/api/records/led", self.led),
            Route("/api/records/table.svg", self.last_table),
            Route("/api/games", self.make, methods=["POST"]),
            Route("/api/games/{ident}", self.about),
            Route("/api/games/{ident}/record", self.record),
            Route("/api/games/{ident}/table.svg", self.table),
            Route("/api/rules", self.rules),
            Route("/api/drawings", self.drawings),
            WebSocketRoute("/api/games/{ident}/play", self.play),
            Route("/api/puzzles/{name}", self.puzzle),
            Route("/api/puzzles/{name}/check", self.check_marks, methods=["POST"]),
            Route("/api/puzzles/{name}/hint", self.hint_for_marks, methods=["POST"]),
            Mount("/static", StaticFiles(directory=FOLDER)),
        ]

    async def page(self, request: Request) -> Response:
        """The page itself."""
        return HTMLResponse(self._index)

    async def info(self, request: Request) -> Response:
        """The games, agents and records on offer."""
        return JSONResponse(self._info())  # it never changes while the server runs

    async def ready(self, request: Request) -> Response:
        """The progress of compiling ahead."""
        return JSONResponse(self.warming.progress())

    async def qr(self, request: Request) -> Response:
        """An address as a QR code, for phones."""
        text = request.query_params.get("text", "")
        if not 0 < len(text) <= LONGEST_QR:
            raise RefusalError("bad_request", f"text must have 1 to {LONGEST_QR} letters")
        drawn = BytesIO()
        segno.make(text, micro=False).save(drawn, kind="svg", scale=4, border=3, light="#fff")
        return Response(drawn.getvalue(), media_type="image/svg+xml")

    async def records(self, request: Request) -> Response:
        """What the records of the file say of themselves."""
        return JSONResponse(self._lobby.records.listed)

    async def led(self, request: Request) -> Response:
        """The moves after which the winners of some records led to the end."""
        records = request.query_params.get("records", "").split(",")
        if len(records) > MOST_REPLAYED:
            raise RefusalError("bad_request", f"ask for at most {MOST_REPLAYED} records")
        numbers = [_whole("records", number) for number in records]
        return JSONResponse([await self._of_record(self._lobby.records.led_from, request, each) for each in numbers])

    async def last_table(self, request: Request) -> Response:
        """The table at the end of a record, as one picture."""
        record = _whole("record", request.query_params.get("record", ""))
        return _drawing(await self._of_record(self._lobby.records.last_table, request, record))

    async def _of_record(self, work: Callable[..., Any], request: Request, record: int) -> Any:
        """The result of some work on a record of the file, in the game that a request names."""
        game_type = self._game_type(request)
        await self.warming.tables_ready()
        return await self._lobby.thinking.analyse(work, record, game_type, self._lobby.data)

    def _game_type(self, request: Request) -> GameType:
        return self._lobby.game_type(request.query_params.get("game", ""))

    async def make(self, request: Request) -> Response:
        """Make a game."""
        await self.warming.tables_ready()
        room = await self._lobby.make(parse_new_game(await _json_body(request)))
        return JSONResponse(made(room.session), 201)

    async def _enter(self, request: Request) -> Entered:
        await self.warming.tables_ready()
        return await self._lobby.enter(request.path_params["ident"], request.query_params.get("key", ""))

    async def about(self, request: Request) -> Response:
        """A summary of a game, if the key opens it."""
        room, grant = await self._enter(request)
        return JSONResponse(about_game(room, grant))

    async def record(self, request: Request) -> Response:
        """The record, when it reveals nothing hidden."""
        session = (await self._enter(request)).room.session
        if not session.has_open_record:
            sentence = "a record holds the hidden deck: it can be downloaded when the game is over"
            raise RefusalError("not_now", sentence, "record_later")
        name = f"{session.game_type.name}-{session.id[:8]}.json"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(json.dumps(session.game.record()) + "\n", media_type="application/json", headers=headers)

    async def table(self, request: Request) -> Response:
        """The whole table as one picture."""
        room, grant = await self._enter(request)
        move = _whole("move", request.query_params.get("move", str(room.session.moves)))
        snapshot = Snapshot(room.session, move, await room.show(grant))
        return _drawing(await asyncio.to_thread(snapshot.picture))

    async def rules(self, request: Request) -> Response:
        """The law by chapter."""
        game_type = self._game_type(request)
        return JSONResponse({"chapters": chapters(game_type.law) if game_type.law else []})

    async def drawings(self, request: Request) -> Response:
        """Single drawings of the game's own card set."""
        game_type = self._game_type(request)
        names = request.query_params.get("names", "").split(",")
        if game_type.scene is None or len(names) > MOST_DRAWINGS:
            raise RefusalError("bad_request", f"ask for at most {MOST_DRAWINGS} drawings of a game that has some")
        scene, box = game_type.scene(), self._lobby.box_of(game_type)
        return JSONResponse({"drawings": {name: scene.draw(box, name)._asdict() for name in names}})

    def _puzzles(self, game: str) -> tuple[Puzzles, Any]:
        """The puzzles of a game, and its box; raises RefusalError."""
        game_type = self._lobby.game_type(game)
        scene = game_type.scene() if game_type.scene else None
        if scene is None or scene.puzzles is None:
            raise RefusalError("bad_request", "this game has no puzzles")
        return scene.puzzles, self._lobby.box_of(game_type)

    async def puzzle(self, request: Request) -> Response:
        """A puzzle without its solution, with its drawings."""
        game = request.query_params.get("game", "")
        puzzles, box = self._puzzles(game)
        table = await self._lobby.thinking.analyse(puzzles.table, box, request.path_params["name"])
        return JSONResponse({"table": table, "drawings": drawings(self._lobby.game_type(game), box, table)})

    async def check_marks(self, request: Request) -> Response:
        """The wrong marks of a puzzle."""
        puzzles, marked, _ = await self._marked("check_marks", request)
        return JSONResponse(await self._lobby.thinking.analyse(puzzles.check, *marked))

    async def hint_for_marks(self, request: Request) -> Response:
        """The next hint of a puzzle."""
        puzzles, marked, asked = await self._marked("next_hint", request)
        return JSONResponse(await self._lobby.thinking.analyse(puzzles.hint, *marked, asked.get("after", -1)))

    async def _marked(self, kind: str, request: Request) -> tuple[Puzzles, list[Any], dict[str, Any]]:
        """The puzzles of a game; the box, a puzzle's name and a browser's marks, which nothing keeps; the request."""
        asked = parse_puzzle(kind, await _json_body(request))
        puzzles, box = self._puzzles(asked["game"])
        return puzzles, [box, request.path_params["name"], asked["marks"]], asked

    async def play(self, websocket: WebSocket) -> None:
        """The game itself, over a WebSocket."""
        await websocket.accept()
        if self._browsers >= MOST_BROWSERS:
            await websocket.close(TOO_MANY)
            return
        await self.warming.tables_ready()
        ident, key = websocket.path_params["ident"], websocket.query_params.get("key", "")
        try:
            entered = await self._lobby.enter(ident, key)
        except RefusalError:
            await websocket.close(UNKNOWN)
            return
        self._browsers += 1
        try:
            await Connection(websocket, entered, self._lobby).run()
        finally:
            self._browsers -= 1
            self._lobby.forget_idle()


def _drawing(drawn: str | None) -> Response:
    if drawn is None:
        raise RefusalError("not_found", "this game has no picture")
    return Response(drawn, media_type="image/svg+xml")


def _whole(name: str, text: str) -> int:
    if not text.isdecimal() or len(text) > LONGEST_NUMBER:
        raise RefusalError("bad_request", f"{name}: expected a whole number, not {shown(text)}")
    return int(text)


async def _json_body(request: Request) -> bytes:
    """The body of a request with the content type of JSON; raises RefusalError."""
    if request.headers.get("content-type", "").split(";")[0] != "application/json":
        raise RefusalError("bad_request", "the content type must be application/json")
    body = b""
    try:
        async with asyncio.timeout(UPLOAD_S):
            async for part in request.stream():
                body += part
                if len(body) > LONGEST_UPLOAD:
                    raise RefusalError("too_large", f"a request may have {LONGEST_UPLOAD} bytes")
    except ClientDisconnect:
        raise RefusalError("bad_request", "the connection ended before the request did") from None
    except TimeoutError:
        raise RefusalError("bad_request", f"the request did not end within {UPLOAD_S:g} seconds") from None
    return body
