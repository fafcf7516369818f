"""A person against agents without a browser: numbered moves by kind, taking back, hints, the table as text."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from textwrap import wrap
from typing import Any

from oddville_env.cli.options import Settings
from oddville_env.cli.output import terminal, write_json
from oddville_env.cli.screen import Screen
from oddville_env.core.errors import GameError
from oddville_env.core.game.game_type import GameType
from oddville_env.core.game.seeds import check_seed
from oddville_env.core.parts.played_game import dealt_anew
from oddville_env.core.system.lazy_packages import HUMAN, find_agents

HELP = "a number or the word of a move; u: take back, h: a hint, l: the last moves, ?: this help, q: quit"
LAST_MOVES = 12
LEAST_WIDTH = 20  # columns
MOST_DIGITS = 4  # of the number of a move
UNBROKEN = "\N{NO-BREAK SPACE}"


class TerminalGame:
    """A game in the terminal. out: a file to keep its record in, written at every move."""

    def __init__(
        self, game_type: GameType, specs: Sequence[str], seed: int | None, settings: Settings, out: Path | None
    ) -> None:
        agents = find_agents()
        player = find_agents("player").Player
        deal, self._type = check_seed(seed), game_type
        self._game = game_type.game(len(specs), deal, **settings)
        self._players = [None if spec == HUMAN else player(agents.make_agent(spec, game_type.name)) for spec in specs]
        self._specs, self._out = specs, out
        self._data = {option.name: settings[option.name] for option in game_type.options if option.data}
        self._said: list[tuple[int, str]] = []  # the moves so far, with who played them
        self._words = game_type.words(self._game.box.layout)
        self._console = terminal()
        self._screen = Screen(game_type, self._console)
        self._scene = game_type.scene() if game_type.scene else None
        derive = find_agents("play.loop").agent_seed
        for seat, one in enumerate(self._players):
            if one is not None:
                one.begin(seat, len(specs), derive(deal, seat, one.agent.name))

    def play(self) -> None:
        """Play until the end, or until the person has enough."""
        said: str | None = HELP
        while not self._game.is_over:
            agent = self._players[self._game.to_move]
            if agent is None:
                said = self._ask(said or HELP)
                if said is None:
                    return
            else:
                said = self._agent_moves(agent)
        outcome = self._game.outcome
        winners = ", ".join(f"seat {seat}" for seat in outcome.winners)
        self._show(f"{winners} wins, scores {list(outcome.scores)}")

    def _agent_moves(self, agent: Any) -> str:
        seat = self._game.to_move
        with self._console.status(f"seat {seat} ({self._specs[seat]}) thinks"):
            word = self._words[agent.move(self._game.view())]
        self._push(word)
        return f"seat {seat} ({self._specs[seat]}): {word}"

    def _push(self, word: str) -> None:
        seat = self._game.to_move
        self._game.push(word)
        self._said.append((seat, self._game.moves[-1].word))
        if self._out is not None:
            write_json(self._out, self._game.record())

    def _show(self, said: str, below: int = 0) -> None:
        """Show the table and what was said, with room for so many lines below."""
        self._screen.show(self._game.position(view=self._game.to_move), self._game.box, said, below)

    def _ask(self, said: str) -> str | None:
        """Ask the person for one answer and do it; returns what is to be said next, None to quit."""
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
        deeds = {"u": self._undo, "h": self._hint, "l": self._last, "?": lambda: HELP, "": lambda: HELP}
        if answer in deeds:
            return deeds[answer]()
        return self._say(answer, words)

    def _say(self, answer: str, words: Sequence[str]) -> str:
        """Play what was said, by its number or by its word."""
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
        """The words of the legal moves, and lines with their numbers, kind by kind in the law's order."""
        words = [self._words[action] for action in self._game.mask.nonzero()[0].tolist()]
        texts = {kind.kind: kind.text for kind in self._scene.kinds} if self._scene else {}
        groups: dict[str, list[str]] = {}
        for number, word in enumerate(words, 1):
            groups.setdefault(word.split(":")[0], []).append(f"{number}{UNBROKEN}{word}")
        lines: list[str] = []
        width = max(self._console.width - 1, LEAST_WIDTH)
        for kind, moves in groups.items():
            line = f"{texts.get(kind, kind)}: {'  '.join(moves)}"
            lines += wrap(line, width, subsequent_indent="  ", break_on_hyphens=False)
        return words, [line.replace(UNBROKEN, " ") for line in lines]

    def _undo(self) -> str:
        """Take back to the last decision of a person. Who plays alone gets what is unknown dealt anew [K3]."""
        own = [number for number, (seat, _) in enumerate(self._said) if self._players[seat] is None]
        if not own:
            return "there is no move of yours to take back"
        _, word = self._said[own[-1]]
        self._game.take_back(own[-1])
        if self._players.count(None) == 1:
            with suppress(GameError):  # of a game that cannot be dealt anew
                self._game = dealt_anew(self._game, self._game.to_move, **self._data)
        del self._said[own[-1] :]
        return f"{word} was taken back"

    def _hint(self) -> str:
        agent = find_agents("roster").hint_agent(self._type.name)
        move = find_agents().ask(agent, self._game.view())
        return f"{agent} would play {self._words[move]}"

    def _last(self) -> str:
        """The last moves."""
        return "  ".join(f"{seat}:{word}" for seat, word in self._said[-LAST_MOVES:])


def play_here(
    game_type: GameType, specs: Sequence[str], seed: int | None, settings: Settings, out: Path | None
) -> None:
    """Play in this terminal."""
    TerminalGame(game_type, specs, seed, settings, out).play()
