"""A folder to work in, and a tournament that nothing disturbed."""

import shutil
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest

from support.extras import pytest_pycollect_makemodule, pytest_runtest_call, pytest_runtest_setup  # noqa: F401


@pytest.fixture
def here(workdir: Path) -> Path:
    """A folder to work in, with agents of one's own."""
    from support.training.tournaments import AGENTS

    (workdir / "mine.py").write_text(AGENTS)
    return workdir


@pytest.fixture
def forked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers and sandboxes of this process are forks, which start in no time."""
    from support.training.forked_workers import patch_starts

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


@pytest.fixture(scope="module")
def short_whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, Any]:
    """The records and results of `short` if nothing disturbs it."""
    from oddville_training.tournament.manifest import GAMES
    from support.training.tournaments import AGENTS, run, short

    with chdir(tmp_path_factory.mktemp("short")):
        Path("mine.py").write_text(AGENTS)
        rows = run("a", short())
        return (Path("a") / GAMES).read_bytes(), rows
