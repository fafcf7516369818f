"""Agents that ask a language model for moves: any function of a prompt, or an endpoint of the chat protocol."""

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from copy import copy
from functools import cache
from http import HTTPStatus
from typing import Annotated, Any, Self
from urllib.parse import urlsplit

from oddville_agents.agent import Agent
from oddville_agents.player import AgentFaultError, name_of
from oddville_agents.roster import NAMED, Option
from oddville_env.core.checked.kinds import above_zero, one_of, text, whole
from oddville_env.core.disk.reading import parse_json
from oddville_env.core.errors import SettingError, shown
from oddville_env.core.game.prompt import full_prompt, read_answer
from oddville_env.core.game.view import View
from oddville_env.core.system.extras import needs_extra

FALLBACKS = ("random", "forfeit")
MOST_TRIES = 100
MOST_BYTES = 4_000_000  # of an endpoint's answer
LONGEST_WAIT = 60.0  # seconds before a request is sent again
BUSY = frozenset((408, 425, 429, *range(500, 600)))  # answers of HTTP after which a request is sent again
KEY = "OPENAI_API_KEY"

Tries = Annotated[int, Option(whole(1, MOST_TRIES), "answers without a legal move, and failed requests, a decision")]
Fallback = Annotated[str, Option(one_of(*FALLBACKS), "after the last answer: a random move, or the game is lost")]


class TextAgent(Agent):
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
        if not whole(1, MOST_TRIES).holds(tries):
            raise SettingError(f"tries must be {whole(1, MOST_TRIES).expected}, not {shown(tries)}")
        if fallback not in FALLBACKS:
            raise SettingError(f"fallback must be one of {', '.join(FALLBACKS)}, not {shown(fallback)}")
        self._ask, self._tries, self._fallback = ask, tries, fallback
        self.counts: Counter[str] = Counter()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """A copy for another table, with the same function and the same counts."""
        return copy(self)

    def act(self, view: View) -> int:
        """Return the last legal move of an answer, or the fallback. Raises AgentFaultError."""
        problem = ""
        for _ in range(self._tries):
            answer = read_answer(self._ask(full_prompt(view, problem)), view)
            self.counts["answers"] += 1
            if answer.action is not None:
                return answer.action
            problem = answer.problem
            self.counts["illegal" if answer.illegal else "unreadable"] += 1
        self.counts["fallbacks"] += 1
        if self._fallback == "forfeit":
            raise AgentFaultError(name_of(self), f"gave no legal move in {self._tries} answers. {problem}")
        return int(view.rng.choice(view.actions))


class ChatAgent(TextAgent):
    """Asks a language model behind an OpenAI-like endpoint for moves."""

    def __init__(
        self,
        model: Annotated[str, Option(NAMED, "name of the model")] = "",
        url: Annotated[str, Option(text(), "address of the endpoint, as in http://127.0.0.1:8000/v1")] = "",
        key: Annotated[str, Option(text(), "environment variable with the key; none is sent without it")] = KEY,
        seconds: Annotated[float, Option(above_zero(3600.0), "time limit of a request")] = 60.0,
        tries: Tries = 3,
        fallback: Fallback = "random",
    ) -> None:
        super().__init__(self._request, tries, fallback)
        address = urlsplit(url)
        if not model or not url:
            raise SettingError("it needs model=NAME,url=URL, as in chat:model=tiny,url=http://127.0.0.1:8000/v1")
        if address.scheme not in ("http", "https") or not address.hostname or set("@?#") & set(url):
            raise SettingError("url must be http://HOST or https://HOST with a path, without user, password and query")
        with needs_extra("chat needs", "chat"):
            import httpx  # noqa: F401
        self.name, self._model, self._seconds, self._key = f"chat-{model}", str(model), seconds, key
        self._url = f"{url.rstrip('/')}/chat/completions"

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """A copy for another table, with the same counts."""
        twin = copy(self)
        twin._ask = twin._request
        return twin

    def _request(self, prompt: str) -> str:
        """Return the endpoint's answer; failed requests are sent again. Raises AgentFaultError."""
        headers, problem = self._headers(), ""
        for number in range(self._tries):
            status, told, wait = self._send(prompt, headers)
            if status == HTTPStatus.OK:
                return self._content(told)
            problem = told.decode()
            if status not in BUSY:
                break
            if number + 1 < self._tries:
                self.counts["failed requests"] += 1
                time.sleep(min(wait or 2.0**number, LONGEST_WAIT))
        raise AgentFaultError(name_of(self), f"the endpoint {problem}")

    def _headers(self) -> dict[str, str]:
        """The headers of a request. The key is read here only, and no message holds it."""
        key = os.environ.get(self._key, "").strip()
        if not key.isascii() or not key.isprintable():
            raise AgentFaultError(name_of(self), f"the key in {self._key} has characters that cannot be sent")
        return {"Accept-Encoding": "identity", **({"Authorization": f"Bearer {key}"} if key else {})}

    def _send(self, prompt: str, headers: dict[str, str]) -> tuple[int, bytes, float]:
        """Send a request.

        Returns the status of HTTP, the body or else a sentence's end, and the seconds to wait before the next request.
        Connections that fail have the status 503.
        """
        import httpx

        message = {"model": self._model, "messages": [{"role": "user", "content": prompt}]}
        busy, end = int(HTTPStatus.SERVICE_UNAVAILABLE), time.monotonic() + self._seconds
        try:
            asked = _client(os.getpid()).stream("POST", self._url, json=message, headers=headers, timeout=self._seconds)
            with asked as response:
                if response.status_code != HTTPStatus.OK:
                    return response.status_code, _refusal(response.status_code), _wait(response.headers)
                body = b"".join(_within(response.iter_raw(), end))
        except (httpx.TimeoutException, TimeoutError):
            return busy, f"did not answer within {self._seconds:g} seconds".encode(), 0.0
        except OverflowError:
            return 0, f"answered with more than {MOST_BYTES} bytes".encode(), 0.0
        except (httpx.TransportError, httpx.InvalidURL) as error:
            return busy, f"cannot be reached, or cut the connection ({type(error).__name__})".encode(), 0.0
        return int(HTTPStatus.OK), body, 0.0

    def _content(self, body: bytes) -> str:
        """The text of an answer of the chat protocol; an empty one where the model said nothing."""
        try:
            content = parse_json(body)["choices"][0]["message"].get("content")
        except (ValueError, LookupError, TypeError, AttributeError):
            sentence = "the endpoint sent no answer of the chat protocol: expected choices[0].message.content"
            raise AgentFaultError(name_of(self), sentence) from None
        return content if isinstance(content, str) else ""


@cache
def _client(process: int) -> Any:
    """The open connections of a process. A new client reads all certificates: two games took 23 s, with one 4 s."""
    import httpx

    return httpx.Client()


def _within(parts: Iterator[bytes], end: float) -> Iterator[bytes]:
    """The parts of a body; raises OverflowError if it is too large, TimeoutError if it lasts beyond `end`."""
    size = 0
    for part in parts:
        size += len(part)
        if size > MOST_BYTES:
            raise OverflowError
        if time.monotonic() > end:
            raise TimeoutError
        yield part


def _refusal(status: int) -> bytes:
    """A status of HTTP as the end of a sentence, without the server's own text, which may quote the key."""
    known = {each.value: f" ({each.phrase})" for each in HTTPStatus}
    return f"answered with the status {status}{known.get(status, '')}".encode()


def _wait(headers: Any) -> float:
    """The seconds of a Retry-After header, 0 where there are none."""
    told = headers.get("Retry-After", "")
    return float(told) if told.isascii() and told.isdecimal() and len(told) < len(str(MOST_BYTES)) else 0.0
