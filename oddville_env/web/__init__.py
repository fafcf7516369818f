"""A page to play, watch and understand games: its server, over `GameType`. PROTOCOL.md says what both say."""

from oddville_env.web.app import make_app
from oddville_env.web.server import serve
from oddville_env.web.sessions.lobby import Lobby
from oddville_env.web.sessions.offered import offered_agents
from oddville_env.web.sessions.record_files import RecordFile

__all__ = ["Lobby", "RecordFile", "make_app", "offered_agents", "serve"]
