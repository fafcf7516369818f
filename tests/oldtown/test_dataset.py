"""Puzzles as a data set: the questions, their answers and proofs, the score of an answer, and the command."""

import json
import re
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from oddville_env.cli.app import make_app
from oddville_env.cli.commands import puzzles
from oddville_env.oldtown.cards import base_deck
from oddville_env.oldtown.deduction.puzzle import PuzzleError, printed_puzzles, puzzle_of
from oddville_env.oldtown.deduction.solver import all_placements
from oddville_env.oldtown.game_type import OLDTOWN
from oddville_env.oldtown.solo.dataset import entries, entry_of, score

LEVELS = [("easy", False), ("medium", False), ("hard", False), ("hard", True)]
LOTS = re.compile(r"- Card (\d+): The (.+?)(?: \(.*\))? stood on lot (.*)\.")
PAIRS = re.compile(r"- Card (\d+): The (.+?) and my building: .* are one of (.*)\.")


@pytest.mark.parametrize(("level", "hide_mine"), LEVELS)
def test_answer_is_the_only_placement_and_agrees_with_every_sentence_of_the_question(
    level: str, hide_mine: bool
) -> None:
    deck = base_deck()
    for entry in islice(entries(level, 7, hide_mine), 10):
        at = {name: int(lot) for lot, name in (line.split(": ") for line in entry["answer"].splitlines())}
        puzzle = puzzle_of(entry["puzzle"])
        ((*placement,),) = all_placements(puzzle)
        assert [deck.buildings[deck.index(key)].name for key in placement] == list(at)
        mine = re.search(r"My buildings? (?:is|are) (.*)\.", entry["question"])
        own = re.split(", | and ", mine[1].replace("the ", "")) if mine else list(at)
        assert (mine is None) == hide_mine
        assert all(name in entry["question"].splitlines()[2] for name in at)
        lots, pairs = LOTS.findall(entry["question"]), PAIRS.findall(entry["question"])
        assert [int(card) for card, *_ in (*lots, *pairs)] == [*puzzle.a, *(card for card, _ in puzzle.b), *puzzle.c]
        for _, name, allowed in lots:
            assert str(at[name]) in re.findall(r"\d+", allowed)
        for _, name, allowed in pairs:
            assert {f"{at[name]}-{at[other]}" for other in own if other != name} & set(allowed.split(", "))


def test_steps_are_the_proof_and_name_cards_of_the_question() -> None:
    for entry in islice(entries("hard", 3), 5):
        assert entry["number_of_steps"] == len(entry["steps"]) > 16
        assert any("Every building has its lot: this is a solution" in step for step in entry["steps"])
        for card in re.findall(r"^ *Card (\d+)", "\n".join(entry["steps"]), re.MULTILINE):
            assert f"- Card {card}: " in entry["question"]


def test_puzzle_with_several_placements_is_no_question(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PuzzleError, match="has no placement or several"):
        entry_of(printed_puzzles()[7], base_deck())
    made = [printed_puzzles()[7], printed_puzzles()[0]]
    monkeypatch.setattr("oddville_env.oldtown.solo.dataset.generate", lambda *asked: iter(made))
    assert [entry["puzzle"]["puzzle"] for entry in entries("easy", 0)] == [1]


def changed(entry: dict[str, Any], change: str) -> Any:
    """A way to write the answer of an entry."""
    right = entry["answer"]
    lines, first = right.splitlines(), right.splitlines()[0].partition(": ")[2]
    return {
        "right": right,
        "markup": "**Answer**\n" + right.replace("\n", "**\n**").replace(": ", ". "),
        "capitals": right.upper(),
        "keys": "\n".join(f"{lot}: {key}" for lot, key in enumerate(entry["puzzle"]["solution"], 1)),
        "table": "\n".join(f"| {line.replace(': ', ' | ')} |" for line in lines),
        "one line": ", ".join(line.replace(": ", "=") for line in lines),
        "json": json.dumps(dict(line.split(": ") for line in lines)),
        "thinking": f"<think>{right}</think>" + right.replace("Bank", "BANK"),
        "thought only": f"<think>{right}</think>",
        "reworked": "\n".join(reversed([*lines, f"2: {first}"])),
        "half": "\n".join(lines[:8]),
        "turned": "\n".join(f"{lot}: {line.partition(': ')[2]}" for lot, line in enumerate([*lines[1:], lines[0]], 1)),
        "same": "\n".join(f"{lot}: {first}" for lot in range(0, 100)),
        "nothing": "",
        "number": 7,
    }[change]


@pytest.mark.parametrize(
    ("change", "expected"),
    {
        **dict.fromkeys(
            ["right", "markup", "capitals", "keys", "table", "one line", "json", "thinking", "reworked"], 1
        ),
        **dict.fromkeys(["thought only", "turned", "nothing", "number"], 0),
        "half": 8 / 16,
        "same": 1 / 16,
    }.items(),
)
def test_score_is_the_share_of_lots_that_are_right_in_any_usual_form(change: str, expected: float) -> None:
    for entry in islice(entries("easy", 1), 5):
        assert score(changed(entry, change), entry) == expected


def test_strict_score_asks_for_the_form_at_the_end() -> None:
    entry = next(entries("easy", 1))
    for change in ("right", "turned"):
        answer = f"I thought:\n{changed(entry, change)}"
        assert score(answer, entry, strict=True) == score(answer, entry) == float(change == "right")
        assert score(f"{answer}\n", entry, strict=True) == score(answer, entry)
    for change in ("markup", "capitals", "keys", "table", "one line", "json", "reworked", "half", "nothing", "number"):
        assert score(changed(entry, change), entry, strict=True) == 0
    one_wrong = entry["answer"].replace(entry["answer"].splitlines()[0][3:], entry["answer"].splitlines()[1][3:], 1)
    assert score(one_wrong, entry, strict=True) == 15 / 16


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({}, "the entry has the format None, expected 'oldtown-question'"),
        ({"format": "oldtown-question", "version": "1"}, "the entry has the format 'oldtown-question'"),
        (
            {"format": "oldtown-question", "version": 2},
            "the entry has version 2 of oldtown-question, newer than version 1: update oddville-env",
        ),
    ],
)
def test_entry_of_another_format_or_a_newer_version_is_refused(wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(PuzzleError, match=sentence):
        score("1: Bank", wrong)


def run(*words: object) -> Any:
    return CliRunner().invoke(make_app(OLDTOWN), ["puzzles", "dataset", *map(str, words)])


def test_command_writes_the_entries_line_by_line(tmp_path: Path) -> None:
    out = tmp_path / "puzzles.jsonl"
    result = run("--level", "hard", "--count", 3, "--seed", 7, "--out", out)
    assert (result.exit_code, "3 puzzles written" in result.stderr) == (0, True)
    assert [json.loads(line) for line in out.read_text().splitlines()] == list(islice(entries("hard", 7), 3))
    assert run("--level", "hard", "--count", 3, "--seed", 7).stdout == out.read_text()


def test_parquet_holds_the_same_entries(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars", reason="Parquet needs the extra data")
    run("--level", "easy", "--count", 2, "--seed", 7, "--out", tmp_path / "puzzles.parquet")
    rows = polars.read_parquet(tmp_path / "puzzles.parquet").to_dicts()
    assert [{**row, "puzzle": json.loads(row["puzzle"])} for row in rows] == list(islice(entries("easy", 7), 2))
    assert [score(row["answer"], row) for row in rows] == [1, 1]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--level", "deadly"], "level must be one of easy, medium, hard, not 'deadly'"),
        (["--count", 0], "count must be a whole number"),
        (["--out", "puzzles.csv"], "out must end in .jsonl, .jsonl.gz, .parquet, not 'puzzles.csv'"),
    ],
)
def test_command_refuses_other_settings_and_writes_nothing(
    words: list[object], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("--out", "here.jsonl", *words)
    assert result.exit_code != 0
    assert sentence in f"{result.output}{result.exception}"
    assert list(tmp_path.iterdir()) == []


def test_interrupted_command_keeps_the_puzzles_that_are_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def one_then_interrupted(*asked: object) -> object:
        yield {"level": "easy"}
        raise KeyboardInterrupt

    monkeypatch.setattr(puzzles, "entries", one_then_interrupted)
    assert "interrupted after 1 puzzle" in run("--out", tmp_path / "some.jsonl").stderr
    assert (tmp_path / "some.jsonl").read_text() == '{"level": "easy"}\n'
