"""Agents that ask a language model: a function of a prompt, and an endpoint on the loopback that is honest or not."""

import gzip
import json
import time
from collections.abc import Iterator
from contextlib import nullcontext
from copy import deepcopy
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
from support.endpoint import Reply, example, good, says, sends, serving, streams
from support.games import every_game

SECRET = "sk-very-secret"


@every_game
def test_text_agents_play_by_words_and_copies_share_function_and_counts(make: Any) -> None:
    agent, game = TextAgent(example), make(2, 1)
    live, twins = LiveGame(game.game_type, game.box), [deepcopy(agent) for _ in range(2)]
    assert play(live, twins, seed=3) == play(live, twins, seed=3)
    assert agent.counts["answers"] == agent.counts.total() > 50


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
    with pytest.raises(AgentFaultError, match=r"'text': gave no legal move in 2 answers. The answer is empty"):
        ask(TextAgent(lambda _: "", tries=2, fallback="forfeit"), game.view())


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The stand-in of an endpoint, and a key for it."""
    pytest.importorskip("httpx", reason="the extra chat is not installed")
    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    with serving() as server:
        yield server


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
    ask(f"{endpoint.spec},temperature=0,max_tokens=500", view)
    (path, key, asked), (_, _, more) = endpoint.seen
    assert (path, key, agent.name, agent.spec) == (
        "/v1/chat/completions", f"Bearer {SECRET}", "chat-tiny:1b", endpoint.spec
    )  # fmt: skip
    assert asked.pop("messages")[0]["content"].startswith(rules_digest("oldtown"))
    assert (asked, more) == ({"model": "tiny:1b"}, {**more, **asked, "temperature": 0, "max_tokens": 500})


cut = streams(b"")


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


DONE = '{"choices": [{"message": {"content": "done"}}]'
DEEP = '{"choices": ' + "[" * 100_000
OK = b"HTTP/1.1 200 OK\r\n"
LATE, LARGE = "did not answer within 0.2 seconds", "answered with more than 4000000 bytes"


@pytest.mark.parametrize(
    ("reply", "requests", "sentence"),
    [
        (sends("", 500), 3, "answered with the status 500 (Internal Server Error)"),
        (sends("", 429), 3, "answered with the status 429 (Too Many Requests)"),
        (sends(f"wrong key {SECRET}", 401), 1, "answered with the status 401 (Unauthorized)"),
        (sends("", 307, Location="/v1/other"), 1, "answered with the status 307 (Temporary Redirect)"),
        (sends("", 599), 3, "answered with the status 599"),
        (cut, 3, "cannot be reached, or cut the connection (RemoteProtocolError)"),
        (None, 3, "cannot be reached, or cut the connection (ConnectError)"),
        (streams(b"", b""), 3, LATE),
        (streams(OK + b"Content-Length: 1000\r\n\r\n", b" "), 3, LATE),
        (streams(OK + b"X: ", b"x"), 3, LATE),
        (streams(OK + b"Transfer-Encoding: chunked\r\n\r\n", b"100000\r\n" + b" " * 0x100000 + b"\r\n"), 1, LARGE),
        (sends(b" " * 4_000_001), 1, LARGE),
        (sends(gzip.compress(bytes(100_000_000), 1), Content_Encoding="gzip"), 1, "sent compressed content, which was"),
    ]
    + [
        (sends(body, **headers), 1, "sent no answer of the chat protocol: expected choices[0].message.content")
        for body, *more in (
            *([""], ["<html>"], [b"\xff\xfe"], ["[1]"], ['{"choices": []}'], ['{"choices": [{"message": null}]}']),
            *([f"{DONE}}}{{}}"], [f'{DONE}, "usage": NaN}}'], [DEEP], [f"{DONE}}}", {"Content_Length": "9"}]),
        )
        for headers in more or [{}]
    ],
)
@pytest.mark.usefixtures("slept")
def test_endpoint_that_fails_forfeits_with_a_reason(
    endpoint: Any, reply: Reply | None, requests: int, sentence: str
) -> None:
    endpoint.replies = [reply]
    spec = endpoint.spec if reply else "chat:model=tiny,url=http://127.0.0.1:1"
    agent: Any = make_agent(f"{spec},seconds=0.2" if sentence == LATE else spec)
    with pytest.raises(AgentFaultError) as failed:
        ask(agent, Game(2, 0).view())
    assert failed.value.reason.startswith(f"the endpoint {sentence}")
    assert SECRET not in f"{failed.value!r}{failed.value.__cause__!r}{failed.value.__context__!r}"
    assert agent.decision.counts["failed_requests"] == requests - 1


NO_MOVE, NO_TEXT, EMPTY = "The answer holds no move of the game.", "The answer must be a text.", "The answer is empty."


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        (says(None), EMPTY),
        (says(["setup:wood"]), EMPTY),
        (says([{"type": "image", "text": "setup:wood"}, {"type": "text", "text": "no"}, {"type": "text"}]), NO_MOVE),
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


@pytest.mark.parametrize(
    ("usage", "told"),
    [
        ({"prompt_tokens": 70, "completion_tokens": 5}, {"prompt_tokens": 140, "answer_tokens": 10}),
        ({"prompt_tokens": "70", "completion_tokens": -5}, {}),
        ([70, 5], {}),
    ],
)
def test_parts_of_an_answer_are_read_tokens_counted_and_a_key_hidden(
    endpoint: Any, usage: Any, told: dict[str, int]
) -> None:
    parts = [{"type": "text", "text": f"Your key is {SECRET}, and I play setup:cl"}, {"type": "text", "text": "ay."}]
    endpoint.replies = [says("no", usage=usage), says(parts, usage=usage)]
    agent: Any = make_agent(endpoint.spec)
    view = Game(2, 0).view()
    assert view.word(ask(agent, view)) == "setup:clay"
    assert agent.decision.answers == ["no", "Your key is [key], and I play setup:clay."]
    assert dict(agent.counts) == {"answers": 2, "unreadable": 1, **told}


@pytest.mark.parametrize(
    ("key", "sent"),
    [("", [None]), (f" {SECRET}\n", [f"Bearer {SECRET}"]), (f"{SECRET}\nX: 1", []), (f"{SECRET}ü", [])],
)
def test_key_comes_from_the_named_variable_if_it_can_be_sent(
    endpoint: Any, key: str, sent: list[str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTHER_KEY", key)
    refused = pytest.raises(AgentFaultError, match=r"': the key in OTHER_KEY has characters that cannot be sent$")
    with nullcontext() if sent else refused:
        ask(f"{endpoint.spec},key=OTHER_KEY", Game(2, 0).view())
    assert [header for _, header, _ in endpoint.seen] == sent


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        *((options, "it needs model=NAME,url=URL") for options in ("", ":model=tiny")),
        *(
            (f":model=tiny,url={url}", "url must be http://HOST or https://HOST")
            for url in ("localhost", "file:///etc/passwd", "http://me:word@host", "http://host?key=1")
        ),
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


def test_text_agent_refuses_other_options() -> None:
    for wrong in ((0, "random"), (2.0, "random"), (3, "greedy")):
        with pytest.raises(SettingError, match="must be"):
            TextAgent(example, *wrong)


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
    result = CliRunner().invoke(make_app(OldTown(2, 0).game_type), words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    assert len(endpoint.seen) > 20
    assert SECRET not in result.output + out.read_text() + told.read_text()
    (asked,) = json.loads(out.read_text())["against"][0]["models"]
    assert (asked["answers"], asked["unreadable"]) == (len(endpoint.seen), 1)
    assert "unreadable" in result.output
    assert "chat:model=tiny:1b" in out.read_text()
