"""`play` and `view`: games and records in a browser or in the terminal."""

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from textwrap import wrap
from typing import Annotated, Any
from urllib.parse import urlsplit

import typer

from oddville_env.cli.options import NONE, File, Settings, option, out_option, specs_of
from oddville_env.cli.output import Screen, terminal, write_json
from oddville_env.core.checked import check_seed
from oddville_env.core.errors import GameError, SettingError
from oddville_env.core.game.game_type import GameType
from oddville_env.core.system.extras import HUMAN, find_agents, find_page, needs_extra

HELP = "a number or the word of a move; u: undo, h: hint, l: last moves, ?: this help, q: quit"
MOST_DIGITS = 4  # of the number of a move
UNBROKEN = "\N{NO-BREAK SPACE}"


class TerminalGame:
    """A game in the terminal of `human` or an agent in each seat; its record is written to `out` after every move."""

    def __init__(
        self, game_type: GameType, specs: Sequence[str], seed: int | None, settings: Settings, out: Path | None
    ) -> None:
        make_agent, player, deal = find_agents().make_agent, find_agents("player").Player, check_seed(seed)
        data = {option.name: settings[option.name] for option in game_type.options if option.data}
        game = game_type.game(len(specs), deal, **settings)
        self._session = find_page("sessions.game").SessionGame(game_type, game, data)
        self._players = [None if spec == HUMAN else player(make_agent(spec, game_type.name)) for spec in specs]
        self._specs, self._out = specs, out
        self._words = game_type.words(self._game.box.layout)
        self._console = terminal()
        self._screen = Screen(game_type, self._console)
        derive = find_agents("play").agent_seed
        for seat, one in enumerate(self._players):
            if one is not None:
                one.begin(seat, len(specs), derive(deal, seat, one.agent.name))

    @property
    def _game(self) -> Any:
        return self._session.game

    def play(self) -> None:
        """Play until the game ends or the player quits."""
        said: str | None = HELP
        while not self._game.is_over:
            agent = self._players[self._game.to_move]
            if agent is None:
                said = self._ask(said or HELP)
                if said is None:
                    return
            else:
                seat = f"seat {self._game.to_move} ({self._specs[self._game.to_move]})"
                with self._console.status(f"{seat} thinks"):
                    word = self._words[agent.move(self._game.view())]
                self._push(word)
                said = f"{seat}: {word}"
        winners = ", ".join(f"seat {seat}" for seat in self._game.outcome.winners)
        self._show(f"{winners} wins, scores {list(self._game.outcome.scores)}")

    def _push(self, word: str) -> None:
        self._session.push(word)
        write_json(self._out, self._game.record())

    def _show(self, said: str, below: int = 0) -> None:
        self._screen.show(self._game.position(view=self._game.to_move), self._game.box, said, below)

    def _ask(self, said: str) -> str | None:
        """Read and execute one command of the player; returns the next message, None to quit."""
        words, listed = self._listed_moves()
        self._show(said, len(listed))
        for line in listed:
            self._console.print(line, soft_wrap=True)
        try:
            answer = self._console.input(f"seat {self._game.to_move}> ").strip()
        except (EOFError, KeyboardInterrupt):
            return None
        if answer == "q":
            return None
        commands = {"u": self._undo, "h": self._hint, "l": self._last, "?": lambda: HELP, "": lambda: HELP}
        return commands[answer]() if answer in commands else self._play(answer, words)

    def _play(self, answer: str, words: Sequence[str]) -> str:
        """Play a move given by its number or its word; returns the next message."""
        number = int(answer) if answer.isdecimal() and len(answer) <= MOST_DIGITS else 0
        word = words[number - 1] if 1 <= number <= len(words) else answer
        if answer.isdecimal() and word is answer:
            return f"there are moves 1 to {len(words)}"
        seat = self._game.to_move
        try:
            self._push(word)
        except GameError as error:
            return str(error)
        return f"seat {seat}: {word}"

    def _listed_moves(self) -> tuple[list[str], list[str]]:
        """The words of the legal moves, and lines that list them with numbers by kind."""
        words = [self._words[action] for action in self._game.mask.nonzero()[0].tolist()]
        scene = self._session.scene
        texts = {kind.kind: kind.text for kind in scene.kinds} if scene else {}
        lines: list[str] = []
        width = max(self._console.width - 1, 20)
        for kind, moves in groupby(enumerate(words, 1), lambda move: move[1].split(":")[0]):
            listed = "  ".join(f"{number}{UNBROKEN}{word}" for number, word in moves)
            line = f"{texts.get(kind, kind)}: {listed}"
            lines += wrap(line, width, subsequent_indent="  ", break_on_hyphens=False)
        return words, [line.replace(UNBROKEN, " ") for line in lines]

    def _undo(self) -> str:
        """Take back the last move of a person; a person alone gets unknown cards dealt anew [K3]."""
        own = [number for number, entry in enumerate(self._session.entries) if self._players[entry["seat"]] is None]
        if not own:
            return "you have no move to undo"
        word = self._session.entries[own[-1]]["word"]
        self._session.take_back(own[-1], deal_anew=self._players.count(None) == 1)
        return f"{word} was taken back"

    def _hint(self) -> str:
        agent = find_agents("roster").hint_agent(self._session.game_type.name)
        return f"{agent} would play {self._words[find_agents().ask(agent, self._game.view())]}"

    def _last(self) -> str:
        return "  ".join(f"{entry['seat']}:{entry['word']}" for entry in self._session.entries[-12:])


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
    server = find_page("server")
    if console.is_terminal and not server.is_loopback(urlsplit(first).hostname):
        console.print(server.qr_lines(first), end="", highlight=False, soft_wrap=True)
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
    out: Annotated[Path | None, out_option("With --terminal: file for the record of the game.")] = None,
    settings: Settings = NONE,
) -> None:
    """Play in a browser against agents and other people."""
    specs = specs_of(seats)
    _check_seats(game_type, specs)
    check_seed(seed)
    if in_terminal:
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


Asked = Annotated[list[str], option("More agents for analysis, e.g. your models.", "--agents", default="none")]


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
