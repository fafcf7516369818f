"""Data sets for language models: questions about positions, and puzzles of Old Town with proofs; scores and commands.

A SAT solver reads puzzles as text and knows chapter O of OLDTOWN.md: `make doors LANES=sat` judges 1,000 of them.
"""

import json
import re
from itertools import combinations, count, islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from oddville_env import Game, SettingError
from oddville_env.cli.app import make_app
from oddville_env.cli.commands import puzzles
from oddville_env.core.game.game_type import Question
from oddville_env.core.game.prompt import texts_of
from oddville_env.core.game.questions import KINDS, entries, score
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oldtown.deduction.proof import prove
from oddville_env.oldtown.deduction.puzzle import PuzzleError, printed_puzzles, puzzle_of
from oddville_env.oldtown.game_type import OLDTOWN
from oddville_env.oldtown.solo import dataset
from oldtown.naive.deck import Deck
from oldtown.naive.judge import judge
from support.games import every_game
from support.helpers import many_states
from support.town import DECK

NAMED = {building.name.lower(): building.key for building in DECK.buildings}


def asked(game: Any, kind: str) -> Question | None:
    found: Question | None = KINDS[kind].ask(game.view(), texts_of(game.game_type), np.random.default_rng(3))
    return found


@pytest.mark.rule("K1")
@every_game
def test_answers_are_those_of_the_game_and_tell_nothing_that_is_hidden(make: Any) -> None:
    shared, values, rng = 0, set(), np.random.default_rng(1)
    for game in many_states(60, 3, make=make):
        if game.is_over:
            continue
        legal, card, winner = (asked(game, kind) for kind in KINDS)
        assert legal
        assert winner
        assert set(legal.answer.split()) == set(legal.choices) & set(game.legal_moves.words())
        assert len(legal.choices) == len(set(legal.choices)) > len(legal.answer.split())
        assert all(f"\n{word}  " in legal.text for word in legal.choices)
        points = [int(found) for found in re.findall(r"^@\d \w+ +(\d+) points", game.view().text(), re.MULTILINE)]
        best = [f"@{seat}" for seat in range(3) if points[seat] == max(points)]
        assert sorted(winner.answer.split()) == best or (make is Game and winner.answer in best)
        shared += " " in winner.answer
        if make is Game and card:
            number, column, line = map(int, re.findall(r"-?\d+", card.text))
            found = {each[:3]: each.points for seat in game.score_sheet() for each in seat.buildings}
            assert card.answer == str(found[number, column, line])
            values.add(card.answer)
        other, notes = game.sample_unseen(game.to_move, rng), texts_of(game.game_type).notes
        assert notes(other.view()) == notes(game.view())
        assert [asked(other, kind) for kind in KINDS] == [legal, card, winner]
    assert (shared == 0, len(values) > 4) == (make is Game, make is Game)


def test_a_card_is_what_a_naive_judge_reads_from_the_question() -> None:
    deck = Deck(json.loads(OLDTOWN.cards.base.read_text()))
    seen = set()
    for entry in islice(entries("oldtown", 5, ["card"], 3), 25):
        rows = [line.split("|")[1:5] for line in entry["question"].splitlines() if line.startswith("|")]
        board: dict[str, set[int]] = {}
        for place, cells in enumerate(zip(*[iter(rows)] * 4, strict=True)):
            for column, names in enumerate(zip(*cells, strict=True)):
                for name in filter(None, map(str.strip, names[1:])):
                    board.setdefault(NAMED[name.lower()], set()).add(4 * place + column + 1)
        card, own = re.findall(r"What is card (\d+)(?: with your building (\w+))? now\?", entry["question"])[0]
        found = judge({key: frozenset(lots) for key, lots in board.items()}, deck.cards[int(card)], own or None)
        assert entry["answer"] == found.name
        seen.add(found.name)
    assert len(seen) >= 4


# Puzzles

LOTS = re.compile(r"- Card (\d+): The (.+?)(?: \(.*\))? stood on lot (.*)\.")
PAIRS = re.compile(r"- Card (\d+): The (.+?) and my building: .* are one of (.*)\.")
LEFT = re.compile(r"the ([A-Z][\w' ]+?) on (\d+(?:(?:, | or )\d+)*)")
JUDGED = [
    ("easy", False, 300),
    ("medium", False, 250),
    ("medium", True, 100),
    ("hard", False, 250),
    ("hard", True, 100),
]


def answer_of(entry: dict[str, Any]) -> dict[str, str]:
    """The lot of each building."""
    return {name: lot for lot, name in (line.split(": ") for line in entry["answer"].splitlines())}


def own_of(question: str) -> list[str] | None:
    """The buildings that are told to be mine."""
    told = re.search(r"My buildings? (?:is|are) (.*)\.", question)
    return re.split(", | and ", told[1].replace("the ", "")) if told else None


@pytest.mark.parametrize(("level", "hide_mine"), [(level, hidden) for level, hidden, _ in JUDGED])
def test_puzzle_has_its_placement_its_proof_and_a_question_that_agrees(level: str, hide_mine: bool) -> None:
    for entry in islice(dataset.entries(level, 7, hide_mine), 5):
        at, puzzle, question = answer_of(entry), puzzle_of(entry["puzzle"]), entry["question"]
        proof, mine = prove(puzzle), own_of(question)
        assert proof.is_unique
        assert [DECK.buildings[DECK.index(key)].name for key in proof.solutions[0].placement] == list(at)
        assert entry["steps"] == [str(step) for step in proof.steps]
        assert entry["number_of_steps"] == len(entry["steps"]) > 16
        for name, lots in LEFT.findall("\n".join(step for step in entry["steps"] if not step.startswith(" "))):
            assert at[name] in re.findall(r"\d+", lots)
        assert (mine is None) == hide_mine
        assert all(name in question.splitlines()[2] for name in at)
        lots, pairs = LOTS.findall(question), PAIRS.findall(question)
        cards = [int(card) for card, *_ in (*lots, *pairs)]
        assert cards == [*puzzle.a, *(card for card, _ in puzzle.b), *puzzle.c]
        assert set(map(int, re.findall(r"Card (\d+)", "\n".join(entry["steps"])))) <= set(cards)
        assert all(at[name] in re.findall(r"\d+", allowed) for _, name, allowed in lots)
        for _, name, allowed in pairs:
            assert {f"{at[name]}-{at[other]}" for other in mine or at if other != name} & set(allowed.split(", "))


class Judge:
    """A question as clauses, with a SAT solver."""

    def __init__(self, question: str) -> None:
        self.solver, self.numbers = pytest.importorskip("pysat.solvers").Cadical153(), count(1)
        town = re.split(r", | and ", question.splitlines()[2].rstrip("."))
        self.at = {(name, str(lot)): next(self.numbers) for name in town for lot in range(1, 17)}
        mine = {name: next(self.numbers) for name in town}
        for place in {place for at in self.at for place in at}:  # a building or a lot
            self.exactly(1, [variable for at, variable in self.at.items() if place in at])
        if (own := own_of(question)) is None:
            (number,) = re.findall(r"Which (?:(\d) buildings are|building is) mine", question)
            self.exactly(int(number or 1), [*mine.values()])
        else:
            self.solver.append_formula([[variable if name in own else -variable] for name, variable in mine.items()])
        for _, name, lots in LOTS.findall(question):
            self.solver.add_clause([self.at[name, lot] for lot in re.findall(r"\d+", lots)])
        for _, name, pairs in PAIRS.findall(question):
            ways = {next(self.numbers): (own, *each) for each in re.findall(r"(\d+)-(\d+)", pairs) for own in mine}
            self.solver.add_clause([way for way, (own, *_) in ways.items() if own != name])
            for way, (own, here, there) in ways.items():
                holds = (self.at[name, here], self.at[own, there], mine[own])
                self.solver.append_formula([[-way, each] for each in holds])

    def exactly(self, number: int, variables: list[int]) -> None:
        """So many of them hold."""
        self.solver.append_formula([list(some) for some in combinations(variables, len(variables) - number + 1)])
        self.solver.append_formula([[-each for each in some] for some in combinations(variables, number + 1)])

    def has_only(self, answer: dict[str, str]) -> bool:
        """The answer is the only one."""
        said = [self.at[place] for place in answer.items()]
        only = self.solver.solve(assumptions=said)
        self.solver.add_clause([-each for each in said])
        return only and not self.solver.solve()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("level", "hide_mine", "number"),
    JUDGED,
    ids=[f"{number} puzzles, {level}{' without own buildings' * hidden}, by SAT" for level, hidden, number in JUDGED],
)
def test_puzzles_have_one_answer_by_sat(level: str, hide_mine: bool, number: int) -> None:
    for entry in islice(dataset.entries(level, 7, hide_mine), number):
        assert Judge(entry["question"]).has_only(answer_of(entry))
    assert not Judge(entry["question"].replace("- Card", "- No card", 1)).has_only(answer_of(entry))


def test_puzzle_with_several_placements_is_no_question(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PuzzleError, match="has no placement or several"):
        dataset.entry_of(printed_puzzles()[7], DECK)
    made = [printed_puzzles()[7], printed_puzzles()[0]]
    monkeypatch.setattr(dataset, "generate", lambda *asked: iter(made))
    assert [entry["puzzle"]["puzzle"] for entry in dataset.entries("easy", 0)] == [1]


# Scores

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
            (f"<think>{right}</think>", 0, 0),
            ("\n".join(reversed([*lines, f"2: {first}"])), 1, 0),
            ("\n".join(lines[:8]), 8 / 16, 0),
            ("\n".join(f"{lot}: {first}" for lot in range(0, 100)), 1 / 16, 0),
            ("", 0, 0),
            (7, 0, 0),
        ):
            assert [dataset.score(answer, entry), dataset.score(answer, entry, strict=True)] == expected, answer


@pytest.mark.parametrize(
    ("score", "wrong", "error", "sentence"),
    [
        (dataset.score, {}, PuzzleError, "the entry has the format None, expected 'oldtown-question'"),
        (dataset.score, {"version": "1"}, PuzzleError, "the entry has the format 'oldtown-question'"),
        (dataset.score, {"version": 2}, PuzzleError, "version 2 of oldtown-question, newer than version 1: update"),
        (score, {"version": 2}, SettingError, "version 2 of game-question, newer than version 1: update"),
    ],
)
def test_entry_of_another_format_or_a_newer_version_is_refused(
    score: Any, wrong: Any, error: Any, sentence: str
) -> None:
    about = {"format": "game-question" if error is SettingError else "oldtown-question"} if wrong else {}
    with pytest.raises(error, match=sentence):
        score("1: Bank", about | wrong)


# Commands


def run(game: Any, *words: object) -> Any:
    return CliRunner().invoke(make_app(game), " ".join(map(str, words)))


@pytest.mark.parametrize(
    ("game", "words", "made", "score"),
    [
        (OLDTOWN, "puzzles dataset --level hard", lambda: dataset.entries("hard", 7), dataset.score),
        (OLDTOWN, "questions", lambda: entries("oldtown", 7), score),
        (ODDVILLE, "questions", lambda: entries("oddville", 7), score),
    ],
)
def test_commands_write_the_same_entries_as_lines_and_as_parquet(
    game: Any, words: str, made: Any, score: Any, tmp_path: Path
) -> None:
    polars = pytest.importorskip("polars", reason="Parquet needs the extra data")
    command, expected = f"{words} --count 6 --seed 7", list(islice(made(), 6))
    for name in ("a.jsonl", "a.parquet"):
        assert re.search("6 (puzzles|questions) written", run(game, command, "--out", tmp_path / name).stderr)
    assert [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()] == expected
    assert run(game, command).stdout == (tmp_path / "a.jsonl").read_text()
    rows = polars.read_parquet(tmp_path / "a.parquet").to_dicts()
    assert rows == [row | ({"puzzle": json.dumps(row["puzzle"])} if "puzzle" in row else {}) for row in expected]
    assert all(score(row["answer"], row) == 1 for row in rows)
    if words == "questions":
        assert [(row["game"], row["kind"]) for row in rows] == [(game.name, kind) for kind in KINDS] * 2


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("puzzles dataset --level deadly", "level must be one of easy, medium, hard, not 'deadly'"),
        ("puzzles dataset --count 0", "count must be a whole number"),
        ("puzzles dataset --out puzzles.csv", "out must end in .jsonl, .jsonl.gz, .parquet, not 'puzzles.csv'"),
        ("questions --kinds odd", "the kinds must be some of legal, card, winner, not 'odd'"),
        ("questions --players 5", "players must be a whole number from 2 to 4"),
    ],
)
def test_commands_refuse_other_settings_and_write_nothing(
    words: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(OLDTOWN, words.replace(" --", " --out here.jsonl --", 1))
    assert result.exit_code != 0
    assert sentence in f"{result.output}{result.exception}"
    assert list(tmp_path.iterdir()) == []


def test_interrupted_command_keeps_the_puzzles_that_are_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def one_then_interrupted(*asked: object) -> object:
        yield {"level": "easy"}
        raise KeyboardInterrupt

    monkeypatch.setattr(puzzles, "entries", one_then_interrupted)
    assert "interrupted after 1 puzzle" in run(OLDTOWN, "puzzles dataset --out", tmp_path / "some.jsonl").stderr
    assert (tmp_path / "some.jsonl").read_text() == '{"level": "easy"}\n'
