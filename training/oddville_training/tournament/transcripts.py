"""The decisions of agents that ask a language model: a file of transcripts, and counts of answers and tokens."""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Lock
from typing import IO

import numpy as np
from rich.box import SIMPLE
from rich.table import Table
from rich.text import Text

from oddville_agents.player import AgentFaultError, Player
from oddville_agents.policies.asking import AskingAgent, Decision, ForfeitError
from oddville_env.core.disk.files import check_writable
from oddville_env.core.errors import GameError, SettingError, shown_path
from oddville_env.core.game.view import View


class StoppedError(GameError):
    """The evaluation has ended, and a game in another thread must not go on."""


class ModelFaultError(AgentFaultError):
    """A model cannot be asked."""


@dataclass(frozen=True)
class Asked:
    """The decisions of an agent that asks a model, in the games that were finished.

    fallbacks: decisions without a legal answer; tokens: 0 where the endpoint tells none.
    """

    agent: str
    decisions: int
    answers: int
    unreadable: int
    illegal: int
    fallbacks: int
    failed_requests: int
    prompt_tokens: int
    answer_tokens: int


class Transcripts:
    """The decisions of one evaluation, from any thread.

    path: a file of JSON Lines, which gets a line when a decision was made; None for no file. It must not be there yet.

    Raises:
        SettingError: The file is there already.
        OSError: The file cannot be written.
    """

    def __init__(self, path: Path | None) -> None:
        if path is not None:
            if path.exists():
                raise SettingError(f"{shown_path(path)} is there already: give another file for transcripts")
            check_writable(path)
        self._path, self._lock, self._is_open = path, Lock(), True
        self._file: IO[str] | None = None
        self.opponent = ""
        self._counts: dict[tuple[str, str, int], Counter[str]] = defaultdict(Counter)

    def check(self) -> None:
        """Raises StoppedError after the end of the evaluation."""
        if not self._is_open:
            raise StoppedError("the evaluation has ended")

    def add(self, game: int, seat: int, number: int, agent: str, decision: Decision) -> None:
        """Note a decision, the number-th of a seat in a game. Raises StoppedError and OSError."""
        with self._lock:
            self.check()
            self._counts[self.opponent, agent, game] += Counter(decisions=1) + decision.counts()
            if self._path is None:
                return
            if self._file is None:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._file = self._path.open("x", encoding="utf-8")
            where = {"opponent": self.opponent, "game": game, "seat": seat, "decision": number, "agent": agent}
            self._file.write(json.dumps(where | asdict(decision)) + "\n")
            self._file.flush()

    def asked(self, games: np.ndarray) -> tuple[Asked, ...]:
        """The counts of each agent against the current opponent, in these games."""
        found: dict[str, Counter[str]] = {}
        finished = set(games.tolist())
        for (opponent, agent, game), counts in self._counts.items():
            if opponent == self.opponent and game in finished:
                found[agent] = found.get(agent, Counter()) + counts
        names = [name for name in Asked.__dataclass_fields__ if name != "agent"]
        return tuple(
            Asked(agent, *(counts[name.replace("_", " ")] for name in names)) for agent, counts in sorted(found.items())
        )

    def close(self) -> None:
        """Close the file; games in other threads stop at their next decision."""
        with self._lock:
            self._is_open = False
            if self._file is not None:
                with suppress(OSError):
                    self._file.close()


class AskedPlayer(Player):
    """An agent that asks a model, at one table; game: a function that tells the number of the current game."""

    def __init__(self, agent: AskingAgent, transcripts: Transcripts, game: Callable[[], int]) -> None:
        super().__init__(agent)
        self._transcripts, self._game = transcripts, game
        self._number = 0

    def begin(self, seat: int, players: int, seed: int) -> None:
        """Start a game. Raises AgentFaultError."""
        self._number = 0
        super().begin(seat, players, seed)

    def move(self, view: View) -> int:
        """Return the agent's move and note its decision. Raises AgentFaultError and StoppedError."""
        self._transcripts.check()
        before = self.agent.decision
        try:
            return super().move(view)
        except ForfeitError:
            raise
        except AgentFaultError as fault:
            raise ModelFaultError(fault.name, fault.reason, fault.when) from fault
        finally:
            if self.agent.decision is not before:
                self._transcripts.add(self._game(), view.seat, self._number, self.name, self.agent.decision)
                self._number += 1


LEGEND = (
    "unreadable, illegal: of all answers. fallbacks: of all decisions, those without a legal answer, which are random "
    "moves or lost games. tokens: of prompts + of answers, a game."
)


def asked_table(found: Sequence[tuple[str, int, str, Asked]]) -> Table:
    """Counts for the terminal: of (opponent, games, who was asked, counts)."""
    shown = Table(box=SIMPLE, pad_edge=False, collapse_padding=True, caption=LEGEND, caption_justify="left")
    shown.add_column("against", overflow="fold", min_width=len("against"))
    for name in ("asked", "decisions", "unreadable", "illegal", "fallbacks", "tokens"):
        shown.add_column(name, justify="right", no_wrap=True)
    for opponent, games, who, each in found:
        tokens = [f"{told / games:,.0f}" if told else "-" for told in (each.prompt_tokens, each.answer_tokens)]
        shown.add_row(
            Text(opponent),
            who,
            str(each.decisions),
            f"{each.unreadable / each.answers:.1%}",
            f"{each.illegal / each.answers:.1%}",
            f"{each.fallbacks / each.decisions:.1%}",
            " + ".join(tokens),
        )
    return shown
