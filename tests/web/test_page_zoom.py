"""The city and the town are looked at closer by fingers and wheel, and nothing else of the page moves by it."""

from collections.abc import Callable
from typing import Any

import pytest

from support.page import stages
from support.page.live import Live
from web.test_browser import PHONE, shot

Tab = Callable[..., Any]
Point = tuple[float, float]
DRAWN = {"oddville": "svg.city", "oldtown": "svg.town"}
FREE = """([x, y, drawn]) => {
    for (let far = 20; far < 200; far += 10)
        for (const at of [[x - far, y], [x, y + far / 2]]) {
            const on = document.elementFromPoint(...at);
            if (on?.closest(drawn) && !on.closest("[data-touch]")) return at;
        }
}"""
"""A point of the drawing where nothing can be touched."""


@pytest.fixture
def live(halls: Callable[..., Live]) -> Live:
    return halls("oddville", "oldtown")


def seen(visitor: Any, drawn: str) -> list[float]:
    """The part that is seen: left, top, width, height."""
    return [float(each) for each in visitor.page.locator(drawn).get_attribute("viewBox").split()]


def stands(visitor: Any) -> tuple[float, float]:
    """How far the page is scrolled, and zoomed."""
    return tuple(visitor.page.evaluate("[scrollY, visualViewport.scale]"))


def place(visitor: Any, drawn: str) -> dict[str, float]:
    """The drawing in the window, well away from what lies above and below."""
    visitor.page.locator(drawn).evaluate("one => one.scrollIntoView({ block: 'start' }) || scrollBy(0, -120)")
    return dict(visitor.page.locator(drawn).bounding_box())


@pytest.mark.parametrize("game", DRAWN)
def test_two_fingers_zoom_and_pan_and_a_double_tap_shows_all(live: Live, tab: Tab, game: str) -> None:
    made, drawn = stages.made(live, game, "middle"), DRAWN[game]
    visitor = tab(**PHONE, color_scheme="dark").enter(live.address, made, made["keys"]["seats"][0])
    box, whole = place(visitor, drawn), seen(visitor, drawn)
    x, y = box["x"] + box["width"] / 2, box["y"] + 70
    before = stands(visitor)
    session = visitor.page.context.new_cdp_session(visitor.page)

    def touch(kind: str, *points: Point) -> None:
        told = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": told})

    def gesture(*frames: tuple[Point, Point]) -> None:
        touch("touchStart", *frames[0])
        for frame in frames[1:]:
            touch("touchMove", *frame)
        touch("touchEnd")

    gesture(*[((x - far, y), (x + far, y)) for far in (30, 40, 60, 75, 90)])
    closer = seen(visitor, drawn)
    assert closer[2] < whole[2] / 2
    gesture(*[((x - 30, y + down), (x + 30, y + down)) for down in (0, -10, -25, -40)])
    panned = seen(visitor, drawn)
    assert panned[1] > closer[1]
    assert panned[2] == pytest.approx(closer[2], rel=0.02)
    assert stands(visitor) == before
    shot(visitor, f"zoomed_{game}")
    tools = visitor.page.locator(f"{drawn} + .city-tools")
    assert tools.is_visible()
    free = visitor.page.evaluate(FREE, [x, y, drawn])
    visitor.page.touchscreen.tap(*free)
    assert seen(visitor, drawn) == panned
    visitor.page.touchscreen.tap(*free)
    visitor.wait(lambda: seen(visitor, drawn) == whole)
    assert stands(visitor) == before


@pytest.mark.parametrize("game", DRAWN)
def test_the_wheel_with_control_zooms_the_drawing_and_not_the_page(live: Live, tab: Tab, game: str) -> None:
    made, drawn = stages.made(live, game, "middle"), DRAWN[game]
    visitor = tab().enter(live.address, made, made["keys"]["seats"][0])
    box, whole, page = visitor.page.locator(drawn).bounding_box(), seen(visitor, drawn), visitor.page
    before = [*stands(visitor), page.evaluate("devicePixelRatio")]
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.keyboard.down("Control")
    for _ in range(3):
        page.mouse.wheel(0, -100)
    visitor.wait(lambda: seen(visitor, drawn)[2] < 0.6 * whole[2])
    page.keyboard.up("Control")
    assert [*stands(visitor), page.evaluate("devicePixelRatio")] == before
    shot(visitor, f"closer_{game}")
    page.locator(f"{drawn} + .city-tools button").last.click()
    visitor.wait(lambda: seen(visitor, drawn) == whole)
