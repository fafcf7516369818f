"""Pixels and windows need the extra."""

import pytest


@pytest.fixture
def render_extra() -> None:
    pytest.importorskip("pygame")
    pytest.importorskip("resvg_py")


@pytest.fixture
def small_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pixels for tests that look at none: a quarter as wide, they are made in a third of the time."""
    monkeypatch.setattr("oddville_env.envs.render.WIDTH", 300)
