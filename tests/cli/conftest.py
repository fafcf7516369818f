"""The program, run in this process."""

import json
from functools import cache, partial
from pathlib import Path

import pytest

from oddville_env.cli import main
from support.helpers import random_game
from support.program import Run, runner


@pytest.fixture
def run(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Run:
    """Run the program in this process, in a folder of its own, with these words behind its name.

    It is `oddville`, or the module's PROGRAM: its name and what it runs.
    """
    monkeypatch.chdir(tmp_path)
    name, entry = getattr(request.module, "PROGRAM", ("oddville", main))
    return runner(name, entry, monkeypatch, capsys)


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A file with three records, the last one unfinished."""
    file = tmp_path / "games.jsonl"
    file.write_text(three_records())
    return file


@cache
def three_records() -> str:
    """What stands in it."""
    played = [random_game(2, 1), random_game(3, 2), random_game(4, 3, moves=50)]
    return "".join(json.dumps(game.record()) + "\n" for game in played)


@pytest.fixture
def train(run: Run) -> Run:
    """Run `train --folder run` with these words."""
    return partial(run, "train", "--folder", "run")


@pytest.fixture
def selfplay(run: Run) -> Run:
    """Run `selfplay --folder run` with these words."""
    return partial(run, "selfplay", "--folder", "run")
