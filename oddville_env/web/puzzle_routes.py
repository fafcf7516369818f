"""The routes of puzzles: a puzzle, a check of marks, a hint. The server keeps no state of them."""

from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from oddville_env.core.game.scene import Puzzles
from oddville_env.web.answering import json_body, with_errors
from oddville_env.web.messages.schemas import parse_puzzle
from oddville_env.web.refusal import RefusalError
from oddville_env.web.sessions.lobby import Lobby
from oddville_env.web.sessions.snapshot import drawings


class PuzzleRoutes:
    """The answers of all routes."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby

    def routes(self) -> list[BaseRoute]:
        """All routes."""
        return [
            Route("/api/puzzles/{name}", self.table),
            Route("/api/puzzles/{name}/check", self.check, methods=["POST"]),
            Route("/api/puzzles/{name}/hint", self.hint, methods=["POST"]),
        ]

    def _puzzles(self, game: str) -> tuple[Puzzles, Any]:
        """The puzzles of a game, and its box; raises RefusalError."""
        game_type = self._lobby.game_type(game)
        scene = game_type.scene() if game_type.scene else None
        if scene is None or scene.puzzles is None:
            raise RefusalError("bad_request", "this game has no puzzles")
        return scene.puzzles, self._lobby.box_of(game_type)

    async def _found(self, work: Callable[..., Any], *args: Any) -> Any:
        """Search for solutions in the threads of agents."""
        return await self._lobby.thinking.analyse(work, *args)

    @with_errors
    async def table(self, request: Request) -> Response:
        """A puzzle without its solution, with its drawings."""
        game = request.query_params.get("game", "")
        puzzles, box = self._puzzles(game)
        table = await self._found(puzzles.table, box, request.path_params["name"])
        return JSONResponse({"table": table, "drawings": drawings(self._lobby.game_type(game), box, table)})

    @with_errors
    async def check(self, request: Request) -> Response:
        """The wrong marks."""
        asked = parse_puzzle("check_marks", await json_body(request))
        puzzles, box = self._puzzles(asked["game"])
        return JSONResponse(await self._found(puzzles.check, box, request.path_params["name"], asked["marks"]))

    @with_errors
    async def hint(self, request: Request) -> Response:
        """The next hint."""
        asked = parse_puzzle("next_hint", await json_body(request))
        puzzles, box = self._puzzles(asked["game"])
        name, marks, after = request.path_params["name"], asked["marks"], asked.get("after", -1)
        return JSONResponse(await self._found(puzzles.hint, box, name, marks, after))
