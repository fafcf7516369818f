"""Missed moves in a real browser: replayed, or listed."""

from collections.abc import Callable
from typing import Any

import pytest

from oddville_env.web.sessions.company import UndoRequest
from support.page.live import Live
from web.test_browser import PHONE, play_some, shot

Tab = Callable[..., Any]
AWAY = """document.away = false; Object.defineProperty(document, "hidden", { get: () => document.away });
window.look = (away) => { document.away = away; document.dispatchEvent(new Event("visibilitychange")); };"""
HELD = """window.comes = null; const send = WebSocket.prototype.send; WebSocket.prototype.send = function (said) {
    if (said.includes('"go"') && !comes) comes = () => send.call(this, said);
    else send.call(this, said); }; 0"""
"""The first moment that is asked for comes when the test says so."""
HASTE = """window.hasty = false; window.waits = [];
const every = window.setInterval, animate = Element.prototype.animate;
window.setInterval = (work, wait) => {
    let ticks = 0; waits.push(wait); return every(() => hasty || ++ticks % 20 === 0 ? work() : 0, wait / 20); };
Element.prototype.animate = function (...how) {
    const shown = animate.apply(this, how); if (hasty) shown.finish(); return shown; };"""
"""From `hasty = true` on, the rest of a replay runs fast."""
MOVES = 3
FAST_MS = 700  # for a move


MOVING = {"reduced_motion": "no-preference"}


def left_alone(hall: Live, tab: Tab, **options: Any) -> Any:
    """A user with a hidden tab, while some moves are played."""
    made = hall.make("human", "human", seed=2)
    visitor = tab(init=AWAY + HASTE, **options)
    visitor.enter(hall.address, made, made["keys"]["seats"][0])
    visitor.made = made
    visitor.page.evaluate("look(true)")
    play_on(hall, visitor)
    return visitor


def play_on(hall: Live, visitor: Any) -> None:
    """Moves are played that the user does not see."""
    end = visitor.state["moves"] + MOVES
    hall.play_until(visitor.made, lambda: hall.session(visitor.made).moves == end)
    visitor.wait(lambda: visitor.state["moves"] == end)
    visitor.page.locator('.table[aria-busy="false"]').wait_for()


def prefer(visitor: Any, speed: str) -> None:
    """Come back with this speed for missed moves."""
    visitor.page.evaluate(f"localStorage.setItem('oddville.preferences', JSON.stringify({{replay: '{speed}'}}))")
    visitor.page.reload()


def shown(visitor: Any) -> list[int]:
    """The moments that were looked at."""
    return [state["shown"] for state in visitor.states if state["reason"] == "go"]


def test_missed_moves_are_replayed_in_order_at_the_chosen_speed(hall: Live, tab: Tab) -> None:
    visitor = left_alone(hall, tab, **MOVING)
    prefer(visitor, "fast")
    visitor.page.locator(".missed").get_by_text("Since you looked: 3 moves.").wait_for()
    assert visitor.page.evaluate("waits.at(-1)") == FAST_MS
    visitor.page.evaluate("hasty = true")
    visitor.wait(lambda: visitor.state["newest"] and visitor.state["reason"] == "go")
    assert shown(visitor) == list(range(MOVES + 1))
    moved = [state for state in visitor.states if state["reason"] == "go" and state["events"]]
    assert len(moved) == MOVES
    visitor.page.locator(".missed").wait_for(state="hidden")
    visitor.page.reload()
    visitor.wait(lambda: visitor.state["reason"] == "enter")
    visitor.page.wait_for_timeout(100)
    assert visitor.page.locator(".missed:visible").count() == 0  # once is enough


def test_moves_during_a_hidden_tab_are_replayed_and_can_be_skipped(hall: Live, tab: Tab) -> None:
    visitor = left_alone(hall, tab, **MOVING)
    for skip in ("button", "key", "touch"):
        visitor.page.evaluate("look(false)")
        visitor.page.locator(".missed [data-key=skip]").wait_for()
        visitor.wait(lambda: not visitor.state["newest"])
        shot(visitor, "missed")
        if skip == "button":
            visitor.page.locator(".missed [data-key=skip]").click()
        elif skip == "key":
            visitor.page.keyboard.press("Escape")
        else:
            visitor.page.locator(".own .worker").first.click(force=True)
        visitor.wait(lambda: visitor.state["newest"])
        visitor.page.locator(".missed").wait_for(state="hidden")
        visitor.page.evaluate("look(true)")
        if skip != "touch":
            play_on(hall, visitor)


@pytest.mark.parametrize("options", [{}, {**PHONE, "color_scheme": "dark", "reduced_motion": "reduce"}])
def test_missed_moves_are_a_list_with_reduced_motion(hall: Live, tab: Tab, options: dict[str, Any]) -> None:
    visitor = left_alone(hall, tab, **options)
    visitor.page.evaluate("look(false)")
    visitor.page.locator(".missed-moves li").nth(MOVES - 1).wait_for()
    assert shown(visitor) == []
    shot(visitor, f"missed_list_{len(options)}")
    visitor.page.locator("[data-key=got-missed]").click()
    assert visitor.page.locator(".missed:visible").count() == 0


def test_nothing_is_replayed_if_switched_off_or_seen(hall: Live, tab: Tab) -> None:
    visitor = left_alone(hall, tab, **MOVING)
    prefer(visitor, "off")
    visitor.page.locator('.table[aria-busy="false"]').wait_for()
    assert visitor.page.locator(".missed:visible").count() == 0
    alone = hall.make("human", "greedy", seed=5)
    hall.session(alone).pace = 0.0
    seer = tab().enter(hall.address, alone, alone["keys"]["host"])
    play_some(seer, 2)
    assert shown(seer) == []
    assert seer.page.locator(".missed:visible").count() == 0


def test_early_move_does_not_end_the_replay(hall: Live, tab: Tab) -> None:
    visitor = left_alone(hall, tab, **MOVING)
    visitor.page.evaluate(HELD)
    visitor.page.evaluate("look(false)")
    hall.play_until(visitor.made, lambda: hall.session(visitor.made).moves == MOVES + 1)
    visitor.wait(lambda: visitor.state["moves"] == MOVES + 1)
    visitor.page.evaluate("comes()")
    visitor.page.locator(".missed [data-key=skip]").wait_for()
    visitor.page.evaluate("hasty = true")
    visitor.page.locator(".missed").wait_for(state="hidden")
    assert visitor.state["newest"]
    assert shown(visitor) == list(range(MOVES + 2))


def test_replay_ends_when_its_moves_are_undone(hall: Live, tab: Tab) -> None:
    visitor = left_alone(hall, tab, **MOVING)
    visitor.page.evaluate("look(false)")
    visitor.page.locator(".missed [data-key=skip]").wait_for()
    session = hall.session(visitor.made)
    session.asked = UndoRequest([0], 0, set())
    hall.change(visitor.made, "undo", session._undo_if_agreed)
    visitor.page.locator(".missed").wait_for(state="hidden")
    visitor.wait(lambda: visitor.state["newest"])
    hall.play_until(visitor.made, lambda: session.moves == 2)
    visitor.wait(lambda: visitor.state["moves"] == 2)
    assert visitor.state["newest"]


def test_missed_moves_are_a_list_while_the_own_clock_runs(hall: Live, tab: Tab) -> None:
    made = hall.make("human", "human", seed=2, clock={"total": 600, "increment": 0})
    other = tab().enter(hall.address, made, made["keys"]["seats"][1])
    visitor = tab(init=AWAY + HASTE, **MOVING)
    visitor.enter(hall.address, made, made["keys"]["seats"][0])
    visitor.page.evaluate("look(true)")
    session = hall.session(made)
    hall.play_until(made, lambda: session.clock.runs == 0)
    visitor.wait(lambda: visitor.state["moves"] == session.moves)
    visitor.page.evaluate("look(false)")
    visitor.page.locator(".missed-moves li").first.wait_for()
    assert shown(visitor) == []
    visitor.page.keyboard.press("[")
    visitor.page.get_by_text("It is your turn now.").wait_for()
    assert "your turn" in visitor.page.title()
    assert "your turn" not in other.page.title()


@pytest.mark.parametrize("way", ["touch", "button"])
def test_list_is_closed_by_touch_and_button(hall: Live, tab: Tab, way: str) -> None:
    """A touch still counts; after the button the focus is back on the table."""
    visitor = left_alone(hall, tab)
    session = hall.session(visitor.made)
    hall.play_until(visitor.made, lambda: session.game.to_move == 0)
    visitor.wait(lambda: visitor.state["may"]["move"])
    visitor.page.evaluate("look(false)")
    visitor.page.locator(".missed-moves li").first.wait_for()
    visitor.page.locator('[role="log"]').get_by_text("Since you looked").wait_for()
    if way == "touch":
        visitor.spot(visitor.moves[-1]["path"][0]).click()
        assert visitor.button("back").is_visible() or visitor.button("confirm").is_visible()
    else:
        visitor.page.locator("[data-key=got-missed]").focus()
        visitor.page.keyboard.press("Enter")
        assert visitor.page.evaluate("document.activeElement.closest('.table') !== null")
    visitor.page.locator(".missed").wait_for(state="hidden")


def test_new_moves_are_announced_once_while_looking_back(hall: Live, tab: Tab) -> None:
    visitor = left_alone(hall, tab)
    visitor.page.evaluate("look(false)")
    visitor.page.keyboard.press("Escape")
    moment = visitor.page.locator("#moment")
    visitor.page.keyboard.press("[")
    visitor.wait(lambda: moment.input_value() == str(MOVES - 1))
    play_on(hall, visitor)
    visitor.wait(lambda: moment.get_attribute("max") == str(2 * MOVES))
    heard = visitor.page.locator('[role="log"] p').all_inner_texts()[-MOVES:]
    assert len(set(heard)) > MOVES // 2  # not the move that is looked at, again and again
    for number in range(MOVES, 2 * MOVES + 1):
        visitor.page.keyboard.press("]")
        visitor.wait(lambda number=number: moment.input_value() == str(number))
    visitor.page.locator('.table[aria-busy="false"]').wait_for()
    assert visitor.page.locator(".missed:visible").count() == 0


def test_moves_seen_in_another_tab_are_not_replayed(hall: Live, tab: Tab) -> None:
    visitor = left_alone(hall, tab)
    visitor.page.evaluate("""localStorage.setItem("oddville.seen", JSON.stringify(Object.fromEntries(
        Object.keys(JSON.parse(localStorage.getItem("oddville.seen"))).map(key => [key, 3]))))""")
    visitor.page.evaluate("look(false)")
    assert visitor.page.locator(".missed:visible").count() == 0


def test_replay_stays_visible_in_a_low_window(hall: Live, tab: Tab) -> None:
    low = {**PHONE, "viewport": {"width": 844, "height": 390}}
    visitor = left_alone(hall, tab, **MOVING, **low)
    prefer(visitor, "fast")
    visitor.page.evaluate("scrollTo(0, 300)")
    bar = visitor.page.locator(".missed:visible")
    bar.wait_for()
    assert 0 <= bar.bounding_box()["y"] < 300
    assert visitor.page.locator("#speed").input_value() == "2"
    visitor.page.evaluate("hasty = true")
    bar.wait_for(state="detached")
    assert visitor.page.locator("#speed").input_value() == "1"
