"""The web server as commands start it."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import typer

from oddville_env.cli.options import Settings, option
from oddville_env.cli.output import terminal
from oddville_env.core.game.game_type import GameType
from oddville_env.core.system.extras import needs_extra

Host = Annotated[str, option("Network interface; addresses outside this machine contain a random token.")]
Port = Annotated[int, option("Port; 0 picks a free one.", min=0, max=65535)]
Folder = Annotated[Path | None, option("Folder for saved games.", default="in the user's data folder")]


def lobby_of(
    game_type: GameType, specs: Sequence[str], folder: Path | None, settings: Settings, file: Path | None = None
) -> tuple[Any, Any]:
    """Return the function that serves, and the lobby. Raises SettingError where the extra is missing."""
    with needs_extra("the page needs", "web"):
        web = import_module("oddville_env.web")
        serve, lobby, records = web.serve, web.Lobby, web.RecordFile
    data = {option.name: settings[option.name] for option in game_type.options if option.data}
    game_type.box(game_type.settings(game_type.players[0], **settings))
    home = folder or Path(typer.get_app_dir(game_type.name)) / "games"
    offered = web.offered_agents(game_type, specs)
    return serve, lobby([game_type], home, offered, data, records(file))


def tell(addresses: Sequence[str], place: str, lobby: Any) -> None:
    """Print the addresses of the page, with a QR code for phones in a terminal."""
    console = terminal(err=True)
    first, *others = (f"{address}{place}" for address in addresses)
    console.print(f"open {first}", soft_wrap=True)
    for other in others:
        console.print(f"  or {other}", soft_wrap=True)
    qr = import_module("oddville_env.web.addresses")
    if console.is_terminal and not qr.is_loopback(urlsplit(first).hostname):
        console.print(qr.qr_lines(first), end="", highlight=False, soft_wrap=True)
    console.print(f"games are saved in {lobby.folder.path}; Ctrl-C ends", soft_wrap=True)
