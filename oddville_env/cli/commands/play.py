"""`play`: a game in a browser or in the terminal."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from oddville_env.cli.lists import specs_of
from oddville_env.cli.options import NONE, Settings, option
from oddville_env.cli.output import check_out
from oddville_env.cli.page import Folder, Host, Port, lobby_of, tell
from oddville_env.core.errors import SettingError
from oddville_env.core.game.game_type import GameType
from oddville_env.core.game.seeds import check_seed
from oddville_env.core.system.lazy_packages import HUMAN, find_agents

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
        place = ""
        if specs:
            session = lobby.make_now(request)
            place = f"#game={session.id}&key={session.keys.host}"
        tell(addresses, place, lobby)

    serve(lobby, host, port, ready)


def _check_seats(game_type: GameType, specs: Sequence[str]) -> None:
    """Raises SettingError for a wrong number of seats, AgentError for an unknown agent."""
    least, most = game_type.players[0], game_type.players[-1]
    if specs and len(specs) not in game_type.players:
        raise SettingError(f"--seats must name {least} to {most} seats, not {len(specs)}")
    for spec in specs:
        if spec != HUMAN:
            find_agents().make_agent(spec, game_type.name)
