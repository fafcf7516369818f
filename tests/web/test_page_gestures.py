"""Choosing, dragging, zooming, tips and the guide, in a real browser."""

from typing import Any

import pytest

from support.helpers import random_game
from support.page import stages
from support.page.live import Live, Tab
from web.test_browser import PHONE, entered, play_some

SPOTS = "all => all.map(one => one.dataset.spot)"


def chosen(visitor: Any) -> list[str]:
    return list(visitor.page.eval_on_selector_all(".chosen[data-spot]", SPOTS))


def lit(visitor: Any) -> set[str]:
    return set(visitor.page.eval_on_selector_all(".lit[data-spot]", SPOTS))


def test_choice_lights_its_targets_shows_prices_and_is_undone_step_by_step(hall: Live, tab: Tab) -> None:
    visitor = entered(hall, tab, "human", "greedy", seed=5, before="buy")
    card, position = visitor.until("buy")[-1]["path"]
    able = {spot for move in visitor.moves if card in move["path"] for spot in move["path"]} - {card}
    moves, row = visitor.state["moves"], visitor.state["table"]["row"]
    visitor.page.keyboard.press(card[-1])
    assert (chosen(visitor), lit(visitor)) == ([card], able)
    prices = visitor.page.locator(".offer .prices.single").all_inner_texts()
    assert [int(price) for price in prices] == [offer["prices"][int(card[-1]) - 1] for offer in row]
    visitor.spot(position).click()
    assert visitor.button("confirm").is_visible()
    visitor.page.keyboard.press("Escape")
    assert chosen(visitor) == [card]
    visitor.button("back").click()
    assert chosen(visitor) == []
    assert visitor.state["moves"] == moves == len(hall.session(visitor.made).entries)
    for spot in (card, position, position):  # the last one once more confirms
        visitor.spot(spot).click()
    visitor.wait(lambda: visitor.state["moves"] > moves)
    visitor.wait_for_turn()
    visitor.page.keyboard.press("u")
    visitor.wait(lambda: visitor.state["moves"] == moves)


def test_held_building_shows_its_worth_on_legal_cells(hall: Live, tab: Tab) -> None:
    game = random_game(2, 8)
    record = game.record()
    while sum(word.startswith("build:1:") for word in game.legal_moves.words()) < 3:
        game.pop()
    made = hall.upload(record)
    visitor = tab().enter(hall.address, made, f"{made['keys']['watch']}&move={len(game.moves)}")
    visitor.wait(lambda: visitor.state["shown"] == len(game.moves))
    assert lit(visitor) == set()  # no moves in a record; only what is asked about is lit
    worth = {move["path"][1]: move["worth"] for move in visitor.moves if move["word"].startswith("build:1:")}
    visitor.spot(f"held:{game.to_move}:1").click()
    cells = "all => all.map(one => [one.dataset.spot, Number(one.querySelector('text').textContent)])"
    assert dict(visitor.page.eval_on_selector_all(".cell.lit", cells)) == worth


def test_card_has_a_tip_and_every_rules_chapter_text_and_pictures(hall: Live, tab: Tab) -> None:
    visitor = entered(hall, tab, "human", "greedy", seed=5)
    visitor.page.locator(".offer-card").nth(2).hover()
    tip = visitor.page.locator("[role=tooltip]")
    tip.wait_for()
    facts = visitor.state["table"]["row"][2]
    assert f"no. {facts['card']}" in tip.inner_text()
    visitor.page.keyboard.press("Escape")
    assert not tip.is_visible()
    visitor.page.locator('[aria-label="Rules"]').click()
    chapters = visitor.page.locator(".contents .entry")
    for number in range(chapters.count() - 1):
        chapters.nth(number).click()
        assert visitor.page.locator(".chapter p").count() >= 3
        drawn = visitor.page.eval_on_selector_all(".chapter-pictures use", "all => all.map(u => u.getBBox().width)")
        assert drawn
        assert all(width > 0 for width in drawn)
    chapters.last.click()
    visitor.page.get_by_text("At most 2 held buildings").wait_for()


@pytest.mark.parametrize(("locale", "words"), [("de-DE", "Rohstoffe"), ("fr-FR", "Resources")])
def test_page_uses_the_browser_s_language_until_it_is_changed(hall: Live, tab: Tab, locale: str, words: str) -> None:
    visitor = entered(hall, tab, "human", "greedy", seed=5, options={"locale": locale})
    assert visitor.page.locator(".board-area h2").inner_text() == words
    assert visitor.page.evaluate("document.documentElement.lang") == {"Resources": "en"}.get(words, locale[:2])
    visitor.wait_for_turn()
    moves = visitor.state["moves"]
    visitor.page.locator(".doors button").last.click()
    visitor.page.locator("dialog #language").select_option("nl")
    visitor.page.get_by_text("Grondstoffen", exact=True).wait_for()
    assert visitor.state["moves"] == moves


@pytest.mark.parametrize(("game", "first", "then"), [
    ("oddville", "upper slot", "Nothing has happened yet"),
    ("oldtown", "Take two buildings of your own", "Cards with a ring"),
])  # fmt: skip
def test_guide_explains_situations_and_can_be_closed(hall: Live, tab: Tab, game: str, first: str, then: str) -> None:
    visitor = tab().see_lobby(hall.address, game)
    visitor.page.get_by_text("Play the guided game").click()
    guide = visitor.page.locator(".guide")
    guide.get_by_text("Welcome to O").wait_for()
    guide.get_by_text("Got it").click()
    guide.get_by_text(first).wait_for()
    hall.session({"id": visitor.game}).pace = 0.0
    if game == "oldtown":
        guide.get_by_text("Got it").click()
        visitor.until("play")
    else:
        visitor.wait_for_turn()
        visitor.spot(visitor.moves[0]["path"][0]).click()
    guide.get_by_text(then).wait_for()
    guide.get_by_text("No more hints").click()
    assert guide.count() == 0


AREAS = (".row-area", ".board-area", ".piles-area", ".city-area", ".own", ".others", ".action-bar", ".top")
BOXES = """all => all.map(one => document.querySelector(one).getBoundingClientRect())
    .every(box => box.x >= 0 && box.y >= 0 && box.right <= innerWidth && box.bottom <= innerHeight)"""


def test_whole_table_fits_a_laptop(hall: Live, tab: Tab) -> None:
    visitor = entered(hall, tab, "human", "greedy", "greedy", "greedy", seed=5, before="build")
    play_some(visitor, 1)
    assert visitor.page.evaluate("document.scrollingElement.scrollHeight - innerHeight") <= 0
    assert visitor.page.evaluate(BOXES, AREAS)


def middle(visitor: Any, spot: str) -> tuple[float, float]:
    """A point of what lies on a spot."""
    place = visitor.page.locator(f'[data-spot="{spot}"]:visible').first
    place.scroll_into_view_if_needed()
    box = place.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def carry(visitor: Any, spot: str, to: tuple[float, float] | str) -> None:
    """Take hold of what lies on a spot, and go somewhere."""
    mouse = visitor.page.mouse
    mouse.move(*middle(visitor, spot))
    mouse.down()
    mouse.move(700, 300, steps=3)
    mouse.move(*(middle(visitor, to) if isinstance(to, str) else to), steps=3)


def confirm(visitor: Any, word: str) -> None:
    """What was dropped is the move that is offered; say it."""
    moves = visitor.state["moves"]
    visitor.button("confirm").click()
    visitor.wait(lambda: visitor.state["moves"] > moves)
    entries = [entry for state in visitor.states for entry in state["list"]["entries"]]
    assert word in [entry["word"] for entry in entries]


@pytest.mark.parametrize(("game", "kind", "to"), [
    ("oddville", "setup", ""), ("oddville", "build", ""), ("oldtown", "take", "seat:0"), ("oldtown", "play", "lot"),
])  # fmt: skip
def test_things_are_dragged_to_where_they_go(hall: Live, tab: Tab, game: str, kind: str, to: str) -> None:
    visitor = entered(hall, tab, "human", "greedy", game=game, seed=5, before=kind)
    move = visitor.until(kind)[0]
    way = move["path"] if kind != "setup" else ["supply:0", *move["path"]]
    lots = [f"lot:{place['lot']}" for way in ("goes", "comes", "stands") for place in move.get(way, [])]
    carry(visitor, way[0], lots[0] if to == "lot" else to or way[1])
    able = {spot for other in visitor.moves if way[0] in other["path"] for spot in other["path"]} - {way[0]}
    assert able <= set(visitor.page.eval_on_selector_all(".target", SPOTS))
    assert visitor.page.locator(".carried").count() == 1
    visitor.page.mouse.up()
    assert visitor.page.locator(".carried, .target").count() == 0
    assert to or set(chosen(visitor)) >= {*move["path"]}
    if not visitor.button("confirm").is_visible():
        visitor.page.locator(f'[data-word="{move["word"]}"]').click()
    confirm(visitor, move["word"])


def test_escape_and_a_drop_elsewhere_cancel_a_drag(hall: Live, tab: Tab) -> None:
    visitor = entered(hall, tab, "human", "greedy", seed=5, before="buy")
    card, position = visitor.until("buy")[-1]["path"]
    visitor.spot(position).click()
    moves = visitor.state["moves"]
    for way in ("key", "elsewhere", "back"):
        carry(visitor, card, position if way == "key" else card if way == "back" else (5.0, 5.0))
        assert visitor.page.locator(".carried").count() == 1, way
        if way == "key":
            visitor.page.keyboard.press("Escape")
        visitor.page.mouse.up()
        assert visitor.page.locator(".carried, .target").count() == 0
        assert chosen(visitor) == [position], way
    assert visitor.state["moves"] == moves
    visitor.spot(card).click()  # touching goes on as before
    assert set(chosen(visitor)) == {card, position}


def test_new_state_cancels_a_drag(hall: Live, tab: Tab) -> None:
    visitor = entered(hall, tab, "human", "human", seed=5)
    setup, session = visitor.until("setup")[0], hall.session(visitor.made)
    carry(visitor, f"supply:{visitor.state['to_move']}", setup["path"][0])
    hall.change(visitor.made, "move", lambda: session.push(setup["word"]))
    visitor.page.locator(".carried").wait_for(state="detached")
    visitor.page.mouse.up()
    assert len(session.entries) == 1


def test_dragging_by_finger_does_not_scroll(hall: Live, tab: Tab) -> None:
    visitor = entered(hall, tab, "human", "greedy", seed=5, options={**PHONE, "color_scheme": "dark"}, before="take")
    take = visitor.until("take")[-1]
    visitor.page.evaluate("scrollTo(0, 0)")
    start, end = (middle(visitor, spot) for spot in take["path"])
    scrolled = visitor.page.evaluate("scrollY")
    visitor.touch("Start", start)
    for step in (0.1, 0.4, 0.7, 1.0):
        visitor.touch("Move", tuple(a + (b - a) * step for a, b in zip(start, end, strict=True)))
    assert visitor.page.locator(".carried").count() == 1
    visitor.touch("End")
    assert visitor.page.evaluate("scrollY") == scrolled
    confirm(visitor, take["word"])


@pytest.mark.parametrize("options", [{}, {**PHONE, "color_scheme": "dark"}])
def test_small_drag_counts_as_tap(hall: Live, tab: Tab, options: dict[str, Any]) -> None:
    visitor = entered(hall, tab, "human", "greedy", seed=5, options=options, before="take")
    card = visitor.until("take")[-1]["path"][0]
    for far in (8, 18):
        x, y = middle(visitor, card)
        if options:
            for kind, by in (("Start", 0), ("Move", far / 2), ("Move", far)):
                visitor.touch(kind, (x + by, y))
            visitor.touch("End")
        else:
            visitor.page.mouse.move(x, y)
            visitor.page.mouse.down()
            visitor.page.mouse.move(x + far, y, steps=3)
            visitor.page.mouse.up()
        visitor.wait(lambda: chosen(visitor) == [card])
        visitor.spot(card).click()
        assert chosen(visitor) == [], far


FREE = """([x, y, drawn]) => {
    for (let far = 20; far < 200; far += 10)
        for (const at of [[x - far, y], [x, y + far / 2]]) {
            const on = document.elementFromPoint(...at);
            if (on?.closest(drawn) && !on.closest("[data-touch]")) return at;
        }
}"""
"""A point of the drawing where nothing can be touched."""
CITY, TOWN = "svg.city", "svg.town"


def seen(visitor: Any, drawn: str) -> list[float]:
    """The part that is seen: left, top, width, height."""
    return [float(each) for each in visitor.page.locator(drawn).get_attribute("viewBox").split()]


def stands(visitor: Any) -> tuple[float, float]:
    return tuple(visitor.page.evaluate("[scrollY, visualViewport.scale]"))


def test_pinch_zooms_and_double_tap_resets(hall: Live, tab: Tab) -> None:
    visitor = stages.at_stage(hall, tab, "oldtown", "middle", **PHONE, color_scheme="dark")
    town = visitor.page.locator(TOWN)
    town.evaluate("one => one.scrollIntoView({ block: 'start' }) || scrollBy(0, -120)")
    box, whole = town.bounding_box(), seen(visitor, TOWN)
    x, y = box["x"] + box["width"] / 2, box["y"] + 70
    before = stands(visitor)

    def gesture(*frames: tuple[tuple[float, float], tuple[float, float]]) -> None:
        for number, frame in enumerate(frames):
            visitor.touch("Move" if number else "Start", *frame)
        visitor.touch("End")

    gesture(*[((x - far, y), (x + far, y)) for far in (30, 40, 60, 75, 90)])
    closer = seen(visitor, TOWN)
    assert closer[2] < whole[2] / 2
    gesture(*[((x - 30, y + down), (x + 30, y + down)) for down in (0, -10, -25, -40)])
    panned = seen(visitor, TOWN)
    assert panned[1] > closer[1]
    assert (panned[2], stands(visitor)) == (pytest.approx(closer[2], rel=0.02), before)
    assert visitor.page.locator(f"{TOWN} + .city-tools").is_visible()
    free = visitor.page.evaluate(FREE, [x, y, TOWN])
    visitor.page.touchscreen.tap(*free)
    assert seen(visitor, TOWN) == panned
    visitor.page.touchscreen.tap(*free)
    visitor.wait(lambda: seen(visitor, TOWN) == whole)
    assert stands(visitor) == before


def test_control_wheel_zooms_the_drawing_not_the_page(hall: Live, tab: Tab) -> None:
    visitor = stages.at_stage(hall, tab, "oddville", "middle")
    whole, page = seen(visitor, CITY), visitor.page
    before = [*stands(visitor), page.evaluate("devicePixelRatio")]
    page.locator(CITY).hover(force=True)
    page.keyboard.down("Control")
    for _ in range(3):
        page.mouse.wheel(0, -100)
    visitor.wait(lambda: seen(visitor, CITY)[2] < 0.6 * whole[2])
    page.keyboard.up("Control")
    assert [*stands(visitor), page.evaluate("devicePixelRatio")] == before
    tools, zoomed = page.locator(f"{CITY} + .city-tools button"), seen(visitor, CITY)[2]
    tools.first.click()
    visitor.wait(lambda: seen(visitor, CITY)[2] < zoomed)
    tools.last.click()
    visitor.wait(lambda: seen(visitor, CITY) == whole)
