"""The decisions of agents that ask a language model: a file of transcripts, and counts of answers and tokens."""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from oddville_agents.player import AgentFaultError, Player
from oddville_agents.policies.asking import COUNTS, AskingAgent, Decision, ForfeitError
from oddville_env.core.disk.files import check_writable, open_file
from oddville_env.core.errors import GameError, SettingError, shown_path
from oddville_env.core.game.view import View

NAMES = ("decisions", *COUNTS)


class StoppedError(GameError):
    """The evaluation has ended, and a game in another thread must not go on."""


class ModelFaultError(AgentFaultError):
    """A model cannot be asked."""


class Transcripts:
    """The decisions of one evaluation, from any thread.

    path: a file of JSON Lines, which gets a line when a decision was made; None for no file.

    Raises:
        SettingError: There are transcripts in the file already.
        OSError: The file cannot be written.
    """

    def __init__(self, path: Path | None) -> None:
        if path is not None:
            if path.exists() and path.stat().st_size:
                raise SettingError(f"{shown_path(path)} is there already: give another file for transcripts")
            check_writable(path)
        self._file = None if path is None else open_file(path, "w")
        self._lock, self._is_open = Lock(), True
        self.opponent = ""
        self._counts: dict[tuple[str, str, int, int], Counter[str]] = defaultdict(Counter)

    def check(self) -> None:
        """Raises StoppedError after the end of the evaluation."""
        if not self._is_open:
            raise StoppedError("the evaluation has ended")

    def add(self, game: int, seat: int, agent: str, decision: Decision) -> None:
        """Note a decision. Raises StoppedError and OSError."""
        with self._lock:
            self.check()
            counts = self._counts[self.opponent, agent, game, seat]
            number = counts["decisions"]
            counts.update(decisions=1, **decision.counts)
            if self._file is None:
                return
            where = {"opponent": self.opponent, "game": game, "seat": seat, "decision": number, "agent": agent}
            told = {name: getattr(decision, name) for name in ("prompt", "answers", "problems", "word")}
            told |= {name: decision.counts[name] for name in COUNTS if name != "answers"}
            self._file.write(json.dumps(where | told) + "\n")
            self._file.flush()

    def models(self, games: np.ndarray) -> list[dict[str, Any]]:
        """The counts of each agent in these games against the current opponent."""
        finished, found = set(games.tolist()), dict[str, Counter[str]]()
        for (opponent, agent, game, _), counts in self._counts.items():
            if opponent == self.opponent and game in finished:
                found.setdefault(agent, Counter()).update(counts)
        return [{"agent": agent, **{name: found[agent][name] for name in NAMES}} for agent in sorted(found)]

    def close(self) -> None:
        """Close the file; games in other threads stop at their next decision."""
        with self._lock:
            self._is_open = False
            if self._file is not None:
                self._file.close()


class AskedPlayer(Player):
    """An agent that asks a model, at one table; game: a function that tells the number of the current game."""

    def __init__(self, agent: AskingAgent, transcripts: Transcripts, game: Callable[[], int]) -> None:
        super().__init__(agent)
        self._transcripts, self._game = transcripts, game

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
                self._transcripts.add(self._game(), view.seat, self.name, self.agent.decision)


def sentence(counts: Mapping[str, Any], games: int) -> str:
    """The counts of an agent against an opponent in words."""
    shares = [f"{counts[name] / counts['answers']:.1%} {name}" for name in ("unreadable", "illegal")]
    tokens = " + ".join(f"{counts[name] / games:,.0f}" for name in ("prompt_tokens", "answer_tokens"))
    return (
        f"{counts['agent']}: {counts['decisions']} decisions, of its answers {' and '.join(shares)}, fallbacks at "
        f"{counts['fallbacks'] / counts['decisions']:.1%} of the decisions, {tokens} tokens a game."
    )
