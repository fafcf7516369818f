"""Fixtures of the web tests. Without the extra `web`, and for the page without a Chromium, they are skipped."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

for needed in ("starlette", "uvicorn", "websockets", "jsonschema", "httpx", "fastjsonschema"):
    pytest.importorskip(needed, reason="the page's tests need the extras web and test")

import chromium  # noqa: E402
from live import Live  # noqa: E402


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    """A server on loopback."""
    server = Live(tmp_path / "games").start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """The system's Chromium."""
    playwright = pytest.importorskip("playwright.sync_api", reason="tests in a browser need playwright: the extra test")
    path = chromium.found()
    if path is None:
        pytest.skip(chromium.MISSING)
    with playwright.sync_playwright() as running:
        opened = running.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def tab(browser: Any) -> Iterator[Callable[..., Any]]:
    """Opens tabs, each a visitor of its own; what goes wrong in one fails the test."""
    from visitor import Visitor

    visitors: list[Visitor] = []

    def opened(**options: Any) -> Visitor:
        context = browser.new_context(
            **{"viewport": {"width": 1366, "height": 768}, "reduced_motion": "reduce", **options}
        )
        context.set_default_timeout(10_000)
        visitors.append(Visitor(context.new_page()))
        return visitors[-1]

    yield opened
    for visitor in visitors:
        visitor.page.context.close()
    assert [problem for visitor in visitors for problem in visitor.problems] == []
