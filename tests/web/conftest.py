"""Fixtures of the web tests. Without the extra `web`, and for the page without a Chromium, they are skipped."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

for needed in ("starlette", "uvicorn", "websockets", "jsonschema", "httpx"):
    pytest.importorskip(needed, reason="the page's tests need the extras web and test")

import chromium  # noqa: E402
from live import Live  # noqa: E402

from oddville_env.core.game_type import game_type  # noqa: E402


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    """A server on loopback."""
    server = Live(tmp_path / "games").start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def halls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Live]]:
    """Servers that many tests share, by what they offer: each game has keys of its own, each visitor a memory."""
    opened: dict[tuple[str, ...], Live] = {}

    def hall(*games: str, offered: Sequence[str] = ()) -> Live:
        if (*games, *offered) not in opened:
            types = [game_type(game) for game in games]
            opened[*games, *offered] = Live(tmp_path_factory.mktemp("games"), games=types, offered=offered).start()
        return opened[*games, *offered]

    yield hall
    for server in opened.values():
        server.stop()


@pytest.fixture
def hall(halls: Callable[..., Live]) -> Live:
    """A server of both games that visitors share."""
    return halls("oddville", "oldtown")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """The system's Chromium."""
    playwright = pytest.importorskip("playwright.sync_api", reason="tests in a browser need playwright: the extra test")
    path = chromium.found()
    if path is None:
        pytest.skip(chromium.MISSING)
    with playwright.sync_playwright() as running:
        opened = running.chromium.launch(executable_path=path, args=chromium.ARGUMENTS)
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
