"""An agent in a seat: all calls of agents go through here, and their errors become one sentence."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from operator import index as as_index
from typing import Any

import numpy as np

from oddville_env.core.errors import GameError
from oddville_env.core.game.view import BatchView, View
from oddville_env.core.system.interrupts import is_ctrl_c

LONGEST_REASON = 200  # characters
LONGEST_ANSWER = 40
OUT_OF_MEMORY = "out of memory"

# The calls of an agent, as messages name them.
TOLD = "at the start of a game"
MOVING = "when it was asked for a move"
THINKING = "when it was asked for an analysis"
SEATED = "when it was asked to play several games"
COPIED = "when it was copied"


class AgentError(GameError):
    """A spec that names no agent, or an agent that cannot be made."""


class AgentFaultError(AgentError):
    """An error of an agent, in one sentence: its name, the `reason`, and `when` it happened."""

    def __init__(self, name: str, reason: str, when: str = "") -> None:
        super().__init__(f"agent {name!r}: {reason} {when}".rstrip())
        self.name, self.reason, self.when = name, reason, when

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[str, str, str]]:
        return AgentFaultError, (self.name, self.reason, self.when)


class Player:
    """An agent at one table."""

    def __init__(self, agent: Any) -> None:
        self.agent = agent
        self._seed = 0
        self._rng: np.random.Generator | None = None

    @property
    def name(self) -> str:
        """Return the agent's name in messages."""
        return name_of(self.agent)

    def begin(self, seat: int, players: int, seed: int) -> None:
        """Start a game. Raises AgentFaultError."""
        self._seed, self._rng = seed, None
        with faults_of(self.name, TOLD):
            self.agent.reset(seat, players, seed)

    def move(self, view: View) -> int:
        """Return the agent's move, the id of a legal one. Raises AgentFaultError."""
        view.chance = self._chance
        legal = view.mask.copy()
        with faults_of(self.name, MOVING):
            return legal_answer(self.name, view, legal, self.agent.act(view))

    def opinion(self, view: View) -> Any:
        """Return the agent's `Opinion` of the position. Raises AgentFaultError."""
        view.chance = self._chance
        legal = view.mask.copy()
        with faults_of(self.name, THINKING):
            opinion = self.agent.opinion(view)
            if not opinion.candidates:
                raise AgentFaultError(self.name, "thinks of no move", THINKING)
            for candidate in opinion.candidates:
                legal_answer(self.name, view, legal, candidate.action)
                _ = [float(number) for number in (candidate.share, candidate.visits, *candidate.values)]
                _ = [view.word(action) for action in candidate.line]
            return opinion

    def tree(self, most: int) -> tuple[Any, ...]:
        """Return at most `most` moves (`Branch`) of the tree of the agent's last opinion. Raises AgentFaultError."""
        with faults_of(self.name, THINKING):
            return tuple(self.agent.tree(most))

    def _chance(self) -> np.random.Generator:
        if self._rng is None:
            self._rng = np.random.default_rng(self._seed)
        return self._rng


class BatchPlayer:
    """An agent at many tables."""

    def __init__(self, agent: Any, tables: int) -> None:
        self.name = name_of(agent)
        with faults_of(self.name, SEATED):
            self._batch_agent = agent.batch_agent(tables)

    def begin(self, table: int, seat: int, players: int, seed: int) -> None:
        """Start a game at a table. Raises AgentFaultError."""
        with faults_of(self.name, TOLD):
            self._batch_agent.reset(table, seat, players, seed)

    def move(self, view: BatchView, actions: np.ndarray) -> None:
        """Write the ids of legal moves into actions int64 [B], at the view's tables. Raises AgentFaultError."""
        legal = view.legal
        with faults_of(self.name, MOVING):
            self._batch_agent.act(view, actions)
        answers = actions[view.tables]
        known = (answers >= 0) & (answers < legal.shape[1])
        fits = known & legal[np.arange(len(legal)), np.where(known, answers, 0)]
        if not fits.all():
            at = int(fits.argmin())
            legal_answer(self.name, view.one(at), legal[at], int(answers[at]))


def name_of(agent: Any) -> str:
    """Return the agent's name in messages: its spec if it has one."""
    return str(getattr(agent, "spec", "") or getattr(agent, "name", type(agent).__name__))


def copy_of(agent: Any) -> Any:
    """Return a copy of an agent, with a memory of its own. Raises AgentFaultError."""
    with faults_of(name_of(agent), COPIED):
        return deepcopy(agent)


@contextmanager
def faults_of(name: str, when: str) -> Iterator[None]:
    """Turn any error inside, SystemExit included, into an AgentFaultError; Ctrl-C passes through."""
    try:
        yield
    except AgentError:
        raise
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) and is_ctrl_c():
            raise
        raise AgentFaultError(name, reason_of(error), when) from error


def reason_of(error: BaseException) -> str:
    """Return the reason of an AgentFaultError for an exception, in one line."""
    return OUT_OF_MEMORY if isinstance(error, MemoryError) else f"raised: {words_of(error)}"


def words_of(error: BaseException) -> str:
    """Return the class of an exception and its message, in one line."""
    for _ in range(2):
        try:
            return one_line(f"{type(error).__name__}: {error}".removesuffix(": "))
        except BaseException as worse:  # the message is code of the agent's author too
            error = worse
    return type(error).__name__


def one_line(text: str) -> str:
    """Return the beginning of a text on one line, with blanks for unprintable characters."""
    printed = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(printed.split())[:LONGEST_REASON]


def legal_answer(name: str, view: View, legal: np.ndarray, answer: object) -> int:
    """Return an agent's answer as an id if it is legal, legal bool [A]; raises AgentFaultError otherwise."""
    try:
        if isinstance(answer, bool | np.bool_):
            raise TypeError
        action = as_index(answer)  # type: ignore[arg-type]
    except TypeError:
        shown = one_line(repr(answer))[:LONGEST_ANSWER]
        raise AgentFaultError(name, f"illegal move: {shown} is not a move on this table") from None
    if not 0 <= action < len(legal):
        raise AgentFaultError(name, f"illegal move: {str(action)[:LONGEST_ANSWER]} is not a move on this table")
    if not legal[action]:
        raise AgentFaultError(name, f"illegal move: {view.word(action)}")
    return action
