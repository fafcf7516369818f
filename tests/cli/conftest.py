"""The program, run in this process."""

import json
from functools import partial
from pathlib import Path

import pytest

from oddville_env import cli
from support.helpers import random_game
from support.program import Run, runner


@pytest.fixture
def programs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], workdir: Path) -> dict[str, Run]:
    """Both programs by name, run in this process in a folder of its own."""
    entries = {"oddville": cli.main, "oldtown": cli.oldtown}
    return {name: runner(name, entry, monkeypatch, capsys) for name, entry in entries.items()}


@pytest.fixture
def run(programs: dict[str, Run]) -> Run:
    return programs["oddville"]


@pytest.fixture
def oldtown(programs: dict[str, Run]) -> Run:
    return programs["oldtown"]


@pytest.fixture(scope="session")
def three_records() -> str:
    """The lines of three records, the last one unfinished."""
    played = [random_game(2, 1), random_game(3, 2), random_game(4, 3, moves=50)]
    return "".join(json.dumps(game.record()) + "\n" for game in played)


@pytest.fixture
def games(tmp_path: Path, three_records: str) -> Path:
    file = tmp_path / "games.jsonl"
    file.write_text(three_records)
    return file


@pytest.fixture
def train(run: Run) -> Run:
    return partial(run, "train", "--folder", "run")


@pytest.fixture
def selfplay(run: Run) -> Run:
    return partial(run, "selfplay", "--folder", "run")
