"""Fixtures of the web tests. Without the extra `web`, and for the page without a Chromium, they are skipped."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

for needed in ("starlette", "uvicorn", "websockets", "jsonschema", "httpx", "fastjsonschema"):
    pytest.importorskip(needed, reason="the page's tests need the extras web and test")

from oddville_env.core.game.game_type import game_type  # noqa: E402
from support.page import chromium  # noqa: E402
from support.page.live import Live, serving  # noqa: E402


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    yield from serving(tmp_path / "games", "oddville", "oldtown")


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
    return halls("oddville", "oldtown")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="tests in a browser need playwright: the extra test")
    path = chromium.found()
    if path is None:
        pytest.skip(chromium.MISSING)
    with playwright.sync_playwright() as running:
        opened = running.chromium.launch(executable_path=path, args=chromium.ARGUMENTS)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def tabs(browser: Any) -> Any:
    from support.page.tabs import Tabs

    return Tabs(browser)


@pytest.fixture
def tab(tabs: Any, request: pytest.FixtureRequest) -> Iterator[Callable[..., Any]]:
    """Opens tabs, each a visitor of its own; what goes wrong in one fails the test."""
    failed, visitors = request.session.testsfailed, []

    def opened(**options: Any) -> Any:
        visitors.append(tabs.open(**options))
        return visitors[-1]

    yield opened
    problems = [problem for visitor in visitors for problem in visitor.problems]
    for visitor in visitors:
        tabs.leave(visitor, well=not problems and request.session.testsfailed == failed)
    assert problems == []
