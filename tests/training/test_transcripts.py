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
from oddville_env import SettingError
from oddville_env.oldtown.game_type import OLDTOWN
from oddville_training.tournament.evaluate import Evaluation, evaluate, table
from support.endpoint import example

GAMES = 8


def model(prompt: str) -> str:
    """A stand-in: of some prompts no move, of some a move that is not legal, otherwise the example."""
    return {0: "no", 1: "pass"}.get(crc32(prompt.encode()) % 10) or example(prompt)


def measured(ask: Any, games: int = GAMES, tries: int = 3, fallback: Any = "random", **more: Any) -> Evaluation:
    """An evaluation at Old Town, which has short games."""
    agent = TextAgent(ask, tries, fallback) if callable(ask) else ask
    return evaluate(agent, ["random"], games, seed=3, game=OLDTOWN, **{"progress": False, **more})


def lines_of(path: Path) -> list[dict[str, Any]]:
    """The decisions of a transcript in their order in the games."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return sorted(lines, key=lambda line: (line["game"], line["decision"]))


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
    assert (read["answers"].list.len().min(), set(read["game"])) == (1, set(range(GAMES)))


def test_forfeits_lose_their_games_and_are_counted() -> None:
    result = measured(lambda prompt: "no", tries=2, fallback="forfeit")
    (against,) = result.against
    (counts,) = against.models
    assert (against.games, against.wins, counts["fallbacks"], counts["unreadable"]) == (GAMES, 0.0, GAMES, 2 * GAMES)
    assert "text: 8 decisions, of its answers 100.0% unreadable and 0.0% illegal, fallbacks at 100.0%" in str(
        table(result).caption
    )


def failing(calls: int) -> Any:
    """A model that cannot be asked any more after so many calls."""
    left = iter(range(calls))

    def asked(prompt: str) -> str:
        if next(left, None) is None:
            raise ConnectionError("no route")
        return model(prompt)

    return asked


def test_model_that_fails_ends_the_evaluation_and_finished_games_count(capsys: pytest.CaptureFixture[str]) -> None:
    result = measured(failing(200), 40, progress=True)
    assert 0 < result.against[0].games < result.asked == 40
    assert result.against[0].models[0]["answers"] <= 200
    assert "agent 'text': raised: ConnectionError: no route" in " ".join(capsys.readouterr().err.split())
    with pytest.raises(AgentError, match="no route"):
        measured(failing(3))


def test_ctrl_c_keeps_finished_games_and_ends_the_others(tmp_path: Path) -> None:
    numbers, made, released = count(1), list[int](), Event()

    def asked(prompt: str) -> str:
        made.append(number := next(numbers))
        if number == 300:  # three unfinished deals have fewer decisions
            signal.raise_signal(signal.SIGINT)
        if number >= 300:
            released.wait()
        return model(prompt)

    result = measured(asked, 1000, parallel=3, transcripts=tmp_path / "t.jsonl")
    written, calls = (tmp_path / "t.jsonl").read_text(), len(made)
    released.set()
    assert 0 < result.against[0].games < 1000
    assert calls <= 302
    assert (tmp_path / "t.jsonl").read_text() == written
    assert written.count("\n") == len(lines_of(tmp_path / "t.jsonl")) >= result.against[0].models[0]["decisions"]


@pytest.mark.parametrize(
    ("agent", "more", "sentence"),
    [
        (model, {"transcripts": Path(__file__)}, r"test_transcripts\.py is there already: give another file"),
        (model, {"parallel": 0}, "parallel must be a whole number from 1 to 1000, not 0"),
        ("random", {"workers": 2, "parallel": 2}, "give one of them"),
        ("chat:model=a,url=http://b", {"workers": 2}, "its answers are counted in one process: give parallel"),
    ],
)
def test_wrong_options_of_evaluations_of_models_are_refused(agent: Any, more: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SettingError, match=sentence):
        measured(agent, **more)
