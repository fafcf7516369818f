"""Clocks on the page, in a real browser whose time goes on when the test says so."""

from collections.abc import Callable
from typing import Any

import pytest

from support.page.live import Live
from web.test_browser import PHONE, shot

Tab = Callable[..., Any]
CLOCKS = "all => all.map(one => one.textContent)"


@pytest.fixture
def live(halls: Callable[..., Live]) -> Live:
    return halls("oddville")


def clocks(visitor: Any) -> list[str]:
    """What stands on all clocks."""
    return list(visitor.page.eval_on_selector_all(".clock .clock-time", CLOCKS))


def begun(live: Live, tab: Tab) -> tuple[Any, Any, Any]:
    """A game by the clock: its host, the guest whom it invited, and the server's session."""
    host = tab(fresh=True)
    host.page.clock.install()
    host.page.goto(live.address)
    assert not host.page.locator("#clock").is_visible()
    host.page.locator("#seat-1").select_option("human")
    host.page.locator("#clock").select_option("fischer")
    host.page.locator("#minutes").fill("3")
    host.page.get_by_text("Start the game").click()
    host.wait(lambda: bool(host.states))
    ident = host.page.url.split("game=")[1].split("&")[0]
    made = {"id": ident, "keys": live.lobby.awake_room(ident).session.keys}
    guest = tab(viewport=PHONE["viewport"], color_scheme="dark", locale="de-DE")
    guest.page.goto(f"{live.address}#game={ident}&key={made['keys'].seats[1]}")
    guest.page.get_by_text("Uhr: 3 Minuten für jeden, 20 Sekunden mehr je Zug").wait_for()
    guest.page.locator('[data-key="accept"]').click()
    guest.wait(lambda: bool(guest.states))
    return host, guest, live.session(made)


def play_until(tabs: list[Any], reached: Callable[[], bool]) -> None:
    """Who is to move plays, and both see it."""
    while not reached():
        mover = tabs[tabs[0].state["to_move"]]
        mover.wait_for_turn()
        moves = mover.state["moves"]
        mover.play(mover.best())
        for each in tabs:
            each.wait(lambda each=each, moves=moves: each.state["moves"] > moves)


def test_a_clock_is_chosen_seen_by_all_and_told_when_it_is_low_and_over(live: Live, tab: Tab) -> None:
    host, guest, session = begun(live, tab)
    tabs = [host, guest]
    terms = {"total": 180, "increment": 20, "agent": "greedy"}
    assert host.state["clock"] == {**terms, "left": [180, 180], "runs": None, "ended": []}
    play_until(tabs, lambda: host.state["clock"]["runs"] is not None)
    for each in tabs:
        assert len(clocks(each)) == 2
    shot(guest, "clock")
    play_until(tabs, lambda: host.state["to_move"] == 0 and host.state["clock"]["runs"] == 0)
    left = host.state["clock"]["left"][0]
    host.page.clock.run_for(int((left - 59) * 1000))
    host.page.get_by_role("alert").get_by_text("You have 60 seconds left.").wait_for()
    host.page.clock.run_for(10_000)
    assert host.page.get_by_role("alert").get_by_text("seconds left").count() == 0
    host.page.clock.run_for(20_000)
    host.page.get_by_role("alert").get_by_text("You have 30 seconds left.").wait_for()
    assert host.page.locator(".clock.low.runs").count() == 1
    session.clock.left[0] = 0.0
    guest.page.evaluate("location.reload()")  # whoever comes has the server look at its clock
    guest.page.locator('.table[aria-busy="false"]').wait_for()
    host.page.get_by_role("alert").get_by_text("The time of Blue is over: an agent plays on (medium).").wait_for()
    assert session.seats[0].agent == "greedy"


def test_a_number_that_is_hidden_does_not_keep_a_game_from_beginning(live: Live, tab: Tab) -> None:
    host = tab()
    host.page.goto(live.address)
    host.page.locator("#seat-1").select_option("human")
    host.page.locator("#clock").select_option("simple")
    host.page.locator("#minutes").fill("1.5")
    host.page.locator("#clock").select_option("none")
    host.page.get_by_text("Start the game").click()
    host.wait(lambda: bool(host.states))
    assert host.state["clock"] is None
