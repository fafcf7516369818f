"""`oddville play`, `view`: the page to play, watch and understand games, or the same in the terminal."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import typer

from oddville_env.cli.lists import specs_of
from oddville_env.cli.options import File, Settings
from oddville_env.cli.output import check_out, terminal
from oddville_env.core.above import find_agents
from oddville_env.core.errors import SettingError
from oddville_env.core.extras import needs_extra
from oddville_env.core.game_type import GameType
from oddville_env.core.seeds import check_seed

OFFERED = ("random", "greedy", "champion", "search:ms=200", "search:ms=1000", "search:ms=5000")
"""The agents that the page lets one choose from, beside those that the command line names."""
HUMAN = "human"

Seats = Annotated[list[str], typer.Option("--seats", help="Who plays by seat: human, or an agent.")]
Host = Annotated[str, typer.Option(help="The interface; others than loopback get an address with a random token.")]
Port = Annotated[int, typer.Option(help="The port; 0 takes a free one.", min=0, max=65535)]
Folder = Annotated[Path | None, typer.Option(help="Where games are saved; by default with the user's own data.")]


def add_to(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command()(play)
    app.command()(view)


def play(
    game_type: GameType,
    seats: Seats = [],  # noqa: B006  (typer reads it once)
    in_terminal: Annotated[bool, typer.Option("--terminal", help="Play here, without a browser.")] = False,
    seed: Annotated[int | None, typer.Option(help="Seed of the deal; drawn if it is left out.")] = None,
    host: Host = "127.0.0.1",
    port: Port = 8000,
    folder: Folder = None,
    out: Annotated[Path | None, typer.Option(help="With --terminal: keep the record in this file.")] = None,
    settings: Settings = {},  # noqa: B006
) -> None:
    """Play in a browser, with people and agents; without --seats the page asks who plays."""
    specs = specs_of(seats)
    _check_seats(game_type, specs)
    check_seed(seed)
    if in_terminal:
        from oddville_env.cli.terminal_game import hint_agent, play_here

        check_out(out)
        play_here(game_type, specs or [HUMAN, hint_agent(game_type.name)], seed, settings, out)
        return
    web, lobby = lobby_of(game_type, specs, folder, settings)
    own = {option.name: settings[option.name] for option in game_type.options if not option.data}
    request = {"game": game_type.name, "seats": specs, "settings": own, "seed": check_seed(seed)}

    def ready(*addresses: str) -> None:
        place = ""
        if specs:
            session = lobby.make_now(request)
            place = f"#game={session.id}&key={session.keys.host}"
        tell(addresses, place, lobby)

    web.serve(lobby, host, port, ready)


def view(
    game_type: GameType,
    file: File,
    host: Host = "127.0.0.1",
    port: Port = 8000,
    folder: Folder = None,
    data: Settings = {},  # noqa: B006
) -> None:
    """Replay and analyse a file of records in a browser."""
    web, lobby = lobby_of(game_type, [], folder, data, file)
    web.serve(lobby, host, port, lambda *addresses: tell(addresses, "#records", lobby))


def _check_seats(game_type: GameType, specs: Sequence[str]) -> None:
    """Raises SettingError, AgentError for seats that nobody can sit on."""
    least, most = game_type.players[0], game_type.players[-1]
    if specs and len(specs) not in game_type.players:
        raise SettingError(f"--seats must name {least} to {most} seats, not {len(specs)}")
    for spec in specs:
        if spec != HUMAN:
            find_agents().make_agent(spec, game_type.name)


def lobby_of(
    game_type: GameType, specs: Sequence[str], folder: Path | None, settings: Settings, file: Path | None = None
) -> tuple[Any, Any]:
    """The web package, and the games of this server. Raises SettingError where the extra is not installed."""
    with needs_extra("the page needs", "web"):
        web = import_module("oddville_env.web")
    data = {option.name: settings[option.name] for option in game_type.options if option.data}
    game_type.box(game_type.settings(game_type.players[0], **settings))
    home = folder or Path(typer.get_app_dir(game_type.name)) / "games"
    known = find_agents().built_in(game_type.name)
    offered = [spec for spec in OFFERED if spec.split(":")[0] in known]
    named = [spec for spec in specs if spec != HUMAN]
    return web, web.Lobby([game_type], home, [*offered, *named], data, web.RecordFile(file))


def tell(addresses: Sequence[str], place: str, lobby: Any) -> None:
    """Say where the page is, and for phones in the network by a QR code, where somebody looks at a terminal."""
    console = terminal(err=True)
    first, *others = (f"{address}{place}" for address in addresses)
    console.print(f"open {first}", soft_wrap=True)
    for other in others:
        console.print(f"  or {other}", soft_wrap=True)
    qr = import_module("oddville_env.web.addresses")
    if console.is_terminal and not qr.is_loopback(urlsplit(first).hostname):
        console.print(qr.qr_lines(first), end="", highlight=False, soft_wrap=True)
    console.print(f"games are saved in {lobby.folder.path}; Ctrl-C ends", soft_wrap=True)
