"""Locks on folders."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("filelock", reason="folders of runs need the extra train or tournament")

from oddville_env.core.disk.locks import alone_in
from oddville_env.core.errors import GameError

AT_WORK = """
import sys
from pathlib import Path
from oddville_env.core.errors import GameError
from oddville_env.core.disk.locks import alone_in

with alone_in(Path("run"), GameError):
    Path("run", "kept").touch()
    print("works", flush=True)
    sys.stdin.readline()
"""


class BusyError(GameError):
    """The error of some kind of runs."""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def another_process() -> "subprocess.Popen[str]":
    other = subprocess.Popen([sys.executable, "-c", AT_WORK], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert other.stdout is not None
    assert other.stdout.readline() == "works\n"
    return other


def test_folder_is_locked_against_other_processes() -> None:
    other = another_process()
    with (
        pytest.raises(BusyError, match=r"^another process is at work in run: wait for it, or end it$"),
        alone_in(Path("run"), BusyError),
    ):
        raise AssertionError
    other.communicate("\n", timeout=60)
    assert other.returncode == 0
    assert [path.name for path in Path("run").iterdir()] == ["kept"]


def test_lock_is_released_when_its_process_is_killed() -> None:
    other = another_process()
    other.kill()
    other.wait()
    with alone_in(Path("run"), BusyError):
        pass
    assert [path.name for path in Path("run").iterdir()] == ["kept"]


def test_empty_folder_is_removed_after_an_error() -> None:
    with pytest.raises(KeyboardInterrupt), alone_in(Path("runs/new"), BusyError):
        raise KeyboardInterrupt
    assert not Path("runs").exists()
