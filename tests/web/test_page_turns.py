"""A word when it is one's turn, in a real browser: title, sound and notification, as the visitor wishes."""

from collections.abc import Callable
from typing import Any

import pytest

from support.page.live import Live

Tab = Callable[..., Any]
LISTEN = """window.told = [];
window.Notification = class { constructor(title, more) { told.push(`${title}: ${more.body}`); }
    static permission = "granted"; static async requestPermission() { return "granted"; } };
const own = window.AudioContext;
window.AudioContext = class extends own { constructor() { super(); told.push("sound"); } };
Object.defineProperty(document, "hidden", { get: () => Boolean(window.away), configurable: true });"""

REFUSE = """() => {
    window.Notification = class { constructor() { throw new TypeError(); }
        static permission = "granted"; static async requestPermission() { return "granted"; } };
    window.AudioContext = class { constructor() { throw new TypeError(); } };
}"""


@pytest.fixture
def live(halls: Callable[..., Live]) -> Live:
    return halls("oddville")


def pair(live: Live, tab: Tab) -> tuple[Any, Any]:
    """Who is to move, and who waits."""
    made = live.make("human", "human", seed=2)
    tabs = []
    for key in made["keys"]["seats"]:
        tabs.append(tab(init=LISTEN))
        tabs[-1].enter(live.address, made, key)
    mover = next(each for each in tabs if each.state["may"]["move"])
    return mover, tabs[1 - tabs.index(mover)]


def told(visitor: Any) -> list[str]:
    return list(visitor.page.evaluate("told"))


def switch(visitor: Any, setting: str) -> None:
    """Turn one of the settings on, or off."""
    visitor.page.get_by_label("Settings").click()
    visitor.page.get_by_label(setting).click()
    visitor.page.keyboard.press("Escape")


def play_turn(visitor: Any) -> None:
    """Play on until somebody else is to move."""
    while visitor.state["may"]["move"]:
        visitor.play(visitor.best())


def test_who_waits_is_told_by_title_and_sound_and_elsewhere_by_a_notification(live: Live, tab: Tab) -> None:
    mover, waiter = pair(live, tab)
    assert "your turn" in mover.page.title()
    assert waiter.page.title() == "OddVille"
    assert told(mover) == []
    switch(waiter, "A notification when")
    waiter.page.evaluate("window.away = true")
    play_turn(mover)
    waiter.wait(lambda: "your turn" in waiter.page.title())
    assert told(waiter) == ["sound", "OddVille: your turn"]
    assert told(mover) == []


def test_a_silent_visitor_hears_nothing(live: Live, tab: Tab) -> None:
    mover, waiter = pair(live, tab)
    switch(waiter, "A sound when")
    play_turn(mover)
    waiter.wait(lambda: "your turn" in waiter.page.title())
    assert told(waiter) == []


def test_a_browser_that_refuses_sounds_and_notifications_after_all_shows_the_game(live: Live, tab: Tab) -> None:
    """Chrome on Android permits notifications, and then raises for every one that a page makes."""
    mover, waiter = pair(live, tab)
    waiter.page.evaluate(REFUSE)
    switch(waiter, "A notification when")
    waiter.page.evaluate("window.away = true")
    play_turn(mover)
    waiter.wait_for_turn()
    waiter.play(waiter.best())
