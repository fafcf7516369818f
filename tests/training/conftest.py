"""A folder to work in, and a tournament that nothing disturbed."""

import os
import shutil
from pathlib import Path

import pytest

pytest.importorskip("sb3_contrib", reason="the tests of training need the extras train and tournament")
pytest.importorskip("polars", reason="the tests of training need the extras train and tournament")

import polars as pl

from oddville_training.tournament.config import TournamentConfig
from oddville_training.tournament.store.manifest import GAMES
from support.training.forked_workers import patch_starts
from support.training.tournaments import AGENTS, short
from support.training.tournaments import run as play


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with agents of one's own."""
    (tmp_path / "mine.py").write_text(AGENTS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def forked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers and sandboxes of this process are forks, which start in no time."""
    patch_starts(monkeypatch)


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tiny training run, not to be changed."""
    from oddville_training.learning.train import train
    from support.training.small_runs import TINY

    return train(TINY, tmp_path_factory.mktemp("runs") / "tiny", progress=False).parent


@pytest.fixture
def copy(run: Path, tmp_path: Path) -> Path:
    """A copy of the folder of `run`, to be changed."""
    return Path(shutil.copytree(run, tmp_path / "copy"))


def played(folder: Path, config: TournamentConfig) -> tuple[bytes, pl.DataFrame]:
    """The records and results of a tournament in an empty folder."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        Path("mine.py").write_text(AGENTS)
        rows = play("a", config)
        return (folder / "a" / GAMES).read_bytes(), rows
    finally:
        os.chdir(before)


@pytest.fixture(scope="module")
def short_whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, pl.DataFrame]:
    """What `short` comes to if nothing disturbs it."""
    return played(tmp_path_factory.mktemp("short"), short())
