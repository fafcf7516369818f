"""Bad arguments of public functions, and unusual terminals: a short error, and no traceback."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from oddville_env import (
    Game,
    GameError,
    OddVilleSelfPlayEnv,
    OldTown,
    OldTownSolo,
    OldTownSoloEnv,
    load_cards,
    load_deck,
)
from oddville_env.core.parts.entries import count_lines
from support.helpers import random_game

LONGEST = 1000  # characters of an error
LONG = "x" * 1_000_000
MOVES = [LONG, f"build:{LONG}@1", "play:" + "1" * 10**6, "", True, None, 5.5, b"x", -1, 10**30, [], {}, object()]
PATHS = [None, 0, b"x", True, [], float("nan"), "", ".", "/", "\0", LONG, "gone/deep", "/dev/null"]
PUZZLES = [True, "1", 1.0, [], 0, 9, 10**30, {}, {"puzzle": 1}, {"a": None}, LONG]
NUMBERS = [-1, 10**30, None, True, "2", 0.5, float("nan")]
RECORD = {
    "format": "oldtown-solo-record",
    "version": 1,
    "puzzle": OldTownSolo(1).puzzle.plain(),
    "mistakes": 3,
    "moves": [],
}
CHANGES = [{"moves": 5}, {"moves": [None]}, {"moves": LONG}, {"mistakes": None}, {"puzzle": None}, {"score": LONG},
           {"puzzle": RECORD["puzzle"] | {"level": LONG}}]  # fmt: skip


def cases() -> Iterator[tuple[str, Callable[[], object], str]]:
    """Name, call and a word of the error of everything that is refused."""
    for path in PATHS:
        for load in (load_cards, load_deck):
            yield load.__name__, partial(load, path), ""
    for puzzle in PUZZLES:
        for make in (OldTownSolo, OldTownSoloEnv):
            yield make.__name__, partial(make, puzzle), ""
    for record in [None, 5, "x", [], {}, *(RECORD | change for change in CHANGES)]:
        yield "from_record", partial(OldTownSolo.from_record, record), ""
    for number in NUMBERS:
        for name in ("num_envs", "threads"):
            yield name, partial(OddVilleSelfPlayEnv, **{"num_envs": 2, name: number}), name
        yield "depth", partial(count_lines, Game(2, 1), number), "depth must be a whole number"
    for game in (Game(2, 1), OldTown(3, 1)):
        yield "encoding", partial(game.observe, 0, LONG), "encoding"


CASES = [pytest.param(call, word, id=f"{number}-{name}") for number, (name, call, word) in enumerate(cases())]


def refused(call: Callable[[], object]) -> str:
    with pytest.raises(GameError) as error:
        call()
    assert len(str(error.value)) < LONGEST
    return str(error.value)


@pytest.mark.parametrize(("call", "word"), CASES)
def test_bad_arguments_are_refused_with_a_short_error(call: Callable[[], object], word: str) -> None:
    assert word in refused(call)


@pytest.mark.parametrize("move", MOVES, ids=lambda move: f"{type(move).__name__} {str(move)[:8]}")
@pytest.mark.parametrize("make", [lambda: Game(2, 1), lambda: OldTown(3, 1), lambda: OldTownSolo(1)])
def test_invalid_moves_are_refused_and_change_nothing(make: Any, move: Any) -> None:
    game = make()
    refused(lambda: game.push(move))
    assert game.moves == []


def test_evaluation_needs_a_list_of_opponents() -> None:
    evaluate = pytest.importorskip("oddville_training.tournament.evaluate").evaluate
    for against, word in (([], "at least one agent"), *((wrong, "against must be a list") for wrong in (None, "x", 5))):
        assert word in refused(lambda against=against: evaluate("random", against=against, games=2))


# The program in a shell


@pytest.fixture
def games(tmp_path: Path) -> Path:
    (tmp_path / "g.jsonl").write_text(json.dumps(random_game(2, 1, moves=12).record()) + "\n")
    return tmp_path


def ended(folder: Path, words: str, redirect: str = "", **environment: str) -> tuple[int, str]:
    """The exit code and the output of the program."""
    line = f'"{sys.executable}" -m oddville_env {words} {redirect}'
    done = subprocess.run(
        ["/bin/sh", "-c", line], cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True,
        stdin=subprocess.DEVNULL, errors="replace",
    )  # fmt: skip
    assert "Traceback" not in done.stdout + done.stderr
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    "environment",
    [{"COLUMNS": "1"}, {"COLUMNS": "0", "LINES": "0"}, {"TERM": "dumb", "NO_COLOR": "1"}, {"LC_ALL": "C"},
     {"HOME": "/gone", "TMPDIR": "/gone"}],
    ids=str,
)  # fmt: skip
def test_program_runs_in_any_terminal(games: Path, environment: dict[str, str]) -> None:
    assert ended(games, "play --terminal --seats human,random --seed 1", **environment)[0] == 0


@pytest.mark.parametrize(
    ("words", "redirect", "code", "sentence"),
    [
        ("simulate --agents random,random --games 1 --out -", ">&-", 1, "standard output is closed"),
        ("tables rules", ">/dev/full", 1, "No space left on device"),
        ("replay g.jsonl --positions", "| head -1", 0, '{"position": '),
        ("verify g.jsonl", ">&-", 0, ""),
    ],
)
def test_output_that_cannot_be_written_is_reported(
    games: Path, words: str, redirect: str, code: int, sentence: str
) -> None:
    found = ended(games, words, redirect)
    assert found[0] == code
    assert sentence in found[1]
