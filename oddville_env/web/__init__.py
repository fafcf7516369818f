"""The page to play, watch and analyse games: its server, for any `GameType`. PROTOCOL.md describes its messages.

Its parts are imported at first use, so that `sessions.game` needs no extra.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from oddville_env.web.app import make_app as make_app
    from oddville_env.web.server import serve as serve
    from oddville_env.web.sessions.lobby import Lobby as Lobby
    from oddville_env.web.sessions.lobby import offered_agents as offered_agents
    from oddville_env.web.sessions.saving import RecordFile as RecordFile

_HOMES = {
    "Lobby": "sessions.lobby",
    "RecordFile": "sessions.saving",
    "make_app": "app",
    "offered_agents": "sessions.lobby",
    "serve": "server",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
