"""`view`: recorded games in a browser."""

from oddville_env.cli.options import NONE, File, Settings
from oddville_env.cli.page import Folder, Host, Port, lobby_of, tell
from oddville_env.core.game.game_type import GameType


def view(
    game_type: GameType,
    file: File,
    host: Host = "127.0.0.1",
    port: Port = 8000,
    folder: Folder = None,
    data: Settings = NONE,
) -> None:
    """Replay and analyse a file of records in a browser."""
    serve, lobby = lobby_of(game_type, [], folder, data, file)
    serve(lobby, host, port, lambda *addresses: tell(addresses, "#records", lobby))
