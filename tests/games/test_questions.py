"""Questions about positions: the engine's answers, what a seat may know, the score of an answer, and the command."""

import json
import re
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from oddville_env import Game, OldTown, SettingError
from oddville_env.cli.app import make_app
from oddville_env.core.game.game_type import Question
from oddville_env.core.game.prompt import texts_of
from oddville_env.core.game.questions import KINDS, entries, score
from oddville_env.oldtown.cards import base_deck
from oddville_env.oldtown.game_type import OLDTOWN
from oldtown.naive.deck import Deck
from oldtown.naive.judge import judge
from support.games import every_game
from support.helpers import many_states

NAMED = {building.name.lower(): building.key for building in base_deck().buildings}


def asked(game: Any, kind: str, seed: int = 0) -> Question | None:
    found: Question | None = KINDS[kind].ask(game.view(), texts_of(game.game_type), np.random.default_rng(seed))
    return found


@every_game
def test_answers_are_those_of_the_game(make: Any) -> None:
    shared = 0
    for game in many_states(60, 3, make=make):
        if game.is_over:
            continue
        legal, winner = asked(game, "legal"), asked(game, "winner")
        assert legal
        assert winner
        assert set(legal.answer.split()) == set(legal.choices) & set(game.legal_moves.words())
        assert len(legal.choices) == len(set(legal.choices)) > len(legal.answer.split())
        assert all(f"\n{word}  " in legal.text for word in legal.choices)
        points = [int(found) for found in re.findall(r"^@\d \w+ +(\d+) points", game.view().text(), re.MULTILINE)]
        best = [f"@{seat}" for seat in range(3) if points[seat] == max(points)]
        assert sorted(winner.answer.split()) == best or (make is Game and winner.answer in best)
        shared += " " in winner.answer
    assert (shared > 0) == (make is OldTown)


def test_points_of_a_building_are_those_of_the_score_sheet() -> None:
    values = set()
    for game in many_states(60, 3):
        if not game.is_over and (question := asked(game, "card")):
            card, column, line = map(int, re.findall(r"-?\d+", question.text))
            found = {each[:3]: each.points for seat in game.score_sheet() for each in seat.buildings}
            assert question.answer == str(found[card, column, line])
            values.add(question.answer)
    assert len(values) > 4


def test_a_card_is_what_a_naive_judge_reads_from_the_question() -> None:
    deck = Deck(json.loads(OLDTOWN.cards.base.read_text()))
    seen = set()
    for entry in islice(entries("oldtown", 5, ["card"], 3), 25):
        rows = [line.split("|")[1:5] for line in entry["question"].splitlines() if line.startswith("|")]
        board: dict[str, set[int]] = {}
        for place, cells in enumerate(zip(*[iter(rows)] * 4, strict=True)):
            for column, names in enumerate(zip(*cells, strict=True)):
                for name in names[1:]:
                    if name.strip():
                        board.setdefault(NAMED[name.strip().lower()], set()).add(4 * place + column + 1)
        card, own = re.findall(r"What is card (\d+)(?: with your building (\w+))? now\?", entry["question"])[0]
        found = judge({key: frozenset(lots) for key, lots in board.items()}, deck.cards[int(card)], own or None)
        assert entry["answer"] == found.name
        seen.add(found.name)
    assert len(seen) >= 4


@pytest.mark.rule("K1")
@every_game
def test_positions_that_a_seat_cannot_tell_apart_have_equal_questions(make: Any) -> None:
    rng = np.random.default_rng(1)
    for game in many_states(20, make=make):
        if not game.is_over:
            other = game.sample_unseen(game.to_move, rng)
            notes = texts_of(game.game_type).notes
            assert notes(other.view()) == notes(game.view())
            assert [asked(other, kind, 3) for kind in KINDS] == [asked(game, kind, 3) for kind in KINDS]


ENTRY = {"format": "game-question", "version": 1, "kind": "legal", "answer": "a:1 a:2", "choices": ["a:1", "a:2", "b"]}
SEATS = {**ENTRY, "kind": "winner", "answer": "@0", "choices": ["@0", "@1"]}
POINTS = {**ENTRY, "kind": "card", "answer": "-2", "choices": []}


@pytest.mark.parametrize(
    ("entry", "answer", "tolerant", "strict"),
    [
        (ENTRY, "Well.\nAnswer: a:2 a:1", 1, 1),
        (ENTRY, "b?\n**Answer:** `A:1`, a:2.", 1, 0),
        (ENTRY, "Answer:\n- a:1\n- a:2", 1, 0),
        (ENTRY, "b is not.\na:1 and a:2", 1, 0),
        (ENTRY, "Answer: a:1", 1 / 2, 1 / 2),
        (ENTRY, "Answer: a:1 a:2 b", 2 / 3, 2 / 3),
        (ENTRY, "Answer: a:1 c", 1 / 2, 0),
        (ENTRY, "<think>Answer: a:1 a:2</think>", 0, 0),
        (ENTRY, "a:11 xb", 0, 0),
        (ENTRY, "", 0, 0),
        (ENTRY, None, 0, 0),
        (SEATS, "@1 is behind.\nAnswer: @0", 1, 1),
        (POINTS, "1 + 1 per card\nAnswer: \u22122", 1, 0),
        (POINTS, "Answer: 4 - 6 = -2", 1, 0),
        (POINTS, "Answer: -2", 1, 1),
    ],
)
def test_score_is_the_share_of_right_words(
    entry: dict[str, Any], answer: object, tolerant: float, strict: float
) -> None:
    assert (score(answer, entry), score(answer, entry, strict=True)) == (tolerant, strict)


def test_entry_of_a_newer_version_is_refused() -> None:
    with pytest.raises(SettingError, match="the entry has version 2 of game-question, newer than version 1"):
        score("b", {**ENTRY, "version": 2})


@every_game
def test_command_writes_the_same_entries_for_the_same_seed(make: Any, tmp_path: Path) -> None:
    polars = pytest.importorskip("polars", reason="Parquet needs the extra data")
    game, expected = make.game_name, list(islice(entries(make.game_name, 7), 6))
    app = make_app(make(2, 0).game_type)
    for name in ("a.jsonl", "a.parquet"):
        words = ["questions", "--count", "6", "--seed", "7", "--out", str(tmp_path / name)]
        assert "6 questions written" in CliRunner().invoke(app, words).stderr
    assert [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()] == expected
    assert polars.read_parquet(tmp_path / "a.parquet").to_dicts() == expected
    assert [(entry["game"], entry["kind"]) for entry in expected] == [(game, kind) for kind in KINDS] * 2
    assert all(score(f"Answer: {entry['answer']}", entry, strict=True) == 1 for entry in expected)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"kinds": ["odd"]}, "the kinds must be some of legal, card, winner, not 'odd'"),
        ({"players": 5}, "players must be a whole number from 2 to 4"),
    ],
)
def test_other_settings_are_refused(words: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SettingError, match=sentence):
        entries("oddville", 0, **words)
