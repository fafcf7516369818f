"""Fixtures of the web tests. Those of the page are skipped without a Chromium."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from oddville_env.core.game.game_type import game_type
from support.extras import pytest_pycollect_makemodule, pytest_runtest_call, pytest_runtest_setup  # noqa: F401
from support.page import chromium


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Any]:
    from support.page.live import serving

    yield from serving(tmp_path / "games", "oddville", "oldtown")


@pytest.fixture(scope="session")
def halls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Any]]:
    """Servers that many tests share, by what they offer: each game has keys of its own, each visitor a memory."""
    from support.page.live import Live

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
def hall(halls: Callable[..., Any]) -> Any:
    return halls("oddville", "oldtown")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    path = chromium.found()
    if path is None:
        pytest.skip(chromium.MISSING)
    with sync_playwright() as running:
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
