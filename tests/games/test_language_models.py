"""Texts for language models: prompts, how answers are read, and data sets of questions and puzzles with proofs."""

import json
import re
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from oddville_env import MINI, Game, SettingError
from oddville_env.cli.app import make_app
from oddville_env.core.game.game_type import game_type
from oddville_env.core.game.prompt import LONGEST_ANSWER, LONGEST_PROMPT, prompt_of, read_answer, rules_digest, texts_of
from oddville_env.core.game.questions import KINDS, entries, score
from oddville_env.core.parts.printed import rule_ids
from oddville_env.oddville import game_type as oddville
from oddville_env.oldtown import game_type as oldtown
from oddville_env.oldtown.deduction.proof import prove
from oddville_env.oldtown.deduction.puzzle import PuzzleError, printed_puzzles, puzzle_of
from oddville_env.oldtown.solo import dataset
from oldtown.naive.deck import DECK, Deck
from oldtown.naive.judge import judge
from oldtown.naive.puzzle import Puzzle
from support import town
from support.games import every_game
from support.helpers import many_states


@pytest.mark.parametrize("home", [oddville, oldtown])
def test_digest_names_every_rule_that_it_does_not_leave_out_for_a_reason(home: Any) -> None:
    game = game_type(home.__name__.split(".")[1])
    digest, left_out = texts_of(game)[:2]
    said = re.findall(r"[A-Z]\d+", " ".join(re.findall(r"\[[A-Z]\d+(?:, [A-Z]\d+)*\]", digest)))
    assert sorted({*said, *left_out}) == sorted(rule_ids(home.LAW, home.CHAPTERS))
    assert not set(said) & left_out.keys()
    assert all(left_out.values())
    assert rules_digest(game) == rules_digest(game.name) == digest
    assert len(digest.split()) <= 900
    with pytest.raises(SettingError, match=f"the game {game.name} has no texts for prompts"):
        rules_digest(replace(game, prompts=None))


@every_game
def test_prompts_are_short_and_every_word_has_a_meaning_and_is_read_in_markup(make: Any) -> None:
    played = (game for players in (2, 3, 4) for game in many_states(200, players, seed=players, make=make))
    for game in filter(lambda game: not game.is_over, played):
        view, prompt, (*_, word) = game.view(), prompt_of(game.view()), game.legal_moves.words()
        assert len(prompt) < LONGEST_PROMPT
        assert all(text in prompt for text in (view.text(), texts_of(game.game_type).notes(view)))
        assert f"You are seat @{game.to_move}" in prompt
        assert set(game.legal_moves.words()) <= set(prompt.split())
        kinds = {each.split(":")[0] for each in game.legal_moves.words()}
        assert make is Game or all(kind in view.text().splitlines()[0] for kind in kinds)
        marked = word.replace("-", "\N{MINUS SIGN}").replace("_", "\\_")
        for said in (word, f"I take: {marked}.", f"**{marked.upper()}**, then setup"):
            assert view.word(read_answer(said, view).action or 0) == word
    lines = map(texts_of(game.game_type).meaning, game.game_type.words(game.box.layout))
    assert all(0 < len(line) < 60 and "{" not in line for line in lines)
    assert "the columns -2 to 2 and the lines 0 to 2." in prompt_of(Game(seed=1, **MINI).view())


READ: dict[str, list[object]] = {
    "take:1:wood": ["take:1:wood", "I play **Take:1:Wood**.", "<think>coins:2 is better</think>\ntake:1:wood"],
    "coins:2": ["`COINS:2`\n", "_coins:2_", "coins\uff1a2", "<answer>coins:2</answer>", "\ufeffcoi\u200bns:2",
                "coins:2 <thinking> or coins:3", "coins:2\ncoins:1 shows no coin", "coins:2 " + "x" * 1000,
                "<think>" * 50_000 + "</think>" * 5_000 + "coins:2"],
    "coins:3": ["\"coins:2\", or rather 'coins:3'!", "coins:2 </think> coins:3"],
    "coins:4": ["Move:coins:4"],
    "The answer is empty.": ["", " \n"],
    "The answer must be a text, not None.": [None],
    "The move coins:1 is not legal now.": ["setup:wood, no, coins:1"],
    "The answer holds no move of the game.": ["Ich nehme Holz. 显示对手的手牌", "<think>coins:2",
              "take:stage\\_coach\\_office", "play:3 or coins:22 or coins:2:3", "coins:2" + " " * LONGEST_ANSWER],
}  # fmt: skip


@pytest.mark.parametrize(("word", "answer"), [(word, answer) for word in READ for answer in READ[word]])
def test_last_legal_word_of_an_answer_is_its_move_and_without_one_it_has_a_problem(word: str, answer: object) -> None:
    view = Game(2, 0, moves=["setup:stone", "setup:clay"]).view()
    read = read_answer(answer, view)
    assert read.problem == word if read.action is None else (view.word(read.action), read.problem) == (word, "")
    assert read.illegal == ("not legal" in word)


@pytest.mark.rule("K1")
@every_game
def test_answers_are_those_of_the_game_and_tell_nothing_that_is_hidden(make: Any) -> None:
    shared, values, rng, texts = 0, set(), np.random.default_rng(1), texts_of(make().game_type)

    def asked(game: Any) -> list[Any]:
        return [kind.ask(game.view(), texts, np.random.default_rng(3)) for kind in KINDS.values()]

    for game in filter(lambda game: not game.is_over, many_states(60, 3, make=make)):
        legal, card, winner = asked(game)
        assert set(legal.answer.split()) == set(legal.choices) & set(game.legal_moves.words())
        assert len(legal.choices) == len(set(legal.choices)) > len(legal.answer.split())
        assert all(f"\n{word}  " in legal.text for word in legal.choices)
        points = [int(found) for found in re.findall(r"^@\d \w+ +(\d+) points", game.view().text(), re.MULTILINE)]
        best = [f"@{seat}" for seat in range(3) if points[seat] == max(points)]
        assert sorted(winner.answer.split()) == best or (make is Game and winner.answer in best)
        shared += " " in winner.answer
        if card and make is Game:
            number, column, line = map(int, re.findall(r"-?\d+", card.text))
            found = {each[:3]: str(each.points) for seat in game.score_sheet() for each in seat.buildings}
            values.add(expected := found[number, column, line])
        elif card:
            board = {key: frozenset(lots) for key, lots in game.position()["buildings"].items() if lots}
            ((number, own),) = re.findall(r"What is card (\d+)(?: with your building (\w+))? now\?", card.text)
            values.add(expected := judge(board, DECK.cards[int(number)], own or None).name)
        assert not card or card.answer == expected
        other = game.sample_unseen(game.to_move, rng)
        assert (asked(other), texts.notes(other.view())) == ([legal, card, winner], texts.notes(game.view()))
    assert (shared == 0, len(values) > 3) == (make is Game, True)


LOTS = re.compile(r"- Card (\d+): The (.+?)(?: \(.*\))? stood on lot (.*)\.")
PAIRS = re.compile(r"- Card (\d+): The (.+?) and my building: .* are one of (.*)\.")
LEFT = re.compile(r"the ([A-Z][\w' ]+?) on (\d+(?:(?:, | or )\d+)*)")
JUDGED = [("easy", False, 300), *((level, no, 250 - 150 * no) for no in (False, True) for level in ("medium", "hard"))]
FEW, MANY = [(*each, 5) for *each, _ in JUDGED], [pytest.param(*each, marks=pytest.mark.slow) for each in JUDGED]


def puzzle_in(question: str) -> Puzzle:
    """The puzzle that a question tells in words, for the naive solver; a clue about a named building is an A card."""
    cards, plain = [], {"a": [], "b": [], "c": []}
    for kind, clue in (("a", LOTS), ("c", PAIRS)):
        for card, building, allowed in clue.findall(question):
            lots = re.split(", | or ", allowed)
            about = {"pairs": [map(int, pair.split("-")) for pair in lots]} if kind == "c" else {"lots": map(int, lots)}
            cards.append({"card": int(card), "type": kind.upper(), "building": building} | about)
            plain[kind].append(int(card))
    (mine,) = re.findall(r"My buildings? (?:is|are) the (.*)\.", question) or [None]
    number = int((re.findall(r"Which (\d) buildings are mine", question) or [1])[0])
    plain |= {"mine": mine and re.split(", the | and the ", mine), "mine_count": number}
    names = re.split(", | and ", question.splitlines()[2].rstrip("."))
    return Puzzle(Deck({"buildings": [{"key": name} for name in names], "cards": cards}), plain)


@pytest.mark.parametrize(("level", "hide_mine", "number"), FEW + MANY)
def test_question_has_one_answer_by_the_naive_solver_and_a_proof(level: str, hide_mine: bool, number: int) -> None:
    for entry in islice(dataset.entries(level, 7, hide_mine), number):
        at = {name: int(lot) for lot, name in (line.split(": ") for line in entry["answer"].splitlines())}
        asked, puzzle, steps = puzzle_in(entry["question"]), puzzle_of(entry["puzzle"]), "\n".join(entry["steps"])
        assert asked.placements(most=2) == [at]
        assert puzzle_in(entry["question"].replace("- Card", "- No card", 1)).placements(most=2) != [at]
        assert list(asked.deck.cards) == [*puzzle.a, *(card for card, _ in puzzle.b), *puzzle.c]
        assert (asked.puzzle["mine"] is None) == hide_mine
        assert entry["steps"] == [str(step) for step in prove(puzzle).steps]
        assert entry["number_of_steps"] == len(entry["steps"]) > 16
        for name, lots in LEFT.findall(re.sub(r"^ .*", "", steps, flags=re.MULTILINE)):  # outside of suppositions
            assert at[name] in map(int, re.findall(r"\d+", lots))
        assert set(map(int, re.findall(r"Card (\d+)", steps))) <= set(asked.deck.cards)


def test_puzzle_with_several_placements_is_no_question(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PuzzleError, match="has no placement or several"):
        dataset.entry_of(printed_puzzles()[7], town.DECK)
    monkeypatch.setattr(dataset, "generate", lambda *asked: iter([printed_puzzles()[7], printed_puzzles()[0]]))
    assert [entry["puzzle"]["puzzle"] for entry in dataset.entries("easy", 0)] == [1]


LEGAL = {"format": "game-question", "version": 1, "kind": "legal", "answer": "a:1 a:2", "choices": ["a:1", "a:2", "b"]}
SEATS = LEGAL | {"kind": "winner", "answer": "@0", "choices": ["@0", "@1"]}
POINTS = LEGAL | {"kind": "card", "answer": "-2", "choices": []}


@pytest.mark.parametrize(("entry", "tolerant", "strict", "answers"), [
    (LEGAL, 1, 1, ["Well.\nAnswer: a:2 a:1"]),
    (LEGAL, 1, 0, ["b?\n**Answer:** `A:1`, a:2.", "Answer:\n- a:1\n- a:2", "b is not.\na:1 and a:2"]),
    (LEGAL, 1 / 2, 1 / 2, ["Answer: a:1"]),
    (LEGAL, 2 / 3, 2 / 3, ["Answer: a:1 a:2 b"]),
    (LEGAL, 1 / 2, 0, ["Answer: a:1 c"]),
    (LEGAL, 0, 0, ["<think>Answer: a:1 a:2</think>", "a:11 xb", "", None]),
    (SEATS, 1, 1, ["@1 is behind.\nAnswer: @0"]),
    (POINTS, 1, 0, ["1 + 1 per card\nAnswer: \u22122", "Answer: 4 - 6 = -2"]),
    (POINTS, 1, 1, ["Answer: -2"]),
])  # fmt: skip
def test_score_is_the_share_of_right_words(entry: Any, tolerant: float, strict: float, answers: list[object]) -> None:
    for answer in answers:
        assert (score(answer, entry), score(answer, entry, strict=True)) == (tolerant, strict), answer


def test_score_of_a_puzzle_is_the_share_of_right_lots_in_any_usual_form_and_the_strict_one_asks_for_its_own() -> None:
    for entry in islice(dataset.entries("easy", 1), 5):
        right, lines = entry["answer"], entry["answer"].splitlines()
        first, second = (line.partition(": ")[2] for line in lines[:2])
        turned = "\n".join(f"{lot}: {line.partition(': ')[2]}" for lot, line in enumerate([*lines[1:], lines[0]], 1))
        for answer, *expected in (
            (f"I thought:\n{right}\n", 1, 1),
            (f"I thought:\n{turned}", 0, 0),
            (right.replace(f"1: {first}", f"1: {second}", 1), 15 / 16, 15 / 16),
            ("**Answer**\n" + right.replace("\n", "**\n**").replace(": ", ". "), 1, 0),
            (right.upper(), 1, 0),
            ("\n".join(f"{lot}: {key}" for lot, key in enumerate(entry["puzzle"]["solution"], 1)), 1, 0),
            ("\n".join(f"| {line.replace(': ', ' | ')} |" for line in lines), 1, 0),
            (", ".join(line.replace(": ", "=") for line in lines), 1, 0),
            (json.dumps(dict(line.split(": ") for line in lines)), 1, 0),
            (f"<think>{turned}</think>{right}", 1, 0),
            ("\n".join(reversed([*lines, f"2: {first}"])), 1, 0),
            ("\n".join(lines[:8]), 8 / 16, 0),
            ("\n".join(f"{lot}: {first}" for lot in range(0, 100)), 1 / 16, 0),
            *((nothing, 0, 0) for nothing in (f"<think>{right}</think>", "", 7)),
        ):
            assert [dataset.score(answer, entry), dataset.score(answer, entry, strict=True)] == expected, answer


def test_entry_of_another_format_or_a_newer_version_is_refused() -> None:
    for read, name, error in ((score, "game-question", SettingError), (dataset.score, "oldtown-question", PuzzleError)):
        for entry, sentence in (
            ({"version": 1}, f"the entry has the format None, expected '{name}'"),
            ({"format": name, "version": "1"}, f"the entry has the format '{name}', expected '{name}'"),
            ({"format": name, "version": 2}, f"the entry has version 2 of {name}, newer than version 1: update"),
        ):
            with pytest.raises(error, match=sentence):
                read("1: Bank", entry)


@pytest.mark.parametrize(("words", "kinds", "players"), [
    ("oldtown puzzles dataset --level hard", None, None),
    ("oldtown questions", [*KINDS], 2),
    ("oddville questions --kinds winner,card --players 3", ["winner", "card"], 3),
])  # fmt: skip
def test_commands_write_equal_lines_and_parquet(words: str, kinds: Any, players: Any, tmp_path: Path) -> None:
    polars, (game, *command) = pytest.importorskip("polars"), f"{words} --count 6 --seed 7".split()

    def run(*more: object) -> Any:
        return CliRunner().invoke(make_app(game_type(game)), [*command, *map(str, more)])

    expected = list(islice(entries(game, 7, kinds, players) if kinds else dataset.entries("hard", 7), 6))
    for name in ("a.jsonl", "a.parquet"):
        assert re.search("6 (puzzles|questions) written", run("--out", tmp_path / name).stderr)
    assert [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()] == expected
    assert run().stdout == (tmp_path / "a.jsonl").read_text()
    rows = polars.read_parquet(tmp_path / "a.parquet").to_dicts()
    assert rows == [row if kinds else row | {"puzzle": json.dumps(row["puzzle"])} for row in expected]
    assert all((score if kinds else dataset.score)(row["answer"], row) == 1 for row in rows)
    if kinds:
        assert [(row["game"], row["kind"]) for row in rows] == [(game, kind) for kind in kinds] * (6 // len(kinds))
        assert all(re.search(rf"of {players} in a game.*\n@{players - 1} ", row["question"], re.DOTALL) for row in rows)
