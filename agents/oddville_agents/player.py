"""An agent at a table: the one place where agents are asked, and where what goes wrong with them is put into words."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from operator import index as as_index
from typing import Any

import numpy as np

from oddville_env.core.errors import OddVilleError
from oddville_env.core.view import BatchView, View

LONGEST_REASON = 200  # letters
LONGEST_ANSWER = 40
OUT_OF_MEMORY = "out of memory"


class AgentError(OddVilleError):
    """A spec that names no agent, or an agent that cannot be made."""


class AgentFaultError(AgentError):
    """What an agent did wrong in a game, in one sentence: `reason` is the sentence without the agent's name."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"agent {name!r}: {reason}")
        self.name, self.reason = name, reason

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[str, str]]:
        return AgentFaultError, (self.name, self.reason)


class Player:
    """An agent at one table: it is told when a game begins, and asked for its moves."""

    def __init__(self, agent: Any) -> None:
        self.agent = agent
        self._seed = 0
        self._rng: np.random.Generator | None = None

    @property
    def name(self) -> str:
        """What the agent is called in messages."""
        return name_of(self.agent)

    def begin(self, seat: int, players: int, seed: int) -> None:
        """A game begins. Raises AgentFaultError."""
        self._seed, self._rng = seed, None
        with faults_of(self.name):
            self.agent.reset(seat, players, seed)

    def move(self, view: View) -> int:
        """The agent's move: the id of a legal one. Raises AgentFaultError."""
        view.chance = self._chance
        legal = view.mask.copy()
        with faults_of(self.name):
            answer = self.agent.act(view)
        return legal_answer(self.name, view, legal, answer)

    def opinion(self, view: View) -> Any:
        """What the agent thinks of the position, an `Opinion`. Raises AgentFaultError."""
        view.chance = self._chance
        with faults_of(self.name):
            return self.agent.opinion(view)

    def _chance(self) -> np.random.Generator:
        """The agent's generator in this game."""
        if self._rng is None:
            self._rng = np.random.default_rng(self._seed)
        return self._rng


class BatchPlayer:
    """An agent at many tables at once: it is told when a game begins, and asked for the moves of several of them."""

    def __init__(self, agent: Any, tables: int) -> None:
        self.name = name_of(agent)
        with faults_of(self.name):
            self._batch_agent = agent.batch_agent(tables)

    def begin(self, table: int, seat: int, players: int, seed: int) -> None:
        """A game begins at a table. Raises AgentFaultError."""
        with faults_of(self.name):
            self._batch_agent.reset(table, seat, players, seed)

    def move(self, view: BatchView, actions: np.ndarray) -> None:
        """Write the ids of legal moves into actions int64 [B], at the view's tables. Raises AgentFaultError."""
        legal = view.take_legal()
        with faults_of(self.name):
            self._batch_agent.act(view, actions)
        answers = actions[view.tables]
        known = (answers >= 0) & (answers < legal.shape[1])
        fits = known & legal[np.arange(len(legal)), np.where(known, answers, 0)]
        if not fits.all():
            place = int(fits.argmin())
            legal_answer(self.name, view.one(place), legal[place], int(answers[place]))


def name_of(agent: Any) -> str:
    """What an agent is called in messages."""
    return str(getattr(agent, "spec", "") or getattr(agent, "name", type(agent).__name__))


@contextmanager
def faults_of(name: str) -> Iterator[None]:
    """Tell whatever goes wrong inside as the fault of an agent; Ctrl-C goes through."""
    try:
        yield
    except (KeyboardInterrupt, AgentError):
        raise
    except BaseException as error:
        raise AgentFaultError(name, reason_of(error)) from error


def reason_of(error: BaseException) -> str:
    """What an agent did that raised this, in a line."""
    if isinstance(error, MemoryError):
        return OUT_OF_MEMORY
    return one_line(f"raised: {type(error).__name__}: {error}".removesuffix(": "))


def one_line(text: str) -> str:
    """The beginning of a text, with blanks for what cannot be printed."""
    printed = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(printed.split())[:LONGEST_REASON]


def legal_answer(name: str, view: View, legal: np.ndarray, answer: object) -> int:
    """The id that an agent answered, if it is one of a legal move [A]; raises AgentFaultError."""
    try:
        if isinstance(answer, bool | np.bool_):
            raise TypeError
        action = as_index(answer)  # type: ignore[arg-type]
    except TypeError:
        shown = one_line(repr(answer))[:LONGEST_ANSWER]
        raise AgentFaultError(name, f"illegal move: {shown} is no move of this table") from None
    if not 0 <= action < len(legal):
        raise AgentFaultError(name, f"illegal move: {str(action)[:LONGEST_ANSWER]} is no move of this table")
    if not legal[action]:
        raise AgentFaultError(name, f"illegal move: {view.word(action)}")
    return action
