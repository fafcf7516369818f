"""Whatever is asked of commands and public functions, they answer in a short sentence."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from oddville_env import (
    Game,
    GameError,
    OddVilleSeatVectorEnv,
    OddVilleSelfPlayEnv,
    OldTown,
    OldTownSolo,
    OldTownSoloEnv,
    SettingError,
    load_cards,
    load_deck,
)
from oddville_env.core.parts.perft import count_lines
from support.helpers import random_game

LONGEST = 1000  # characters of a sentence
LONG = "x" * 1_000_000
NO_MOVES = [LONG, f"take:{LONG}", f"build:{LONG}@1", ":" * 10**6, "play:" + "1" * 10**6, "", True, None, 5.5, b"x", -1,
            10**30, [], {}, float("nan"), object()]  # fmt: skip


def sentence(work: Callable[[], object]) -> str:
    with pytest.raises(GameError) as error:
        work()
    assert len(str(error.value)) < LONGEST
    return str(error.value)


@pytest.mark.parametrize("move", NO_MOVES, ids=lambda move: f"{type(move).__name__} {str(move)[:8]}")
@pytest.mark.parametrize("make", [lambda: Game(2, 1), lambda: OldTown(3, 1), lambda: OldTownSolo(1)])
def test_what_is_no_move_is_refused_and_changes_nothing(make: Any, move: Any) -> None:
    game = make()
    sentence(lambda: game.push(move))
    assert game.moves == []


@pytest.mark.parametrize(
    "path", [None, 0, b"x", True, [], float("nan"), "", ".", "/", "\0", LONG, "gone/deep", "/dev/null"]
)
@pytest.mark.parametrize("load", [load_cards, load_deck])
def test_what_is_no_card_set_is_refused(load: Any, path: Any) -> None:
    sentence(lambda: load(path))


@pytest.mark.parametrize(
    "puzzle", [True, None, "1", 1.0, [], 0, 9, 10**30, {}, {"puzzle": 1}, {"a": None}, LONG], ids=str
)
def test_what_is_no_puzzle_is_refused(puzzle: Any) -> None:
    sentence(lambda: OldTownSolo(puzzle))
    if puzzle is not None:
        sentence(lambda: OldTownSoloEnv(puzzle))


PLAIN = {
    "format": "oldtown-solo-record",
    "version": 1,
    "puzzle": OldTownSolo(1).puzzle.plain(),
    "mistakes": 3,
    "moves": [],
}


@pytest.mark.parametrize(
    "record",
    [None, 5, "x", [], {}, PLAIN | {"moves": 5}, PLAIN | {"moves": [None]}, PLAIN | {"moves": LONG},
     PLAIN | {"mistakes": None}, PLAIN | {"puzzle": None}, PLAIN | {"puzzle": PLAIN["puzzle"] | {"level": LONG}},
     PLAIN | {"score": LONG}],
    ids=lambda record: str(record)[-30:],
)  # fmt: skip
def test_what_is_no_record_of_a_puzzle_is_refused(record: Any) -> None:
    sentence(lambda: OldTownSolo.from_record(record))


@pytest.mark.parametrize("number", [0, -1, 10**30, True, None, "2", 1.5, float("nan")], ids=repr)
@pytest.mark.parametrize("name", ["num_envs", "threads"])
def test_invalid_numbers_of_games_and_threads_are_refused(number: Any, name: str) -> None:
    for make in (OddVilleSelfPlayEnv, lambda **words: OddVilleSeatVectorEnv(opponents="random", **words)):
        assert name in sentence(lambda make=make: make(**{"num_envs": 2, name: number}))


@pytest.mark.parametrize("depth", [-1, 10**9, None, True, "2", 0.5], ids=repr)
def test_lines_are_counted_to_a_depth_that_is_a_whole_number(depth: Any) -> None:
    with pytest.raises(SettingError, match="depth must be a whole number"):
        count_lines(Game(2, 1), depth)


def test_long_encoding_name_is_cut_in_the_error() -> None:
    for game in (Game(2, 1), OldTown(3, 1)):
        sentence(lambda game=game: game.observe(0, LONG))


def test_evaluation_needs_opponents() -> None:
    evaluate = pytest.importorskip("oddville_training.tournament.evaluate").evaluate
    assert "at least one agent" in sentence(lambda: evaluate("random", against=[], games=2))
    for wrong in (None, "random", 5):
        assert "against must be a list" in sentence(lambda wrong=wrong: evaluate("random", against=wrong, games=2))


# The machine


@pytest.fixture
def games(tmp_path: Path) -> Path:
    (tmp_path / "g.jsonl").write_text(json.dumps(random_game(2, 1, moves=12).record()) + "\n")
    return tmp_path


def said(folder: Path, words: str, redirect: str = "", **environment: str) -> tuple[int, str]:
    """How a program ends that a shell runs, and all that it says."""
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
    assert said(games, "play --terminal --seats human,random --seed 1", **environment)[0] == 0


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
    ended, told = said(games, words, redirect)
    assert ended == code
    assert sentence in told


def test_arrays_of_an_action_of_any_kind_are_refused() -> None:
    env = OddVilleSelfPlayEnv(2)
    env.reset(seed=1)
    for actions in (np.array(["a", "b"]), np.array([True, False]), None, [[0], [0, 1]], np.full(2, 10**6)):
        sentence(lambda actions=actions: env.step(actions))
