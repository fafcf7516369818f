"""Agents that ask a language model for moves: what every one does, any function of a prompt, and an endpoint.

The endpoint speaks the chat protocol.
"""

import os
import socket
import time
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from copy import copy
from dataclasses import dataclass, field
from functools import cache
from http import HTTPStatus
from threading import Lock, Timer
from typing import Annotated, Any, Self
from urllib.parse import urlsplit

from oddville_agents.agent import Agent
from oddville_agents.player import AgentFaultError, name_of
from oddville_agents.roster import NAMED, Option
from oddville_env.core.checked import above_zero, number, one_of, text, whole
from oddville_env.core.disk.reading import parse_json
from oddville_env.core.errors import SettingError, shown
from oddville_env.core.game.prompt import MOST_TRIES, Answer, full_prompt, read_answer
from oddville_env.core.game.view import View
from oddville_env.core.system.extras import needs_extra

FALLBACKS = ("random", "forfeit")

Tries = Annotated[int, Option(whole(1, MOST_TRIES), "answers without a legal move, and failed requests, a decision")]
Fallback = Annotated[str, Option(one_of(*FALLBACKS), "after the last answer: a random move, or the game is lost")]

COUNTS = ("answers", "unreadable", "illegal", "fallbacks", "failed_requests", "prompt_tokens", "answer_tokens")

MOST_TOKENS = 10_000_000
MOST_BYTES = 4_000_000  # of an endpoint's answer
LONGEST_WAIT = 60.0  # seconds before a request is sent again
BUSY = frozenset((408, 425, 429, *range(500, 600)))  # answers of HTTP after which a request is sent again
KEY = "OPENAI_API_KEY"
HIDDEN, SHORTEST_KEY = "[key]", 8  # in place of the key in an answer, if it has as many characters
NO_TEXT = "The answer must be a text."
CUT_OFF, REFUSED = "The answer was cut off at the limit of tokens.", "The answer is a refusal."


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


class ChatAgent(AskingAgent):
    """Asks a language model behind an OpenAI-like endpoint for moves."""

    def __init__(
        self,
        model: Annotated[str, Option(NAMED, "name of the model")] = "",
        url: Annotated[str, Option(text(), "address of the endpoint, as in http://127.0.0.1:8000/v1")] = "",
        key: Annotated[str, Option(text(), "environment variable with the key; none is sent without it")] = KEY,
        seconds: Annotated[float, Option(above_zero(3600.0), "time limit of a request")] = 60.0,
        temperature: Annotated[float | None, Option(number(0, 2), "sent only if given")] = None,
        max_tokens: Annotated[int | None, Option(whole(1, MOST_TOKENS), "of an answer; sent only if given")] = None,
        tries: Tries = 3,
        fallback: Fallback = "random",
    ) -> None:
        super().__init__(tries, fallback)
        address = urlsplit(url)
        if not model or not url:
            raise SettingError("it needs model=NAME,url=URL, as in chat:model=tiny,url=http://127.0.0.1:8000/v1")
        if address.scheme not in ("http", "https") or not address.hostname or set("@?#") & set(url):
            raise SettingError("url must be http://HOST or https://HOST with a path, without user, password and query")
        with needs_extra("chat needs", "chat"):
            import httpx  # noqa: F401
        self.name, self._seconds, self._key = f"chat-{model}", seconds, key
        self._url = f"{url.rstrip('/')}/chat/completions"
        told = {"model": str(model), "temperature": temperature, "max_tokens": max_tokens}
        self._told = {name: value for name, value in told.items() if value is not None}

    def _reply(self, prompt: str) -> tuple[object, str]:
        """The endpoint's answer; failed requests are sent again. Raises AgentFaultError."""
        key, problem = self._read_key(), ""
        for sent in range(self._tries):
            status, told, wait = self._send(prompt, key)
            if status == HTTPStatus.OK:
                return self._read(told, key)
            problem = told.decode()
            if status not in BUSY:
                break
            if sent + 1 < self._tries:
                self.decision.counts["failed_requests"] += 1
                time.sleep(min(wait or 2.0**sent, LONGEST_WAIT))
        raise AgentFaultError(name_of(self), f"the endpoint {problem}")

    def _read_key(self) -> str:
        """The key, which is read here only: no message and no transcript holds it. Raises AgentFaultError."""
        key = os.environ.get(self._key, "").strip()
        if not key.isascii() or not key.isprintable():
            raise AgentFaultError(name_of(self), f"the key in {self._key} has characters that cannot be sent")
        return key

    def _send(self, prompt: str, key: str) -> tuple[int, bytes, float]:
        """Send a request.

        Returns the status of HTTP, the body or else a sentence's end, and the seconds to wait before the next request.
        Connections that fail have the status 503.
        """
        import httpx

        message = {**self._told, "messages": [{"role": "user", "content": prompt}]}
        # A server may close an idle connection just when it is used again.
        headers = {"Accept-Encoding": "identity", "Connection": "close"}
        headers |= {"Authorization": f"Bearer {key}"} if key else {}
        busy, end = int(HTTPStatus.SERVICE_UNAVAILABLE), time.monotonic() + self._seconds
        late = busy, f"did not answer within {self._seconds:g} seconds".encode(), 0.0
        try:
            with (
                _deadline(self._seconds) as trace,
                _client(os.getpid()).stream(
                    "POST", self._url, json=message, headers=headers, timeout=self._seconds, extensions={"trace": trace}
                ) as response,
            ):
                status = response.status_code
                if status != HTTPStatus.OK:
                    return status, _refusal(status), _wait(response.headers)
                if response.headers.get("Content-Encoding", "identity") != "identity":
                    return 0, b"sent compressed content, which was not asked for", 0.0
                body = b"".join(_limited(response.iter_raw()))
        except httpx.TimeoutException:
            return late
        except OverflowError:
            return 0, f"answered with more than {MOST_BYTES} bytes".encode(), 0.0
        except (httpx.TransportError, httpx.InvalidURL) as error:
            cut = f"cannot be reached, or cut the connection ({type(error).__name__})".encode()
            return late if time.monotonic() >= end else (busy, cut, 0.0)
        return int(HTTPStatus.OK), body, 0.0

    def _read(self, body: bytes, key: str) -> tuple[object, str]:
        """Read an answer of the chat protocol, and count its tokens. Raises AgentFaultError."""
        try:
            plain = parse_json(body)
            choice = plain["choices"][0]
            content, refusal = choice["message"].get("content"), choice["message"].get("refusal")
            usage, ended = plain.get("usage"), choice.get("finish_reason")
        except (ValueError, LookupError, TypeError, AttributeError):
            sentence = "the endpoint sent no answer of the chat protocol: expected choices[0].message.content"
            raise AgentFaultError(name_of(self), sentence) from None
        said = _text_of(content)
        problem = NO_TEXT if said is None else CUT_OFF if ended == "length" else REFUSED if refusal and not said else ""
        said = (said or "").replace(key, HIDDEN) if len(key) >= SHORTEST_KEY else said or ""
        self.decision.counts.update(
            prompt_tokens=_tokens(usage, "prompt_tokens"), answer_tokens=_tokens(usage, "completion_tokens")
        )
        return said, problem


def _text_of(content: object) -> str | None:
    """The content of a message: "" where there is none, the texts of its parts; None for anything else."""
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, list):
        return None
    parts = [part.get("text") for part in content if isinstance(part, dict) and part.get("type") == "text"]
    return "".join(part for part in parts if isinstance(part, str))


def _tokens(usage: object, name: str) -> int:
    """A number of tokens that an endpoint tells, 0 where it tells none."""
    told = usage.get(name, 0) if isinstance(usage, dict) else 0
    return told if whole(0, MOST_TOKENS).holds(told) else 0


@contextmanager
def _deadline(seconds: float) -> Iterator[Callable[[str, Any], None]]:
    """Yields a trace function for httpx; what it connects is shut down after so many seconds.

    The timeouts of httpx are for each read: a byte now and then would keep it waiting for ever.
    """
    connected: list[socket.socket] = []

    def trace(event: str, info: Any) -> None:
        if event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            connected.append(info["return_value"].get_extra_info("socket"))

    def shut() -> None:
        for each in connected:
            with suppress(OSError):
                socket.socket.shutdown(each, socket.SHUT_RDWR)  # an SSLSocket's own method is not for two threads

    timer = Timer(seconds, shut)
    timer.daemon = True
    timer.start()
    try:
        yield trace
    finally:
        timer.cancel()


@cache
def _client(process: int) -> Any:
    """The open connections of a process. A new client reads all certificates: two games took 23 s, with one 4 s."""
    import httpx

    return httpx.Client()


def _limited(parts: Iterator[bytes]) -> Iterator[bytes]:
    """The parts of a body; raises OverflowError if it is too large."""
    size = 0
    for part in parts:
        size += len(part)
        if size > MOST_BYTES:
            raise OverflowError
        yield part


def _refusal(status: int) -> bytes:
    """A status of HTTP as the end of a sentence, without the server's own text, which may quote the key."""
    known = {each.value: f" ({each.phrase})" for each in HTTPStatus}
    return f"answered with the status {status}{known.get(status, '')}".encode()


def _wait(headers: Any) -> float:
    """The seconds of a Retry-After header, 0 where there are none."""
    told = headers.get("Retry-After", "")
    return float(told) if told.isascii() and told.isdecimal() and len(told) < len(str(MOST_BYTES)) else 0.0
