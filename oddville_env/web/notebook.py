"""The page in a notebook: a server in a thread of this process, for this computer alone."""

import atexit
import os
import secrets
import shutil
import threading
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import uvicorn

from oddville_env.core.game.game_type import GameType
from oddville_env.web.addresses import url
from oddville_env.web.app import make_app
from oddville_env.web.server import TOKEN_BYTES, configured, listening_at
from oddville_env.web.sessions.lobby import Lobby, offered_agents

HOST = "127.0.0.1"
END_S = 5.0  # seconds that the process waits for the server to end


class NotebookServer:
    """The page of one game, with a temporary folder for its games."""

    def __init__(self, game_type: GameType, data: dict[str, Any]) -> None:
        token, listening = secrets.token_urlsafe(TOKEN_BYTES), listening_at(HOST, 0)
        self._folder, self._home = Path(mkdtemp(prefix=f"{game_type.name}-")), os.getpid()
        self.lobby = Lobby([game_type], self._folder, offered_agents(game_type), data)
        self.address = url(HOST, listening.getsockname()[1], f"{token}/")
        app = make_app(self.lobby, token, warm=True, framed=True)
        self._server = uvicorn.Server(configured(app))
        self._thread = threading.Thread(target=self._server.run, args=([listening],), name="page", daemon=True)
        self._thread.start()
        atexit.register(self.stop)

    def stop(self) -> None:
        """End the server. A forked process, which inherits this object, leaves it alone."""
        if self._home == os.getpid():
            self._server.should_exit = True
            self._thread.join(END_S)
            shutil.rmtree(self._folder, ignore_errors=True)


@cache
def server_of(game_type: GameType, cards: Any) -> NotebookServer:
    """The server of this process for a game and its cards."""
    return NotebookServer(game_type, {option.name: cards for option in game_type.options if option.data})


def address_of(game: Any, view: int | None) -> str:
    """The address that shows a game, to look back and to ask agents; view: the seat as which it is shown.

    Raises RecordError where the game has no record, RefusalError where it is too long for the page.
    """
    server = server_of(game.game_type, game.box.cards)
    session = server.lobby.make_now({"game": game.game_name, "upload": game.record()}, view)
    return f"{server.address}#game={session.id}&key={session.keys.watch}"
