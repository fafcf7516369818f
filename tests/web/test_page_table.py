"""The table, the log and the analysis in a real browser: what is told, how large it is shown, what can be replaced."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from oddville_env.oldtown.cards import base_deck
from support.page import stages
from support.page.live import Live
from web.test_browser import PHONE, entered, shot

Tab = Callable[..., Any]
LONG_ENOUGH_S = 5
LARGE_TILE = {(1366, 768): 75, (390, 844): 44}
"""The least width of a tile in the city of four players, by window."""
LIGHTNESS = """selector => {
    const drawn = document.createElement("canvas").getContext("2d");
    drawn.fillStyle = getComputedStyle(document.querySelector(selector)).backgroundColor;
    drawn.fillRect(0, 0, 1, 1);
    return drawn.getImageData(0, 0, 1, 1).data.slice(0, 3).reduce((sum, part) => sum + part) / 765;
}"""
NAMES = {"en": "building no. {}", "de": "Nr. {}", "nl": "nr. {}"}


@pytest.fixture
def live(halls: Callable[..., Live]) -> Live:
    return halls("oddville", "oldtown")


def at_stage(live: Live, tab: Tab, game: str, stage: str, **options: Any) -> Any:
    made = stages.made(live, game, stage)
    visitor = tab(**options).enter(live.address, made, made["keys"]["seats"][0])
    visitor.made = made
    return visitor


@pytest.mark.parametrize("language", NAMES)
def test_log_tells_each_turn_with_pictures_and_names_of_buildings(live: Live, tab: Tab, language: str) -> None:
    visitor = at_stage(live, tab, "oddville", "middle", locale=f"{language}-{language.upper()}")
    entries = live.session(visitor.made).entries
    visitor.page.locator("#tab-moves").click()
    number, entry = next((n, one) for n, one in enumerate(entries, 1) if one["word"].startswith("build:"))
    card = next(event["card"] for event in entry["events"] if event["to"].startswith("cell:"))
    move = visitor.page.locator(f'.move[data-move="{number}"]')
    move.locator(f'[data-drawing="building-{card}"]').wait_for()
    assert NAMES[language].format(card) in move.inner_text()
    line = visitor.page.locator(".moves .turn-line", has=move)
    turn = [one for one in entries if line.locator(f'[data-move="{one["move"]}"]').count()]
    assert {one["seat"] for one in turn} == {entry["seat"]}
    assert line.locator("p > b").inner_text() == stages.NAMES[entry["seat"]]
    before = entries[turn[0]["move"] - 2]["scores"][entry["seat"]]
    assert line.locator(".gained").inner_text() == f"+{turn[-1]['scores'][entry['seat']] - before}"
    move.hover()
    cell = ",".join(map(str, entry["word"].split(":")[2].split(",")))
    assert visitor.page.locator(f'.told[data-spot="cell:{cell}"]').count() == 1
    visitor.page.mouse.move(0, 0)
    assert visitor.page.locator(".told").count() == 0


def test_log_of_old_town_tells_where_a_building_may_be(live: Live, tab: Tab) -> None:
    visitor = at_stage(live, tab, "oldtown", "middle")
    entries = live.session(visitor.made).entries
    visitor.page.locator("#tab-moves").click()
    entry = next(one for one in entries if any(each["to"].startswith("token:") for each in one["events"]))
    told = visitor.page.locator(f'.move[data-move="{entry["move"]}"]')
    names = {building.key: building.name for building in base_deck().buildings}
    came = [each for each in entry["events"] if each["to"].startswith("token:")]
    assert f"the {names[came[0]['building']]} may be on lot" in told.inner_text()
    told.hover()
    lots = {f"lot:{each['to'].split('@')[1]}" for each in came}
    lit = visitor.page.eval_on_selector_all(".told", "all => all.map(one => one.dataset.spot)")
    assert lots <= set(lit)


@pytest.mark.parametrize("size", LARGE_TILE)
def test_city_is_cropped_to_what_stands(live: Live, tab: Tab, size: tuple[int, int]) -> None:
    visitor = at_stage(live, tab, "oddville", "middle", viewport=dict(zip(("width", "height"), size, strict=True)))
    for stage in ("shown", "chosen"):
        box = visitor.page.locator(".city-card").first.bounding_box()
        assert box["width"] >= (LARGE_TILE[size] if stage == "shown" else 0)
        if stage == "shown":
            visitor.spot(next(m for m in visitor.moves if m["word"].startswith("build:2:"))["path"][0]).click()
            visitor.page.locator(".cell.lit").first.wait_for()
    city = visitor.page.locator("svg.city").bounding_box()
    for cell in visitor.page.locator(".cell.lit").all():
        box = cell.bounding_box()
        assert box["x"] >= city["x"]
        assert box["x"] + box["width"] <= city["x"] + city["width"]


def test_failed_agent_is_replaced_from_the_action_bar(tmp_path: Path, tab: Tab) -> None:
    spec = "search:sims=8,weights=missing"
    live = Live(tmp_path, offered=[spec]).start()
    visitor = entered(live, tab, "human", spec, seed=5, options={"fresh": True})
    visitor.wait(lambda: visitor.state["may"]["move"] or visitor.state["seats"][1]["status"] == "failed")
    if visitor.state["may"]["move"]:
        visitor.play(visitor.best())
    visitor.wait(lambda: visitor.state["seats"][1]["status"] == "failed")
    visitor.page.locator(".prompt").get_by_text("its agent has failed").wait_for()
    visitor.button("replace").click()
    visitor.wait_for_turn()
    assert visitor.state["seats"][1]["agent"] == "greedy"
    live.stop()


def test_move_cannot_be_confirmed_while_the_connection_is_lost(tmp_path: Path, tab: Tab) -> None:
    live = Live(tmp_path).start()
    visitor = entered(live, tab, "human", "greedy", seed=5, options={"fresh": True})
    visitor.wait_for_turn()
    visitor.spot(visitor.best()["path"][0]).click()
    confirm = visitor.button("confirm")
    assert confirm.is_enabled()
    live.stop()
    visitor.wait(confirm.is_disabled)
    live = Live(tmp_path, port=live.port).start()
    visitor.wait(confirm.is_enabled)
    live.stop()


def test_host_is_offered_a_link_for_a_covered_hand_and_is_not_told_to_pass_the_screen(live: Live, tab: Tab) -> None:
    made = live.make("human", "human", game="oldtown", seed=3, names=["Ann", "Bob"])
    visitor = tab().enter(live.address, made, made["keys"]["host"])
    company = visitor.page.locator(".company")
    company.get_by_text("It is Ann's turn").wait_for()
    assert "Pass" not in company.inner_text()
    company.get_by_text("Send Ann a link").click()
    visitor.page.locator("dialog .copy").first.wait_for()


def test_result_takes_the_focus_and_has_no_picture_without_a_name(live: Live, tab: Tab) -> None:
    made = live.make("human", "human", game="oldtown", seed=3)
    session = live.session(made)
    words = stages.words_of("oldtown", 2)
    for word in words[:-1]:
        session.push(word)
    visitor = tab(**PHONE).enter(live.address, made, made["keys"]["host"])
    live.change(made, "move", lambda: session.push(words[-1]))
    visitor.page.locator(".result h2:focus").wait_for()
    assert visitor.page.locator('[role="img"][aria-label=""]').count() == 0


@pytest.mark.parametrize(
    ("game", "selector", "words"), [("oddville", ".prices", "By worker card"), ("oldtown", ".chip", "Card ")]
)
def test_long_press_names_things(live: Live, tab: Tab, game: str, selector: str, words: str) -> None:
    visitor = at_stage(live, tab, game, "middle", **PHONE)
    place = visitor.page.locator(selector).first
    told = visitor.page.locator("[role=tooltip]").get_by_text(words).first
    session = visitor.page.context.new_cdp_session(visitor.page)
    while not told.is_visible():  # a busy machine may still move what is pressed
        place.scroll_into_view_if_needed()
        box = place.bounding_box()
        point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
        pressed = time.monotonic()
        while not told.is_visible() and time.monotonic() < pressed + LONG_ENOUGH_S:
            visitor.page.wait_for_timeout(50)
        seen = told.is_visible()
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        if seen:
            break


@pytest.mark.parametrize(
    ("game", "area"), [("oddville", ".city-area"), ("oldtown", ".town-area"), ("oldtown", ".chip")]
)
def test_dark_scheme_darkens_town_and_hand(live: Live, tab: Tab, game: str, area: str) -> None:
    visitor = at_stage(live, tab, game, "middle", color_scheme="dark")
    assert visitor.page.evaluate(LIGHTNESS, area) < 0.4
    shot(visitor, f"dark-{game}")


def test_dark_scheme_darkens_the_first_screen(live: Live, tab: Tab) -> None:
    visitor = tab(color_scheme="dark").see_lobby(live.address)
    assert visitor.page.evaluate(LIGHTNESS, ".hero") < 0.4
