"""The program in unusual terminals: a short error, and no traceback."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.helpers import random_game


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


def test_program_runs_in_any_terminal(games: Path) -> None:
    for environment in (
        {"COLUMNS": "0", "LINES": "0"},
        {"TERM": "dumb", "NO_COLOR": "1", "LC_ALL": "C", "COLUMNS": "1"},
        {"HOME": "/gone", "TMPDIR": "/gone"},
    ):
        assert ended(games, "play --terminal --seats human,random --seed 1", **environment)[0] == 0, environment


@pytest.mark.parametrize(("words", "redirect", "code", "sentence"), [
    ("simulate --agents random,random --games 1 --out -", ">&-", 1, "standard output is closed"),
    ("tables rules", ">/dev/full", 1, "No space left on device"),
    ("replay g.jsonl --positions", "| head -1", 0, '{"position": '),
    ("verify g.jsonl", ">&-", 0, ""),
])  # fmt: skip
def test_unwritable_output_is_reported(games: Path, words: str, redirect: str, code: int, sentence: str) -> None:
    found = ended(games, words, redirect)
    assert found[0] == code
    assert sentence in found[1]
