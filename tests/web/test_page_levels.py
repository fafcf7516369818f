"""Levels that people understand, and hints that say why, in a real browser."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from oddville_agents import roster
from oddville_agents.roster import LEVELS, roster_of
from support.page.live import Live
from support.page.stages import play_to
from web.test_browser import shot

Tab = Callable[..., Any]


@pytest.fixture
def live(halls: Callable[..., Live]) -> Live:
    return halls("oddville", offered=roster_of("oddville").levels)


def test_server_lists_the_levels_on_offer(live: Live) -> None:
    (game,) = live.get("api/info").json()["games"]
    assert [each["level"] for each in game["levels"]] == list(LEVELS)
    assert {each["agent"] for each in game["levels"]} <= set(live.lobby.offered)


def test_info_is_gathered_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gathered: list[str] = []
    monkeypatch.setattr(roster, "listed", lambda game, real=roster.listed: gathered.append(game) or real(game))
    live = Live(tmp_path).start()
    first, second = (live.get("api/info").json() for _ in range(2))
    live.stop()
    assert first == second
    assert gathered == ["oddville"]


def test_info_is_preloaded(live: Live, tab: Tab) -> None:
    page = tab(fresh=True).page
    page.goto(live.address)
    page.locator("#seat-1").wait_for()
    entries = page.evaluate("performance.getEntriesByType('resource').map((one) => [one.name, one.initiatorType])")
    assert [kind for name, kind in entries if name.endswith("api/info")] == ["link"]


def test_opponent_is_named_by_its_level(live: Live, tab: Tab) -> None:
    visitor = tab()
    visitor.page.goto(live.address)
    choice = visitor.page.locator("#seat-1")
    choice.wait_for()
    assert choice.evaluate("e => e.selectedOptions[0].textContent") == "easy"
    easy = roster_of("oddville").levels[1]
    assert easy not in visitor.page.locator("main").inner_text()
    shot(visitor, "levels")
    visitor.page.get_by_text("Start the game").click()
    visitor.wait(lambda: bool(visitor.states))
    assert visitor.state["seats"][1]["agent"] == easy
    visitor.page.locator(".seat-agent").get_by_text("easy").first.wait_for()


def test_first_game_is_against_a_beginner(live: Live, tab: Tab) -> None:
    visitor = tab()
    visitor.page.goto(live.address)
    visitor.page.get_by_text("Play the guided game").click()
    visitor.wait(lambda: bool(visitor.states))
    assert visitor.state["seats"][1]["agent"] == roster_of("oddville").levels[0]


def test_agent_to_move_analyses_itself(live: Live, tab: Tab) -> None:
    made = live.make("casual:temperature=0.12", "search:sims=64", seed=5)
    live.session(made).paused = True
    visitor = tab().enter(live.address, made, made["keys"]["host"])
    visitor.page.locator("#tab-analysis").click()
    visitor.page.locator("#analyst").select_option("mover")
    visitor.page.locator('[data-key="analyse"]').click()
    agents = [visitor.state["seats"][seat]["agent"] for seat in (0, 1)]
    seen = set()
    while seen != {0, 1}:
        turn, moves = visitor.state["to_move"], visitor.state["moves"]
        visitor.page.locator(".verdict").get_by_text(agents[turn].split(":")[1]).first.wait_for()
        assert bool(visitor.page.locator(".candidate small").count()) == (turn == 1)  # visits, where it searches
        seen.add(turn)
        visitor.page.locator('[data-key="step-on"]').click()
        visitor.wait(lambda moves=moves: visitor.state["moves"] > moves)
    shot(visitor, "thinking")


def test_hint_gives_a_reason(live: Live, tab: Tab) -> None:
    made = live.make("human", "random", seed=5)
    live.session(made).pace = 0.0
    play_to(live, made, "build")
    visitor = tab().enter(live.address, made, made["keys"]["host"])
    visitor.wait_for_turn()
    visitor.play(visitor.best())
    visitor.wait_for_turn()
    visitor.button("hint").click()
    visitor.page.locator(".hint-why").wait_for()
    words = visitor.page.locator(".hint-why").inner_text()
    assert words.endswith(".")
    shot(visitor, "hint")
    visitor.button("back").click()
    assert visitor.page.locator(".hint-why").count() == 0
