"""`play` and `view`: games and records in a browser or in the terminal."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import typer

from oddville_env.cli.options import NONE, File, Settings, option, specs_of
from oddville_env.cli.output import check_out, terminal
from oddville_env.core.checked import check_seed
from oddville_env.core.errors import SettingError
from oddville_env.core.game.game_type import GameType
from oddville_env.core.system.extras import needs_extra
from oddville_env.core.system.lazy_packages import HUMAN, find_agents, find_page

Host = Annotated[str, option("Network interface; addresses outside this machine contain a random token.")]
Port = Annotated[int, option("Port; 0 picks a free one.", min=0, max=65535)]
Folder = Annotated[Path | None, option("Folder for saved games.", default="in the user's data folder")]


def lobby_of(
    game_type: GameType, specs: Sequence[str], folder: Path | None, settings: Settings, file: Path | None = None
) -> tuple[Any, Any]:
    """Return the function that serves, and the lobby. Raises SettingError where the extra is missing."""
    with needs_extra("the page needs", "web"):
        serve, lobby = find_page("server").serve, find_page("sessions.lobby")
    data = {option.name: settings[option.name] for option in game_type.options if option.data}
    game_type.box(game_type.settings(game_type.players[0], **settings))
    home = folder or Path(typer.get_app_dir(game_type.name)) / "games"
    records = find_page("sessions.saving").RecordFile(file)
    return serve, lobby.Lobby([game_type], home, lobby.offered_agents(game_type, specs), data, records)


def tell(addresses: Sequence[str], fragment: str, lobby: Any) -> None:
    """Print the addresses of the page, with a QR code for phones in a terminal."""
    console = terminal(err=True)
    first, *others = (f"{address}{fragment}" for address in addresses)
    console.print(f"open {first}", soft_wrap=True)
    for other in others:
        console.print(f"  or {other}", soft_wrap=True)
    qr = find_page("addresses")
    if console.is_terminal and not qr.is_loopback(urlsplit(first).hostname):
        console.print(qr.qr_lines(first), end="", highlight=False, soft_wrap=True)
    console.print(f"games are saved in {lobby.folder.path}; Ctrl-C ends", soft_wrap=True)


Seats = Annotated[list[str], option("Player of each seat: human, or an agent.", "--seats", default="asked on the page")]


def play(
    game_type: GameType,
    seats: Seats = [],  # noqa: B006
    in_terminal: Annotated[bool, option("Play in the terminal instead of a browser.", "--terminal")] = False,
    with_help: Annotated[bool, option("Allow hints in a game of --seats with several people.", "--with-help")] = False,
    seed: Annotated[int | None, option("Seed of the deal.", default="random")] = None,
    host: Host = "127.0.0.1",
    port: Port = 8000,
    folder: Folder = None,
    out: Annotated[Path | None, option("With --terminal: file for the record of the game.")] = None,
    settings: Settings = NONE,
) -> None:
    """Play in a browser against agents and other people."""
    specs = specs_of(seats)
    _check_seats(game_type, specs)
    check_seed(seed)
    if in_terminal:
        from oddville_env.cli.terminal_game import TerminalGame

        check_out(out)
        seated = specs or [HUMAN, find_agents("roster").hint_agent(game_type.name)]
        TerminalGame(game_type, seated, seed, settings, out).play()
        return
    serve, lobby = lobby_of(game_type, specs, folder, settings)
    own = {option.name: settings[option.name] for option in game_type.options if not option.data}
    request = {"game": game_type.name, "seats": specs, "settings": own, "seed": check_seed(seed), "help": with_help}

    def ready(*addresses: str) -> None:
        fragment = ""
        if specs:
            session = lobby.make_now(request)
            fragment = f"#game={session.id}&key={session.keys.host}"
        tell(addresses, fragment, lobby)

    serve(lobby, host, port, ready)


def _check_seats(game_type: GameType, specs: Sequence[str]) -> None:
    """Raises SettingError for a wrong number of seats, AgentError for an unknown agent."""
    least, most = game_type.players[0], game_type.players[-1]
    if specs and len(specs) not in game_type.players:
        raise SettingError(f"--seats must name {least} to {most} seats, not {len(specs)}")
    for spec in specs:
        if spec != HUMAN:
            find_agents().make_agent(spec, game_type.name)


Asked = Annotated[list[str], option("Further agents to ask, e.g. your models.", "--agents", default="none")]


def view(
    game_type: GameType,
    file: File,
    agents: Asked = [],  # noqa: B006
    host: Host = "127.0.0.1",
    port: Port = 8000,
    folder: Folder = None,
    data: Settings = NONE,
) -> None:
    """Replay and analyse a file of records in a browser."""
    specs = specs_of(agents)
    for spec in specs:
        find_agents().make_agent(spec, game_type.name)
    serve, lobby = lobby_of(game_type, specs, folder, data, file)
    serve(lobby, host, port, lambda *addresses: tell(addresses, "#records", lobby))
