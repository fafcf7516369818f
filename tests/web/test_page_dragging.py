"""Things are carried to where they go, in a real browser: by mouse, by finger, and taken back."""

from collections.abc import Callable
from typing import Any

import pytest

from support.page import stages
from support.page.live import Live
from web.test_browser import PHONE, entered, shot
from web.test_page_gestures import after, chosen

Tab = Callable[..., Any]


@pytest.fixture
def live(halls: Callable[..., Live]) -> Live:
    return halls("oddville", "oldtown")


def middle(visitor: Any, spot: str) -> tuple[float, float]:
    """A point of what lies on a spot."""
    place = visitor.page.locator(f'[data-spot="{spot}"]:visible').first
    place.scroll_into_view_if_needed()
    box = place.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def carry(visitor: Any, spot: str, to: tuple[float, float] | str, drop: bool = True) -> None:
    """Take hold of what lies on a spot, go somewhere, and let go."""
    mouse = visitor.page.mouse
    mouse.move(*middle(visitor, spot))
    mouse.down()
    mouse.move(700, 300, steps=3)
    mouse.move(*(middle(visitor, to) if isinstance(to, str) else to), steps=3)
    if drop:
        mouse.up()


def targets(visitor: Any) -> set[str]:
    return set(visitor.page.eval_on_selector_all(".target", "all => all.map(one => one.dataset.spot)"))


def confirm(visitor: Any, word: str) -> None:
    """What was dropped is the move that is offered; say it."""
    moves = visitor.state["moves"]
    visitor.button("confirm").click()
    visitor.wait(lambda: visitor.state["moves"] > moves)
    entries = [entry for state in visitor.states for entry in state["list"]["entries"]]
    assert word in [entry["word"] for entry in entries]


def test_a_worker_is_carried_to_its_resource_and_a_building_to_its_cell(live: Live, tab: Tab) -> None:
    visitor = entered(live, tab, "human", "greedy", seed=5)
    setup = after(visitor, "setup")[0]
    carry(visitor, "supply:0", setup["path"][0])
    confirm(visitor, setup["word"])
    take = after(visitor, "take")[-1]
    card, resource = take["path"]
    carry(visitor, card, resource, drop=False)
    able = {spot for move in visitor.moves if card in move["path"] for spot in move["path"]} - {card}
    assert able <= targets(visitor)
    assert visitor.page.locator(".carried").count() == 1
    shot(visitor, "carried")
    visitor.page.mouse.up()
    assert visitor.page.locator(".carried, .target").count() == 0
    assert set(chosen(visitor)) >= {card, resource}
    confirm(visitor, take["word"])


def test_a_building_is_carried_to_its_cell(live: Live, tab: Tab) -> None:
    made = stages.made(live, "oddville", "middle")
    visitor = tab().enter(live.address, made, made["keys"]["seats"][0])
    build = after(visitor, "build")[0]
    carry(visitor, *build["path"], drop=False)
    shot(visitor, "carried_building")
    visitor.page.mouse.up()
    confirm(visitor, build["word"])


def test_escape_and_a_drop_elsewhere_leave_everything_as_it_was(live: Live, tab: Tab) -> None:
    visitor = entered(live, tab, "human", "greedy", seed=5, before="buy")
    card, position = after(visitor, "buy")[-1]["path"]
    visitor.spot(position).click()
    moves = visitor.state["moves"]
    for way in ("key", "elsewhere", "back"):
        carry(visitor, card, position if way == "key" else card if way == "back" else (5.0, 5.0), drop=False)
        assert visitor.page.locator(".carried").count() == 1, way
        if way == "key":
            visitor.page.keyboard.press("Escape")
        visitor.page.mouse.up()
        assert visitor.page.locator(".carried, .target").count() == 0
        assert chosen(visitor) == [position], way
    assert visitor.state["moves"] == moves
    visitor.spot(card).click()  # touching goes on as before
    assert set(chosen(visitor)) == {card, position}


def test_a_state_that_comes_meanwhile_ends_the_carrying(live: Live, tab: Tab) -> None:
    visitor = entered(live, tab, "human", "human", seed=5)
    setup = after(visitor, "setup")[0]
    carry(visitor, f"supply:{visitor.state['to_move']}", setup["path"][0], drop=False)
    session = live.session(visitor.made)
    live.change(visitor.made, "move", lambda: session.push(setup["word"]))
    visitor.wait(lambda: visitor.state["moves"] == 1)
    visitor.page.locator(".carried").wait_for(state="detached")
    visitor.page.mouse.up()
    assert len(session.entries) == 1


def test_in_old_town_buildings_cards_and_tokens_are_carried(live: Live, tab: Tab) -> None:
    made = live.make("human", "greedy", game="oldtown", seed=3)
    live.session(made).pace = 0.0
    visitor = tab().enter(live.address, made, made["keys"]["host"])
    take = after(visitor, "take")[0]
    carry(visitor, take["path"][0], "seat:0")
    confirm(visitor, take["word"])
    play = after(visitor, "play")[0]
    lot = next(place["lot"] for way in ("goes", "comes", "stands") for place in play[way])
    carry(visitor, play["path"][0], f"lot:{lot}", drop=False)
    shot(visitor, "carried_town")
    visitor.page.mouse.up()
    if not visitor.button("confirm").is_visible():
        visitor.page.locator(f'[data-word="{play["word"]}"]').click()
    confirm(visitor, play["word"])


def test_a_finger_carries_too_and_the_page_stands_still(live: Live, tab: Tab) -> None:
    visitor = entered(live, tab, "human", "greedy", seed=5, options={**PHONE, "color_scheme": "dark"}, before="take")
    take = after(visitor, "take")[-1]
    card, resource = take["path"]
    visitor.page.evaluate("scrollTo(0, 0)")
    start, end = middle(visitor, card), middle(visitor, resource)
    scrolled = visitor.page.evaluate("scrollY")
    session = visitor.page.context.new_cdp_session(visitor.page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        told = [{"x": x, "y": y} for x, y in points]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": told})

    touch("touchStart", start)
    for step in (0.1, 0.4, 0.7, 1.0):
        touch("touchMove", tuple(a + (b - a) * step for a, b in zip(start, end, strict=True)))
    shot(visitor, "carried_phone")
    assert visitor.page.locator(".carried").count() == 1
    touch("touchEnd")
    assert visitor.page.evaluate("scrollY") == scrolled
    confirm(visitor, take["word"])


@pytest.mark.parametrize("options", [{}, {**PHONE, "color_scheme": "dark"}])
def test_a_hand_that_trembles_touches(live: Live, tab: Tab, options: dict[str, Any]) -> None:
    visitor = entered(live, tab, "human", "greedy", seed=5, options=options, before="take")
    card = after(visitor, "take")[-1]["path"][0]
    session = visitor.page.context.new_cdp_session(visitor.page)
    for far in (8, 12, 18):
        x, y = middle(visitor, card)
        if options:
            for kind, by in (("touchStart", 0), ("touchMove", far / 2), ("touchMove", far)):
                told = [{"x": x + by, "y": y}]
                session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": told})
            session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        else:
            visitor.page.mouse.move(x, y)
            visitor.page.mouse.down()
            visitor.page.mouse.move(x + far, y, steps=3)
            visitor.page.mouse.up()
        visitor.wait(lambda: chosen(visitor) == [card])
        visitor.spot(card).click()
        assert chosen(visitor) == [], far
