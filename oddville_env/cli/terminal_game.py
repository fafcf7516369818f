"""A game in the terminal: numbered moves, undo, hints and the table as text, on the session that the page uses."""

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from textwrap import wrap
from typing import Any

from oddville_env.cli.options import Settings
from oddville_env.cli.output import Screen, terminal, write_json
from oddville_env.core.checked import check_seed
from oddville_env.core.errors import GameError
from oddville_env.core.game.game_type import GameType
from oddville_env.core.system.lazy_packages import HUMAN, find_agents, find_page

HELP = "a number or the word of a move; u: take back, h: a hint, l: the last moves, ?: this help, q: quit"
LAST_MOVES = 12
LEAST_WIDTH = 20  # columns
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
                said = self._agent_moves(agent)
        winners = ", ".join(f"seat {seat}" for seat in self._game.outcome.winners)
        self._show(f"{winners} wins, scores {list(self._game.outcome.scores)}")

    def _agent_moves(self, agent: Any) -> str:
        seat = f"seat {self._game.to_move} ({self._specs[self._game.to_move]})"
        with self._console.status(f"{seat} thinks"):
            word = self._words[agent.move(self._game.view())]
        self._push(word)
        return f"{seat}: {word}"

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
        width = max(self._console.width - 1, LEAST_WIDTH)
        for kind, moves in groupby(enumerate(words, 1), lambda move: move[1].split(":")[0]):
            listed = "  ".join(f"{number}{UNBROKEN}{word}" for number, word in moves)
            line = f"{texts.get(kind, kind)}: {listed}"
            lines += wrap(line, width, subsequent_indent="  ", break_on_hyphens=False)
        return words, [line.replace(UNBROKEN, " ") for line in lines]

    def _undo(self) -> str:
        """Take back the last move of a person; a person alone gets unknown cards dealt anew [K3]."""
        own = [number for number, entry in enumerate(self._session.entries) if self._players[entry["seat"]] is None]
        if not own:
            return "there is no move of yours to take back"
        word = self._session.entries[own[-1]]["word"]
        self._session.take_back(own[-1], deal_anew=self._players.count(None) == 1)
        return f"{word} was taken back"

    def _hint(self) -> str:
        agent = find_agents("roster").hint_agent(self._session.game_type.name)
        return f"{agent} would play {self._words[find_agents().ask(agent, self._game.view())]}"

    def _last(self) -> str:
        return "  ".join(f"{entry['seat']}:{entry['word']}" for entry in self._session.entries[-LAST_MOVES:])
