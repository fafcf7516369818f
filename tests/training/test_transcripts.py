"""Evaluation of agents that ask a model: transcripts, counts, failures; progress in the terminal."""

import json
import re
import signal
import sys
import warnings
from collections.abc import Iterator
from io import StringIO
from itertools import count
from pathlib import Path
from threading import Event
from typing import Any
from zlib import crc32

import polars as pl
import pytest
from rich import console
from rich.console import Console
from rich.table import Table

from oddville_agents import AgentError, TextAgent
from oddville_env.core.system import progress
from oddville_env.oldtown.game_type import OLDTOWN
from oddville_training.program import meter
from oddville_training.tournament.evaluate import Against, Evaluation, evaluate, table
from oddville_training.tournament.tournament import tables
from support.helpers import example
from support.training.synthetic import results


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
    read = pl.read_ndjson(path)
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


LONG = "./runs/of/mine/a-model-with-a-long-name[1]/model.safetensors"


def shown(what: Table) -> str:
    """The table as a terminal of 80 columns shows it."""
    console = Console(file=StringIO(), width=80, color_system=None)
    console.print(what)
    text = console.file.getvalue()
    assert max(map(len, text.splitlines())) <= 80
    return text


@pytest.mark.parametrize("players", [2, 3, 4])
def test_an_evaluation_and_the_standing_of_a_million_games_fit_into_80_columns(players: int) -> None:
    shares = (1.0,) * players
    against = Against(LONG, 10_000, 1.0, 0.999, 1.0, 123.4, 56.7, 1.25, shares, 123)
    text = shown(table(Evaluation(LONG, players, 0, 10_000, (against,))))
    assert re.search(r"against +games +wins +95 % +by seat, % +score +theirs +rank +cut", text)
    assert re.search(rf"10000 +100.0% +99.9-100.0 +{' '.join(['100'] * players)} +123.4 +56.7 +1.25 +123", text)
    assert "…" not in text
    rows = results({LONG: 100.0, "random": 0.0}, 4, 3)
    many = rows.with_columns(think_ms=pl.col("think_ms") * 10_000, slowest_ms=pl.lit(59_999.9))
    text, failures = map(shown, tables(many.with_columns(failure=pl.lit("raised: [red]no[/] " * 8))))
    assert re.search(r"agent +games +wins +95 % +rank +ms a move +slowest", text)
    assert "59,999.9" in text
    assert LONG in "".join(line.split("  ")[0].strip() for line in text.splitlines())
    assert re.search(r"agent +why +games", failures)
    assert "[red]no[/]" in failures
    assert "…" not in text + failures


@pytest.fixture
def in_a_notebook(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """rich believes that it runs in Jupyter, where the package with its widgets is missing."""
    monkeypatch.setattr(console, "_is_jupyter", lambda: True)
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    progress.error_console.cache_clear()
    yield
    progress.error_console.cache_clear()


@pytest.mark.usefixtures("in_a_notebook")
@pytest.mark.parametrize("shown", [True, False])
def test_in_a_notebook_progress_is_plain_text_and_warns_of_nothing(shown: bool) -> None:
    with warnings.catch_warnings(action="error"):
        with meter("games", shown) as bar:
            bar.advance(bar.add_task("played", total=2))
        with progress.console_if(shown).status("the report"):
            pass
