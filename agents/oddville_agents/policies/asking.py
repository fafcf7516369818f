"""Agents that ask a language model for moves: what every one of them does, and any function of a prompt as one."""

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field
from threading import Lock
from typing import Annotated, Any, Self

from oddville_agents.agent import Agent
from oddville_agents.player import AgentFaultError, name_of
from oddville_agents.roster import Option
from oddville_env.core.checked import one_of, whole
from oddville_env.core.errors import SettingError, shown
from oddville_env.core.game.prompt import MOST_TRIES, Answer, full_prompt, read_answer
from oddville_env.core.game.view import View

FALLBACKS = ("random", "forfeit")

Tries = Annotated[int, Option(whole(1, MOST_TRIES), "answers without a legal move, and failed requests, a decision")]
Fallback = Annotated[str, Option(one_of(*FALLBACKS), "after the last answer: a random move, or the game is lost")]

COUNTS = ("answers", "unreadable", "illegal", "fallbacks", "failed_requests", "prompt_tokens", "answer_tokens")


@dataclass
class Decision:
    """What was asked and answered at a decision.

    problems: of the answers, empty for the one that was played; word: the move, None for a forfeit; counts: of COUNTS.
    """

    prompt: str
    answers: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    word: str | None = None
    counts: Counter[str] = field(default_factory=Counter)


class ForfeitError(AgentFaultError):
    """A model gave no legal move, and its game is lost."""


_COUNTING = Lock()


class AskingAgent(Agent):
    """The base of agents that ask a model, with the tries, the fallback and the counts of `TextAgent`.

    `decision` is the last decision of this copy.
    """

    def __init__(self, tries: int, fallback: str) -> None:
        if not whole(1, MOST_TRIES).holds(tries):
            raise SettingError(f"tries must be {whole(1, MOST_TRIES).expected}, not {shown(tries)}")
        if fallback not in FALLBACKS:
            raise SettingError(f"fallback must be one of {', '.join(FALLBACKS)}, not {shown(fallback)}")
        self._tries, self._fallback = tries, fallback
        self.counts: Counter[str] = Counter()
        self.decision = Decision("")

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """A copy for another table, with the same counts."""
        return copy(self)

    @abstractmethod
    def _reply(self, prompt: str) -> tuple[object, str]:
        """The model's answer to a prompt, and why it must not be read, if so. Raises AgentFaultError."""

    def act(self, view: View) -> int:
        """Return the last legal move of an answer, or the fallback. Raises AgentFaultError."""
        self.decision = decision = Decision(full_prompt(view))
        try:
            action = self._asked(view, decision)
            decision.word = view.word(action)
            return action
        finally:
            with _COUNTING:
                self.counts.update(+decision.counts)

    def _asked(self, view: View, decision: Decision) -> int:
        problem = ""
        for _ in range(self._tries):
            said, problem = self._reply(full_prompt(view, problem) if problem else decision.prompt)
            answer = Answer(None, problem) if problem else read_answer(said, view)
            problem = answer.problem
            decision.answers.append(said if isinstance(said, str) else repr(said))
            decision.problems.append(problem)
            decision.counts["answers"] += 1
            if answer.action is not None:
                return answer.action
            decision.counts["illegal" if answer.illegal else "unreadable"] += 1
        decision.counts["fallbacks"] = 1
        if self._fallback == "forfeit":
            raise ForfeitError(name_of(self), f"gave no legal move in {self._tries} answers. {problem}")
        return int(view.rng.choice(view.actions))


class TextAgent(AskingAgent):
    """Asks a function of a prompt for moves.

    The prompt holds the rules, the position and the legal moves. An answer without a legal move is asked for again,
    with the reason. `counts` counts answers, unreadable ones, illegal ones and fallbacks; copies share it.

    Args:
        ask: A function of a prompt that returns an answer.
        tries: The number of answers that are asked for at a decision.
        fallback: Then `random` plays a random legal move, `forfeit` raises AgentFaultError, which loses the game.

    Raises:
        SettingError: For other values.
    """

    name = "text"

    def __init__(self, ask: Callable[[str], str], tries: Tries = 3, fallback: Fallback = "random") -> None:
        super().__init__(tries, fallback)
        self._ask = ask

    def _reply(self, prompt: str) -> tuple[object, str]:
        return self._ask(prompt), ""
