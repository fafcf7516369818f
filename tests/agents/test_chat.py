"""Agents that ask a language model: a function of a prompt, and an endpoint on the loopback that is honest or not."""

import gzip
import json
import time
from contextlib import nullcontext
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

import pytest
from typer.testing import CliRunner

from oddville_agents import AgentFaultError, TextAgent, ask, make_agent
from oddville_agents.spec import is_own_code
from oddville_env import Game, OldTown, SettingError
from oddville_env.cli.app import make_app
from oddville_env.core.game.prompt import rules_digest
from support.helpers import example

SECRET, GOOD = "sk-very-secret", None
NO_MOVE, NO_TEXT, EMPTY = "The answer holds no move of the game.", "The answer must be a text.", "The answer is empty."


def test_prompt_has_the_rules_and_after_a_wrong_answer_the_reason() -> None:
    prompts, answers = list[str](), iter(["I do not know.", "setup:wood and coins:2", "done"])
    agent = TextAgent(lambda prompt: prompts.append(prompt) or next(answers))
    view = Game(2, 0, moves=["setup:wood"]).view()
    assert ask(agent, view, seed=5) == ask(TextAgent(lambda _: "", tries=1), view, seed=5)
    assert prompts[0].startswith(rules_digest("oddville"))
    assert all(prompt.startswith(prompts[0]) for prompt in prompts)
    assert f"not accepted. {NO_MOVE} Answer with" in prompts[1]
    assert "not accepted. The move coins:2 is not legal now. Answer with" in prompts[2]
    assert dict(agent.counts) == {"answers": 3, "unreadable": 1, "illegal": 2, "fallbacks": 1}
    with pytest.raises(AgentFaultError, match=rf"'text': gave no legal move in 2 answers. {EMPTY}"):
        ask(TextAgent(lambda _: "", tries=2, fallback="forfeit"), view)
    for wrong in ((0, "random"), (2.0, "random"), (3, "greedy")):
        with pytest.raises(SettingError, match="must be"):
            TextAgent(example, *wrong)


def sends(body: bytes | str, status: int = 200, **headers: str) -> tuple[bytes, None]:
    """A body with its headers, and no part that is sent now and then until the server stops: the connection ends."""
    content = body.encode() if isinstance(body, str) else body
    about = {"Content_Length": len(content)} | headers
    lines = [f"HTTP/1.1 {status} Any", *(f"{name.replace('_', '-')}: {value}" for name, value in about.items()), "", ""]
    return "\r\n".join(lines).encode() + content, None


def says(content: Any, refusal: str | None = None, finish_reason: str = "stop", **more: Any) -> tuple[bytes, None]:
    message = {"role": "assistant", "content": content, "refusal": refusal}
    return sends(json.dumps({"choices": [{"message": message, "finish_reason": finish_reason}], **more}))


class Handler(BaseHTTPRequestHandler):
    """Answers each request by the server's next reply, the last one for all further requests, or by the example."""

    def do_POST(self) -> None:
        asked, replies = json.loads(self.rfile.read(int(self.headers["Content-Length"]))), self.server.replies
        self.server.seen.append((self.path, self.headers.get("Authorization"), asked))
        reply = replies.pop(0) if len(replies) > 1 else replies[0]
        head, part = reply or says(example(asked["messages"][0]["content"]))
        self.wfile.write(head)
        while part is not None and not self.server.stopped.wait(0.02):
            self.wfile.write(part)


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A server with `replies`, what it has `seen`, the `spec` of an agent with a key, the seconds it `slept`."""
    pytest.importorskip("httpx", reason="the extra chat is not installed")
    server: Any = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads, server.handle_error = True, lambda *about: None
    server.replies, server.seen, server.slept, server.stopped = [GOOD], [], list[float](), Event()
    server.spec = f"chat:model=tiny:1b,url=http://127.0.0.1:{server.server_port}/v1"
    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    monkeypatch.setattr(time, "sleep", server.slept.append)
    Thread(target=server.serve_forever, args=(0.02,)).start()
    yield server
    server.stopped.set()
    server.shutdown()
    server.server_close()


def test_endpoint_is_asked_in_the_chat_protocol_with_a_key(endpoint: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    view, agent = OldTown(2, 0).view(), make_agent(endpoint.spec, "oldtown")
    assert view.word(ask(agent, view)) == "take:bank"
    ask(f"{endpoint.spec},temperature=0,max_tokens=500", view)
    (path, key, asked), (_, _, more) = endpoint.seen
    assert (path, key) == ("/v1/chat/completions", f"Bearer {SECRET}")
    assert (agent.name, agent.spec, is_own_code(agent.spec)) == ("chat-tiny:1b", endpoint.spec, False)
    assert asked.pop("messages")[0]["content"].startswith(rules_digest("oldtown"))
    assert (asked, more) == ({"model": "tiny:1b"}, {**more, **asked, "temperature": 0, "max_tokens": 500})
    for value in ("", f" {SECRET}\n", f"{SECRET}\nX: 1", f"{SECRET}ü"):
        monkeypatch.setenv("OTHER_KEY", value)
        refused = pytest.raises(AgentFaultError, match=r"': the key in OTHER_KEY has characters that cannot be sent$")
        with refused if value.strip() not in ("", SECRET) else nullcontext():
            ask(f"{endpoint.spec},key=OTHER_KEY", view)
    assert [header for _, header, _ in endpoint.seen[2:]] == [None, f"Bearer {SECRET}"]


DONE, NULL, DEEP = '{"choices": [{"message": {"content": "done"}}]', '{"choices": [{"message": null}]}', "[" * 100_000
NO_CHAT = ["", "<html>", b"\xff\xfe", "[1]", '{"choices": []}', NULL, f"{DONE}}}{{}}", f'{DONE}, "usage": NaN}}', DEEP]
OK, CUT, TWICE = b"HTTP/1.1 200 OK\r\n", (b"", None), [1.0, 2.0]
LATE, LARGE = "did not answer within 0.2 seconds", "answered with more than 4000000 bytes"
NO_ANSWER = "sent no answer of the chat protocol: expected choices[0].message.content"


@pytest.mark.parametrize(("replies", "slept", "sentence"), [
    ([sends("", 429, Retry_After="7"), GOOD], [7.0], ""),
    ([sends("", 429, Retry_After="86400"), GOOD], [60.0], ""),
    ([sends("", 429, Retry_After="Wed, 21 Oct 2026 07:28:00 GMT"), GOOD], [1.0], ""),
    ([sends("", 500), sends("", 503), GOOD], TWICE, ""),
    ([CUT, GOOD], [1.0], ""),
    ([sends("{", Content_Length="99"), GOOD], [1.0], ""),
    ([sends("", 500)], TWICE, "answered with the status 500 (Internal Server Error)"),
    ([sends(f"wrong key {SECRET}", 401)], [], "answered with the status 401 (Unauthorized)"),
    ([sends("", 307, Location="/v1/other")], [], "answered with the status 307 (Temporary Redirect)"),
    ([sends("", 599)], TWICE, "answered with the status 599"),
    ([CUT], TWICE, "cannot be reached, or cut the connection (RemoteProtocolError)"),
    ([], TWICE, "cannot be reached, or cut the connection (ConnectError)"),
    ([(b"", b"")], TWICE, LATE),
    ([(OK + b"Content-Length: 1000\r\n\r\n", b" ")], TWICE, LATE),
    ([(OK + b"X: ", b"x")], TWICE, LATE),
    ([(OK + b"Transfer-Encoding: chunked\r\n\r\n", b"100000\r\n" + b" " * 0x100000 + b"\r\n")], [], LARGE),
    ([sends(b" " * 4_000_001)], [], LARGE),
    ([sends(gzip.compress(bytes(100_000_000), 1), Content_Encoding="gzip")], [], "sent compressed content, which"),
    ([sends(f"{DONE}}}", Content_Length="9")], [], NO_ANSWER),
    *(([sends(body)], [], NO_ANSWER) for body in NO_CHAT),
])  # fmt: skip
def test_failed_request_is_sent_again_or_loses_the_game(endpoint: Any, replies: Any, slept: Any, sentence: str) -> None:
    endpoint.replies = replies
    spec = endpoint.spec if replies else "chat:model=tiny,url=http://127.0.0.1:1"
    agent: Any = make_agent(f"{spec},seconds=0.2" if sentence == LATE else spec)
    with pytest.raises(AgentFaultError) if sentence else nullcontext() as failed:
        assert 0 <= ask(agent, Game(2, 0).view()) < 4
    counts = agent.decision.counts
    assert endpoint.slept == slept
    assert (counts["failed_requests"], counts.total()) == (len(slept), len(slept) + (not sentence))
    if sentence:
        assert failed.value.reason.startswith(f"the endpoint {sentence}")
        assert SECRET not in f"{failed.value!r}{failed.value.__cause__!r}{failed.value.__context__!r}"


USAGE = {"prompt_tokens": 70, "completion_tokens": 5}
KEY = [{"type": "text", "text": text} for text in (f"Your key is {SECRET}, and I play setup:cl", "ay.")]
KEY += [{"type": "image", "text": "setup:wood"}, {"type": "text"}]


@pytest.mark.parametrize(("replies", "problem", "tokens"), [
    ([says(None)], EMPTY, {}),
    ([says(["setup:wood"])], EMPTY, {}),
    ([says(42)], NO_TEXT, {}),
    ([says({"text": "setup:wood"})], NO_TEXT, {}),
    ([says(None, refusal="I cannot play setup:wood.")], "The answer is a refusal.", {}),
    ([says("setup:wood or setup:", finish_reason="length")], "The answer was cut off at the limit of tokens.", {}),
    ([says("no", usage=USAGE), says(KEY, usage=USAGE)], "", {"prompt_tokens": 140, "answer_tokens": 10}),
    ([says("no"), says(KEY, usage={"prompt_tokens": "70", "completion_tokens": -5})], "", {}),
    ([says("no"), says(KEY, usage=[70, 5])], "", {}),
])  # fmt: skip
def test_answers_are_read_counted_and_replaced(endpoint: Any, replies: Any, problem: str, tokens: Any) -> None:
    endpoint.replies = replies
    agent, view = make_agent(endpoint.spec), Game(2, 0).view()
    word, said, problems = view.word(ask(agent, view)), agent.decision.answers, agent.decision.problems
    assert problem or (word, said) == ("setup:clay", ["no", "Your key is [key], and I play setup:clay."])
    assert problems == ([problem] * 3 if problem else [NO_MOVE, ""])
    counts = {"unreadable": 3, "fallbacks": 1} if problem else {"unreadable": 1}
    assert dict(agent.counts) == {"answers": len(problems), **counts, **tokens}


def test_chat_plays_in_evaluate_and_no_output_holds_the_key(endpoint: Any, tmp_path: Any) -> None:
    endpoint.replies = [says(f"My key is {SECRET}."), GOOD]
    out, told = tmp_path / "result.json", tmp_path / "told.jsonl"
    words = f"evaluate {endpoint.spec} --against random --games 4 --json {out} --parallel 2 --transcripts {told}"
    result = CliRunner().invoke(make_app(OldTown(2, 0).game_type), words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    assert SECRET not in result.output + out.read_text() + told.read_text()
    (asked,) = json.loads(out.read_text())["against"][0]["models"]
    assert asked["answers"] == len(endpoint.seen) > 20
    assert "unreadable" in result.output
    assert "chat:model=tiny:1b" in out.read_text()
    assert asked["unreadable"] == 1
