"""Fixtures of all tests. Windows are off-screen, and Ctrl-C works in background shells."""

import gc
import os
import signal
from pathlib import Path

import pytest

from support import scenario as positions

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("OMP_NUM_THREADS", "1")  # workers fill the cores; more threads wait for each other
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell starts what runs in the background like this
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    """Collect garbage less often and skip imported objects, which saves 6 % of the time."""
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)


@pytest.fixture
def scenario() -> positions.Scenario:
    return positions.scenario


@pytest.fixture
def workdir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is the working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Two empty folders for kernels, in the order of their use."""
    from oddville_env.core.compiled import cache as kernel_cache

    found = [tmp_path / "first", tmp_path / "second"]
    monkeypatch.setattr(kernel_cache, "folders", lambda: found)
    monkeypatch.setattr(kernel_cache, "_failed", set())
    return found
