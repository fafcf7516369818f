"""Pixels and windows need the extra."""

import pytest


@pytest.fixture
def render_extra() -> None:
    """Skip where the extra is not installed."""
    pytest.importorskip("pygame")
    pytest.importorskip("resvg_py")
