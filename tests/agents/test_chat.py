"""Agents that ask a language model: a function of a prompt, and an endpoint on the loopback that is honest or not."""

import gzip
import json
import time
from collections.abc import Callable, Iterator
from copy import deepcopy
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

import pytest
from typer.testing import CliRunner

from oddville_agents import AgentError, AgentFaultError, TextAgent, ask, make_agent
from oddville_agents.play import play
from oddville_agents.spec import check_spec_from_file, is_own_code
from oddville_env import Game, OldTown, SettingError
from oddville_env.cli.app import make_app
from oddville_env.core.game.prompt import rules_digest
from oddville_env.envs.live_game import LiveGame
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oddville.settings import make_box
from support.games import every_game

SECRET = "sk-very-secret"
Reply = Callable[["Handler"], None]


def example(prompt: str) -> str:
    """A stand-in for a model: it answers the example of the prompt."""
    return f"<think>done</think> I play **{prompt.split('Example: ')[1].split()[0].upper()}**."


# Functions of a prompt


@every_game
def test_text_agent_plays_a_game_by_words(make: Any) -> None:
    agent = TextAgent(example)
    game = make(2, 1)
    while not game.is_over:
        game.push(ask(agent, game.view()))
    assert agent.counts.keys() == {"answers"}


def test_prompt_has_the_rules_and_after_a_wrong_answer_the_reason() -> None:
    prompts: list[str] = []
    answers = iter(["I do not know.", "setup:wood and coins:2", "done"])

    def model(prompt: str) -> str:
        prompts.append(prompt)
        return next(answers)

    agent, game = TextAgent(model), Game(2, 0)
    game.push("setup:wood")
    assert ask(agent, game.view(), seed=5) == ask(TextAgent(lambda _: "", tries=1), game.view(), seed=5)
    assert prompts[0].startswith(rules_digest("oddville"))
    assert all(prompt.startswith(prompts[0]) for prompt in prompts)
    assert "not accepted. The answer holds no move of the game. Answer with" in prompts[1]
    assert "not accepted. The move coins:2 is not legal now. Answer with" in prompts[2]
    assert dict(agent.counts) == {"answers": 3, "unreadable": 1, "illegal": 2, "fallbacks": 1}


def test_forfeit_loses_the_game_with_a_reason() -> None:
    agent = TextAgent(lambda prompt: "take a walk", tries=2, fallback="forfeit")
    with pytest.raises(AgentFaultError, match=r"'text': gave no legal move in 2 answers. The answer holds no move"):
        ask(agent, Game(2, 0).view())


def test_copies_for_many_tables_share_function_and_counts() -> None:
    agent = TextAgent(example)
    twins = [deepcopy(agent) for _ in range(2)]
    live = LiveGame(ODDVILLE, make_box(2))
    assert play(live, twins, seed=3) == play(live, twins, seed=3)
    assert agent.counts["answers"] > 50


@pytest.mark.parametrize("wrong", [{"tries": 0}, {"tries": 2.0}, {"fallback": "greedy"}])
def test_text_agent_refuses_other_options(wrong: dict[str, Any]) -> None:
    with pytest.raises(SettingError, match="must be"):
        TextAgent(example, **wrong)


# Endpoints


class Handler(BaseHTTPRequestHandler):
    """Answers each request as the server's next reply does, the last one for all further requests."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        server: Any = self.server
        self.asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server.seen.append((self.path, self.headers.get("Authorization"), self.asked))
        reply = server.replies.pop(0) if len(server.replies) > 1 else server.replies[0]
        reply(self)
        self.close_connection = True

    def log_message(self, *args: Any) -> None:
        """Be quiet."""


def sends(body: bytes | str, status: int = 200, **headers: str) -> Reply:
    """Send a body."""
    content = body.encode() if isinstance(body, str) else body

    def reply(handler: Handler) -> None:
        handler.send_response(status)
        # Without "close" a client may send its next request on a connection that ends just then.
        for name, value in {"Content_Length": str(len(content)), "Connection": "close", **headers}.items():
            if value:
                handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(content)

    return reply


def says(content: Any, refusal: str | None = None, finish_reason: str = "stop", **more: Any) -> Reply:
    """Send an answer of the chat protocol."""
    message = {"role": "assistant", "content": content, "refusal": refusal}
    return sends(json.dumps({"choices": [{"message": message, "finish_reason": finish_reason}], **more}))


def good(handler: Handler) -> None:
    """Answer the example."""
    says(example(handler.asked["messages"][0]["content"]))(handler)


def cut(handler: Handler) -> None:
    """Close the connection without a word."""


def drips(handler: Handler) -> None:
    """Send a byte now and then."""
    sends(b"", Content_Length="1000")(handler)
    for _ in range(100):
        handler.wfile.write(b" ")
        if handler.server.stopped.wait(0.02):  # type: ignore[attr-defined]
            return


def drips_headers(handler: Handler) -> None:
    """Send a header's letter now and then."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nX: ")
    while not handler.server.stopped.wait(0.02):  # type: ignore[attr-defined]
        handler.wfile.write(b"x")


def never_ends(handler: Handler) -> None:
    """Send chunks for ever."""
    sends(b"", Content_Length="", Transfer_Encoding="chunked")(handler)
    while not handler.server.stopped.is_set():  # type: ignore[attr-defined]
        handler.wfile.write(b"10000\r\n" + b" " * 0x10000 + b"\r\n")


def waits(handler: Handler) -> None:
    """Send nothing for longer than the tests wait."""
    handler.server.stopped.wait(5)  # type: ignore[attr-defined]


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A server on the loopback with `replies`, and what it has `seen`."""
    pytest.importorskip("httpx", reason="the extra chat is not installed")
    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    server: Any = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads, server.handle_error = True, lambda *about: None
    server.replies, server.seen, server.stopped = [good], [], Event()
    server.spec = f"chat:model=tiny:1b,url=http://127.0.0.1:{server.server_port}/v1"
    thread = Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield server
    server.stopped.set()
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that an agent waited between requests; no time passes."""
    found: list[float] = []
    monkeypatch.setattr(time, "sleep", found.append)
    return found


def test_endpoint_is_asked_in_the_chat_protocol(endpoint: Any) -> None:
    view = OldTown(2, 0).view()
    agent = make_agent(endpoint.spec, "oldtown")
    assert view.word(ask(agent, view)) == "take:bank"
    ((path, key, asked),) = endpoint.seen
    assert (path, key, asked["model"]) == ("/v1/chat/completions", f"Bearer {SECRET}", "tiny:1b")
    assert asked["messages"][0]["content"].startswith(rules_digest("oldtown"))
    assert (agent.name, agent.spec) == ("chat-tiny:1b", endpoint.spec)


@pytest.mark.parametrize(
    ("replies", "expected"),
    [
        ([sends("", 429, Retry_After="7"), good], [7.0]),
        ([sends("", 429, Retry_After="86400"), good], [60.0]),
        ([sends("", 429, Retry_After="Wed, 21 Oct 2026 07:28:00 GMT"), good], [1.0]),
        ([sends("", 500), sends("", 503), good], [1.0, 2.0]),
        ([cut, good], [1.0]),
        ([sends("{", Content_Length="99"), good], [1.0]),
    ],
)
def test_failed_requests_are_sent_again(endpoint: Any, slept: list[float], replies: Any, expected: list[float]) -> None:
    endpoint.replies = replies
    agent: Any = make_agent(endpoint.spec)
    assert 0 <= ask(agent, Game(2, 0).view()) < 4
    assert slept == expected
    assert dict(agent.counts) == {"answers": 1, "failed_requests": len(expected)}


DEEP = '{"choices": ' + "[" * 100_000
NO_CHAT = "the endpoint sent no answer of the chat protocol: expected choices[0].message.content"


@pytest.mark.parametrize(
    ("reply", "requests", "sentence"),
    [
        (sends("", 500), 3, "the endpoint answered with the status 500 (Internal Server Error)"),
        (sends("", 429), 3, "the endpoint answered with the status 429 (Too Many Requests)"),
        (sends(f"wrong key {SECRET}", 401), 1, "the endpoint answered with the status 401 (Unauthorized)"),
        (sends("", 307, Location="/v1/other"), 1, "the endpoint answered with the status 307 (Temporary Redirect)"),
        (sends("", 599), 3, "the endpoint answered with the status 599"),
        (cut, 3, "the endpoint cannot be reached, or cut the connection (RemoteProtocolError)"),
        (waits, 3, "the endpoint did not answer within 0.2 seconds"),
        (drips, 3, "the endpoint did not answer within 0.2 seconds"),
        (drips_headers, 3, "the endpoint did not answer within 0.2 seconds"),
        (never_ends, 1, "the endpoint answered with more than 4000000 bytes"),
        (
            sends(gzip.compress(bytes(100_000_000), 1), Content_Encoding="gzip"),
            1,
            "the endpoint sent compressed content, which was not asked for",
        ),
        (sends(b" " * 4_000_001), 1, "the endpoint answered with more than 4000000 bytes"),
        (sends(""), 1, NO_CHAT),
        (sends("<html>"), 1, NO_CHAT),
        (sends(b"\xff\xfe"), 1, NO_CHAT),
        (sends('{"choices": []}'), 1, NO_CHAT),
        (sends('{"choices": [{"message": null}]}'), 1, NO_CHAT),
        (sends("[1]"), 1, NO_CHAT),
        (sends('{"choices": [{"message": {"content": "done"}}]}{}'), 1, NO_CHAT),
        (sends('{"choices": [{"message": {"content": "done"}}], "usage": NaN}'), 1, NO_CHAT),
        (sends('{"choices": [{"message": {"content": "done"}}]}', Content_Length="9"), 1, NO_CHAT),
        (sends(DEEP), 1, NO_CHAT),
    ],
)
@pytest.mark.usefixtures("slept")
def test_endpoint_that_fails_forfeits_with_a_reason(endpoint: Any, reply: Reply, requests: int, sentence: str) -> None:
    endpoint.replies = [reply]
    limit = ",seconds=0.2" if "within 0.2 seconds" in sentence else ""
    agent: Any = make_agent(f"{endpoint.spec}{limit}")
    with pytest.raises(AgentFaultError) as failed:
        ask(agent, Game(2, 0).view())
    assert failed.value.reason == sentence
    assert SECRET not in f"{failed.value!r}{failed.value.__cause__!r}{failed.value.__context__!r}"
    assert agent.decision.counts["failed_requests"] == requests - 1


NO_MOVE, NO_TEXT = "The answer holds no move of the game.", "The answer must be a text."


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        (says(None), "The answer is empty."),
        (says(""), "The answer is empty."),
        (says("x" * 1_000_000), NO_MOVE),
        (says(["setup:wood"]), "The answer is empty."),
        (says([{"type": "image", "text": "setup:wood"}, {"type": "text", "text": "no"}, {"type": "text"}]), NO_MOVE),
        (says("显示对手的手牌"), NO_MOVE),
        (says(42), NO_TEXT),
        (says({"text": "setup:wood"}), NO_TEXT),
        (says(None, refusal="I cannot play setup:wood."), "The answer is a refusal."),
        (says("setup:wood or setup:", finish_reason="length"), "The answer was cut off at the limit of tokens."),
    ],
)
def test_answers_without_a_move_are_counted_and_replaced(endpoint: Any, reply: Reply, problem: str) -> None:
    endpoint.replies = [reply]
    agent: Any = make_agent(endpoint.spec)
    assert 0 <= ask(agent, Game(2, 0).view()) < 4
    assert dict(agent.counts) == {"answers": 3, "unreadable": 3, "fallbacks": 1}
    assert agent.decision.problems == [problem] * 3


def test_parts_of_an_answer_are_read_and_a_key_in_it_is_hidden(endpoint: Any) -> None:
    parts = [{"type": "text", "text": f"Your key is {SECRET}, and I play setup:cl"}, {"type": "text", "text": "ay."}]
    endpoint.replies = [says(parts)]
    agent, view = make_agent(endpoint.spec), Game(2, 0).view()
    assert view.word(ask(agent, view)) == "setup:clay"
    assert agent.decision.answers == ["Your key is [key], and I play setup:clay."]


@pytest.mark.parametrize(
    ("usage", "told"),
    [
        ({"prompt_tokens": 70, "completion_tokens": 5}, {"prompt_tokens": 140, "answer_tokens": 10}),
        ({"prompt_tokens": "70", "completion_tokens": -5}, {}),
        ([70, 5], {}),
    ],
)
def test_tokens_are_counted_where_the_endpoint_tells_them(endpoint: Any, usage: Any, told: dict[str, int]) -> None:
    endpoint.replies = [says("no", usage=usage), says("setup:wood", usage=usage)]
    agent: Any = make_agent(endpoint.spec)
    ask(agent, Game(2, 0).view())
    assert dict(agent.counts) == {"answers": 2, "unreadable": 1, **told}


def test_temperature_and_limit_of_tokens_are_sent_only_if_given(endpoint: Any) -> None:
    for options in ("", ",temperature=0,max_tokens=500"):
        ask(f"{endpoint.spec}{options}", Game(2, 0).view())
    sent = [{name: value for name, value in asked.items() if name != "messages"} for _, _, asked in endpoint.seen]
    assert sent == [{"model": "tiny:1b"}, {"model": "tiny:1b", "temperature": 0, "max_tokens": 500}]


@pytest.mark.parametrize(("key", "sent"), [("", None), (f" {SECRET}\n", f"Bearer {SECRET}")])
def test_key_comes_from_the_named_variable(endpoint: Any, key: str, sent: str | None, monkeypatch: Any) -> None:
    monkeypatch.setenv("OTHER_KEY", key)
    ask(f"{endpoint.spec},key=OTHER_KEY", Game(2, 0).view())
    assert [header for _, header, _ in endpoint.seen] == [sent]


@pytest.mark.parametrize("key", [f"{SECRET}\nX: 1", f"{SECRET}ü"])
def test_key_that_cannot_be_sent_is_not_shown(endpoint: Any, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with pytest.raises(AgentFaultError) as failed:
        ask(endpoint.spec, Game(2, 0).view())
    assert failed.value.reason == "the key in OPENAI_API_KEY has characters that cannot be sent"


@pytest.mark.usefixtures("slept")
def test_endpoint_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("httpx", reason="the extra chat is not installed")
    monkeypatch.setenv("NO_PROXY", "*")
    with pytest.raises(
        AgentFaultError, match=r"the endpoint cannot be reached, or cut the connection \(ConnectError\)"
    ):
        ask("chat:model=tiny,url=http://127.0.0.1:1", Game(2, 0).view())


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ("", "it needs model=NAME,url=URL"),
        (":model=tiny", "it needs model=NAME,url=URL"),
        (":model=tiny,url=localhost", "url must be http://HOST or https://HOST"),
        (":model=tiny,url=file:///etc/passwd", "url must be http://HOST or https://HOST"),
        (":model=tiny,url=http://me:word@host", "url must be http://HOST or https://HOST"),
        (":model=tiny,url=http://host?key=1", "url must be http://HOST or https://HOST"),
        (":model=tiny,url=http://host,tries=0", "tries must be a whole number from 1 to 100, not 0"),
        (":model=tiny,url=http://host,fallback=greedy", "fallback must be one of random, forfeit, not 'greedy'"),
        (":model=tiny,url=http://host,temperature=3", "temperature must be a number from 0 to 2, not 3"),
        (":model=tiny,url=http://host,seconds=0", "seconds must be a number above 0 and at most 3600, not 0"),
    ],
)
def test_wrong_options_of_chat_are_refused(options: str, sentence: str) -> None:
    with pytest.raises(AgentError) as refused:
        make_agent(f"chat{options}")
    assert sentence in str(refused.value)


def test_no_file_may_name_an_endpoint(tmp_path: Any) -> None:
    spec = "chat:model=tiny,url=http://host"
    assert not is_own_code(spec)
    with pytest.raises(AgentError, match="which has code of its own"):
        check_spec_from_file(spec, tmp_path / "run.json")


def test_chat_plays_in_evaluate_and_no_output_holds_the_key(endpoint: Any, tmp_path: Any) -> None:
    endpoint.replies = [says(f"My key is {SECRET}."), good]
    out, told = tmp_path / "result.json", tmp_path / "told.jsonl"
    words = ["evaluate", endpoint.spec, "--against", "random", "--games", "4", "--json", str(out)]
    words += ["--parallel", "2", "--transcripts", str(told)]
    result = CliRunner().invoke(make_app(ODDVILLE), words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    assert len(endpoint.seen) > 20
    assert SECRET not in result.output + out.read_text() + told.read_text()
    (asked,) = json.loads(out.read_text())["against"][0]["models"]
    assert (asked["answers"], asked["unreadable"]) == (len(endpoint.seen), 1)
    assert "unreadable" in result.output
    assert "chat:model=tiny:1b" in out.read_text()


def test_extra_is_named_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str, *args: Any, real: Any = __import__) -> Any:
        if name == "httpx":
            raise ModuleNotFoundError("No module named 'httpx'", name="httpx")
        return real(name, *args)

    monkeypatch.setattr("builtins.__import__", missing)
    with pytest.raises(AgentError, match=r"chat needs the extra chat: pip install 'oddville-env\[chat\]'"):
        make_agent("chat:model=tiny,url=http://host")
