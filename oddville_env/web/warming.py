"""Compiling ahead: a fresh installation compiles its kernels while people still look at the lobby."""

import asyncio
import logging
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from numba.core import event

from oddville_env.core.game.game_type import GameType
from oddville_env.core.system.extras import find_agents
from oddville_env.web.sessions.access import Keys
from oddville_env.web.sessions.company import Seat
from oddville_env.web.sessions.game import dealt_anew, reveals
from oddville_env.web.sessions.session import Session
from oddville_env.web.sessions.snapshot import Snapshot
from oddville_env.web.sessions.thinking import is_own_code, lower_priority

LOG = logging.getLogger("uvicorn.error")
MOVES = 12  # of the game that is played to compile its code
SEED = 0


class Warming(event.Listener):
    """Compiles in the background, tables first, then agents."""

    def __init__(self, game_types: list[GameType], offered: list[str], data: dict[str, Any]) -> None:
        self._tables = [partial(_show_a_table, game_type, data) for game_type in game_types]
        first = {spec.split(":")[0]: spec for spec in reversed(offered)}  # other options need no other code
        self._agents = [partial(_ask, spec, game_types[0], data) for spec in reversed(first.values())]
        self._ready = threading.Event()
        self._ready.set()
        self.done = self.compiled = 0

    def start(self) -> None:
        """Begin, in a thread."""
        self._ready.clear()
        threading.Thread(target=self._run, name="warming", daemon=True).start()

    def _run(self) -> None:
        lower_priority()
        with event.install_listener("numba:compile", self):
            steps: list[Callable[[], object]] = [*self._tables, self._ready.set, *self._agents]
            for step in steps:
                try:
                    step()
                except Exception:  # the request that needs this step reports its error
                    LOG.debug("not compiled ahead", exc_info=True)
                self.done += 1

    def on_start(self, event: Any) -> None:
        """A function is about to be compiled."""
        self.compiled += 1

    def on_end(self, event: Any) -> None:
        """It is compiled."""

    async def tables_ready(self) -> None:
        """Wait until games can be shown without compiling; the server answers other requests meanwhile."""
        while not self._ready.is_set():
            await asyncio.sleep(0.05)

    def progress(self) -> dict[str, int]:
        """The steps that are done, the number of steps, and the functions compiled."""
        return {"done": self.done, "of": len(self._tables) + len(self._agents) + 1, "compiled": self.compiled}


def _show_a_table(game_type: GameType, data: dict[str, Any]) -> None:
    """Show, play and take back a game as the page does."""
    game = game_type.game(game_type.players[0], SEED, **data)
    session = Session("", game_type, game, [Seat(), Seat()], Keys.fresh(game.players), data)
    for _ in range(MOVES):
        before = session.at(session.moves)
        session.push(session.game.legal_moves.words()[-1])
        snapshot = Snapshot(session, session.moves, session.game.to_move)
        _ = snapshot.fields(), snapshot.legal, snapshot.events()
    reveals(before, session.entries[-1]["word"], session.game, game.players)
    dealt_anew(session.game, session.game.to_move, **data)


def _ask(spec: str, game_type: GameType, data: dict[str, Any]) -> None:
    if is_own_code(spec, game_type):
        find_agents("ask").ask(spec, game_type.game(game_type.players[0], SEED, **data).view())
