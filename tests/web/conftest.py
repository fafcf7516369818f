"""Fixtures of the web tests; without the extra `web` they are skipped."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

for needed in ("starlette", "uvicorn", "websockets", "jsonschema", "httpx"):
    pytest.importorskip(needed, reason="the page's tests need the extras web and test")

if TYPE_CHECKING:
    from live import Live


@pytest.fixture
def live(tmp_path: Path) -> "Iterator[Live]":
    """A server on loopback."""
    from live import Live

    server = Live(tmp_path / "games").start()
    yield server
    server.stop()
