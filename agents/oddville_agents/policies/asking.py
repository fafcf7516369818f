"""Agents that ask a language model for moves: what every one of them does, and any function of a prompt as one."""

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field
from threading import Lock
from typing import Annotated, Any, NamedTuple, Self

from oddville_agents.agent import Agent
from oddville_agents.player import AgentFaultError, name_of
from oddville_agents.roster import Option
from oddville_env.core.checked.kinds import one_of, whole
from oddville_env.core.errors import SettingError, shown
from oddville_env.core.game.prompt import Answer, full_prompt, read_answer
from oddville_env.core.game.view import View

FALLBACKS = ("random", "forfeit")
MOST_TRIES = 100

Tries = Annotated[int, Option(whole(1, MOST_TRIES), "answers without a legal move, and failed requests, a decision")]
Fallback = Annotated[str, Option(one_of(*FALLBACKS), "after the last answer: a random move, or the game is lost")]


class Reply(NamedTuple):
    """An answer of a model. problem: why it must not be read, if so; tokens: None where they are not known."""

    content: object
    problem: str = ""
    prompt_tokens: int | None = None
    answer_tokens: int | None = None


@dataclass
class Decision:
    """What was asked and answered at a decision.

    problems: of the answers, empty for the one that was played; word: the move, None for a forfeit.
    """

    prompt: str
    answers: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    prompt_tokens: int | None = None
    answer_tokens: int | None = None
    illegal: int = 0
    unreadable: int = 0
    failed_requests: int = 0
    fallback: bool = False
    word: str | None = None

    def add(self, reply: Reply, answer: Answer) -> None:
        """Note an answer and how it was read."""
        self.answers.append(reply.content if isinstance(reply.content, str) else repr(reply.content))
        self.problems.append(answer.problem)
        self.illegal += answer.illegal
        self.unreadable += answer.action is None and not answer.illegal
        for name in ("prompt_tokens", "answer_tokens"):
            if (told := getattr(reply, name)) is not None:
                setattr(self, name, (getattr(self, name) or 0) + told)

    def counts(self) -> Counter[str]:
        """Numbers of answers, of unreadable and illegal ones, of fallbacks, failed requests and tokens, above 0."""
        numbers = {
            "answers": len(self.answers),
            "unreadable": self.unreadable,
            "illegal": self.illegal,
            "fallbacks": int(self.fallback),
            "failed requests": self.failed_requests,
            "prompt tokens": self.prompt_tokens or 0,
            "answer tokens": self.answer_tokens or 0,
        }
        return Counter({name: many for name, many in numbers.items() if many})


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
    def _reply(self, prompt: str) -> Reply:
        """The model's answer to a prompt. Raises AgentFaultError."""

    def act(self, view: View) -> int:
        """Return the last legal move of an answer, or the fallback. Raises AgentFaultError."""
        self.decision = decision = Decision(full_prompt(view))
        try:
            action = self._asked(view, decision)
            decision.word = view.word(action)
            return action
        finally:
            with _COUNTING:
                self.counts.update(decision.counts())

    def _asked(self, view: View, decision: Decision) -> int:
        problem = ""
        for _ in range(self._tries):
            reply = self._reply(full_prompt(view, problem) if problem else decision.prompt)
            answer = Answer(None, reply.problem) if reply.problem else read_answer(reply.content, view)
            decision.add(reply, answer)
            if answer.action is not None:
                return answer.action
            problem = answer.problem
        decision.fallback = True
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

    def _reply(self, prompt: str) -> Reply:
        return Reply(self._ask(prompt))
