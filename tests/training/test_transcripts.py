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

GAMES = 8


def model(prompt: str) -> str:
    """A stand-in: of some prompts no move, of some a move that is not legal, otherwise the example."""
    kind = crc32(prompt.encode()) % 10
    return ["no", "pass"][kind] if kind < 2 else prompt.split("Example: ")[1].split()[0]


def measured(agent: TextAgent, games: int = GAMES, **more: Any) -> Evaluation:
    """An evaluation at Old Town, which has short games."""
    return evaluate(agent, ["random"], games, seed=3, game=OLDTOWN, progress=False, **more)


def lines_of(path: Path) -> list[dict[str, Any]]:
    """The decisions of a transcript in their order in the games."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return sorted(lines, key=lambda line: (line["game"], line["decision"]))


def test_games_at_once_give_the_same_results_and_transcripts(tmp_path: Path) -> None:
    found = []
    for parallel in (1, 3):
        path = tmp_path / f"{parallel}.jsonl"
        found.append((measured(TextAgent(model), parallel=parallel, transcripts=path).to_json(), lines_of(path)))
    assert found[0] == found[1]
    (against,) = json.loads(found[0][0])["against"]
    (counts,), lines = against["models"], found[0][1]
    assert counts["decisions"] == len(lines)
    assert counts["answers"] == sum(len(line["answers"]) for line in lines)
    for name, expected in (("unreadable", "no move of the game"), ("illegal", "is not legal now")):
        assert counts[name] == sum(expected in problem for line in lines for problem in line["problems"]) > 0
    assert {line["game"] for line in lines} == set(range(GAMES))
    for line in lines:
        assert (line["seat"], line["opponent"], line["agent"]) == (line["game"] % 2, "random", "text")
        assert line["fallbacks"] == (line["problems"][-1] != "")
    assert [line["decision"] for line in lines if line["game"] == 0][:3] == [0, 1, 2]


def test_transcripts_are_read_by_polars(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    measured(TextAgent(model), 2, transcripts=tmp_path / "t.jsonl")
    read = polars.read_ndjson(tmp_path / "t.jsonl")
    assert read["answers"].list.len().min() >= 1
    assert set(read["game"]) == {0, 1}


def test_forfeits_lose_their_games_and_are_counted() -> None:
    result = measured(TextAgent(lambda prompt: "no", tries=2, fallback="forfeit"))
    (against,) = result.against
    (counts,) = against.models
    assert (against.games, against.wins, counts["fallbacks"], counts["unreadable"]) == (GAMES, 0.0, GAMES, 2 * GAMES)
    assert "text: 8 decisions, of its answers 100.0% unreadable and 0.0% illegal, fallbacks at 100.0%" in str(
        table(result).caption
    )


class Failing:
    """A model that cannot be asked any more after so many calls."""

    def __init__(self, calls: int) -> None:
        self.left = calls

    def __call__(self, prompt: str) -> str:
        self.left -= 1
        if self.left < 0:
            raise ConnectionError("no route")
        return model(prompt)


def test_model_that_fails_ends_the_evaluation_and_finished_games_count(capsys: pytest.CaptureFixture[str]) -> None:
    result = evaluate(TextAgent(Failing(200)), ["random"], 40, seed=3, game=OLDTOWN)
    assert 0 < result.against[0].games < result.asked == 40
    assert result.against[0].models[0]["answers"] <= 200
    assert "agent 'text': raised: ConnectionError: no route" in " ".join(capsys.readouterr().err.split())
    with pytest.raises(AgentError, match="no route"):
        measured(TextAgent(Failing(3)))


def test_ctrl_c_keeps_finished_games_and_ends_the_others(tmp_path: Path) -> None:
    numbers, made, released = count(1), list[int](), Event()

    def asked(prompt: str) -> str:
        made.append(number := next(numbers))
        if number == 300:  # three unfinished deals have fewer decisions
            signal.raise_signal(signal.SIGINT)
        if number >= 300:
            released.wait()
        return model(prompt)

    result = measured(TextAgent(asked), 1000, parallel=3, transcripts=tmp_path / "t.jsonl")
    written, calls = (tmp_path / "t.jsonl").read_text(), len(made)
    released.set()
    assert 0 < result.against[0].games < 1000
    assert calls <= 302
    assert (tmp_path / "t.jsonl").read_text() == written
    assert written.count("\n") == len(lines_of(tmp_path / "t.jsonl")) >= result.against[0].models[0]["decisions"]


def test_wrong_options_of_evaluations_of_models_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text("{}")
    with pytest.raises(SettingError, match=r"t\.jsonl is there already: give another file"):
        measured(TextAgent(model), transcripts=path)
    with pytest.raises(SettingError, match="parallel must be a whole number from 1 to 1000, not 0"):
        measured(TextAgent(model), parallel=0)
    with pytest.raises(SettingError, match="give one of them"):
        evaluate("random", ["random"], workers=2, parallel=2)
    pytest.importorskip("httpx", reason="the extra chat is not installed")
    with pytest.raises(SettingError, match="its answers are counted in one process: give parallel"):
        evaluate("chat:model=tiny,url=http://127.0.0.1:1", ["random"], workers=2)
