"""Evaluation of agents that ask a model: several games at once, transcripts, counts, and models that fail."""

import json
import signal
from itertools import count
from pathlib import Path
from threading import Event
from typing import Any
from zlib import crc32

import pytest

from oddville_agents import AgentError, TextAgent
from oddville_env.oldtown.game_type import OLDTOWN
from oddville_training.tournament.evaluate import Evaluation, evaluate, table
from support.helpers import example


def model(prompt: str) -> str:
    """A stand-in: of some prompts no move, of some a move that is not legal, otherwise the example."""
    return {0: "no", 1: "pass"}.get(crc32(prompt.encode()) % 10) or example(prompt)


def measured(ask: Any, games: int = 8, options: Any = (), **more: Any) -> Evaluation:
    """An evaluation at Old Town, which has short games."""
    return evaluate(TextAgent(ask, *options), ["random"], games, seed=3, game=OLDTOWN, **{"progress": False} | more)


def lines_of(path: Path) -> list[dict[str, Any]]:
    """The decisions of a transcript in their order in the games."""
    return sorted(map(json.loads, path.read_text().splitlines()), key=lambda line: (line["game"], line["decision"]))


def test_games_at_once_give_the_same_results_and_transcripts(tmp_path: Path) -> None:
    found = []
    for parallel in (1, 3):
        path = tmp_path / f"{parallel}.jsonl"
        found.append((measured(model, parallel=parallel, transcripts=path).to_json(), lines_of(path)))
    assert found[0] == found[1]
    (against,) = json.loads(found[0][0])["against"]
    (counts,), lines = against["models"], found[0][1]
    assert counts["decisions"] == len(lines)
    assert counts["answers"] == sum(len(line["answers"]) for line in lines)
    for name, expected in (("unreadable", "no move of the game"), ("illegal", "is not legal now")):
        assert counts[name] == sum(expected in problem for line in lines for problem in line["problems"]) > 0
    for line in lines:
        assert (line["seat"], line["opponent"], line["agent"]) == (line["game"] % 2, "random", "text")
        assert line["fallbacks"] == (line["problems"][-1] != "")
    assert [line["decision"] for line in lines if line["game"] == 0][:3] == [0, 1, 2]
    read = pytest.importorskip("polars").read_ndjson(path)
    assert (read["answers"].list.len().min(), set(read["game"])) == (1, set(range(8)))


def test_forfeits_lose_their_games_and_are_counted() -> None:
    result = measured(lambda prompt: "no", options=(2, "forfeit"))
    (against,) = result.against
    (counts,) = against.models
    assert (against.games, against.wins, counts["fallbacks"], counts["unreadable"]) == (8, 0.0, 8, 16)
    assert "text: 8 decisions, of its answers 100.0% unreadable and 0.0% illegal, fallb" in str(table(result).caption)


def test_model_that_fails_ends_the_evaluation_and_finished_games_count(capsys: pytest.CaptureFixture[str]) -> None:
    left = [model] * 200
    result = measured(lambda prompt: left.pop()(prompt), 40, progress=True)
    assert 0 < result.against[0].games < result.asked == 40
    assert result.against[0].models[0]["answers"] <= 200
    assert "agent 'text': raised: IndexError: pop from empty list" in " ".join(capsys.readouterr().err.split())
    with pytest.raises(AgentError, match="pop from empty list"):  # at the first question
        measured(lambda prompt: left.pop()(prompt))


def test_ctrl_c_keeps_finished_games_and_ends_the_others(tmp_path: Path) -> None:
    numbers, made, released, path = count(1), list[int](), Event(), tmp_path / "t.jsonl"

    def asked(prompt: str) -> str:
        made.append(number := next(numbers))
        if number == 300:  # three unfinished deals have fewer decisions
            signal.raise_signal(signal.SIGINT)
        if number >= 300:
            released.wait()
        return model(prompt)

    result = measured(asked, 1000, parallel=3, transcripts=path)
    written, calls = path.read_text(), len(made)
    released.set()
    assert 0 < result.against[0].games < 1000
    assert calls <= 302
    assert path.read_text() == written
    assert written.count("\n") == len(lines_of(path)) >= result.against[0].models[0]["decisions"]
