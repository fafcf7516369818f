"""What hands do on the page: choose, take back, read, look closer, listen to the guide. In a real browser."""

from collections.abc import Callable
from typing import Any

import pytest

from support.helpers import random_game
from support.page.live import Live
from web.test_browser import PHONE, entered, play_some, upload

Tab = Callable[..., Any]


@pytest.fixture
def live(halls: Callable[..., Live]) -> Live:
    return halls("oddville")


def chosen(visitor: Any) -> list[str]:
    """The spots that are marked as chosen."""
    found: list[str] = visitor.page.eval_on_selector_all(
        ".chosen[data-spot]", "all => all.map(one => one.dataset.spot)"
    )
    return found


def lit(visitor: Any) -> set[str]:
    """The spots that are lit."""
    return set(visitor.page.eval_on_selector_all(".lit[data-spot]", "all => all.map(one => one.dataset.spot)"))


def after(visitor: Any, kind: str, moves: int = 60) -> list[dict[str, Any]]:
    """The visitor plays until a kind of move is legal; those moves."""
    for _ in range(moves):
        visitor.wait_for_turn()
        found = [move for group in visitor.state["legal"] if group["kind"] == kind for move in group["moves"]]
        if found:
            visitor.page.wait_for_timeout(50)
            return found
        visitor.play(visitor.best())
    raise AssertionError(f"no {kind} in {moves} moves")


def test_a_worker_card_lights_up_what_it_can_do(live: Live, tab: Tab) -> None:
    visitor = entered(live, tab, "human", "greedy", seed=5, before="take")
    takes = after(visitor, "take")
    card = takes[-1]["path"][0]
    able = {spot for move in visitor.moves if card in move["path"] for spot in move["path"]} - {card}
    visitor.spot(card).click()
    assert chosen(visitor) == [card]
    assert lit(visitor) == able


def test_the_row_shows_the_price_for_the_chosen_worker(live: Live, tab: Tab) -> None:
    visitor = entered(live, tab, "human", "greedy", seed=5, before="buy")
    after(visitor, "buy")
    visitor.page.keyboard.press("4")
    prices = visitor.page.locator(".offer .prices.single").all_inner_texts()
    assert [int(price) for price in prices] == [offer["prices"][3] for offer in visitor.state["table"]["row"]]


def test_a_choice_is_taken_back_step_by_step_and_nothing_was_played(live: Live, tab: Tab) -> None:
    visitor = entered(live, tab, "human", "greedy", seed=5, before="buy")
    card, position = after(visitor, "buy")[-1]["path"]
    moves = visitor.state["moves"]
    visitor.spot(position).click()
    visitor.spot(card).click()
    assert visitor.button("confirm").is_visible()
    visitor.page.keyboard.press("Escape")
    assert chosen(visitor) == [position]
    visitor.button("back").click()
    assert chosen(visitor) == []
    assert visitor.state["moves"] == moves == len(live.session(visitor.made).entries)


def test_a_held_building_shows_its_worth_on_every_legal_cell(live: Live, tab: Tab) -> None:
    game = random_game(2, 8)
    record = game.record()
    while sum(word.startswith("build:1:") for word in game.legal_moves.words()) < 3:
        game.pop()
    made = upload(live, record)
    visitor = tab().enter(live.address, made, f"{made['keys']['watch']}&move={len(game.moves)}")
    visitor.wait(lambda: visitor.state["shown"] == len(game.moves))
    assert lit(visitor) == set()  # nobody may move in a record; what is asked about is lit
    worth = {move["path"][1]: move["worth"] for move in visitor.moves if move["word"].startswith("build:1:")}
    visitor.spot(f"held:{game.to_move}:1").click()
    cells = "all => all.map(one => [one.dataset.spot, Number(one.querySelector('text').textContent)])"
    assert dict(visitor.page.eval_on_selector_all(".cell.lit", cells)) == worth


def test_touching_the_last_spot_again_confirms(live: Live, tab: Tab) -> None:
    visitor = entered(live, tab, "human", "greedy", seed=5)
    for spot in after(visitor, "setup")[0]["path"] * 2:
        visitor.spot(spot).click()
    visitor.wait(lambda: visitor.state["moves"] > 0)


def test_undo_takes_back_to_the_own_decision(live: Live, tab: Tab) -> None:
    visitor = entered(live, tab, "human", "greedy", seed=5, before="build")
    moves, position = visitor.state["moves"], visitor.state["position"]
    visitor.play(visitor.best())
    visitor.wait_for_turn()
    visitor.page.keyboard.press("u")
    visitor.wait(lambda: visitor.state["moves"] == moves)
    assert visitor.state["position"] == position


def test_a_card_tells_what_it_is_on_hover_and_on_focus(live: Live, tab: Tab) -> None:
    visitor = entered(live, tab, "human", "greedy", seed=5)
    card = visitor.page.locator(".offer-card").nth(2)
    card.hover()
    tip = visitor.page.locator("[role=tooltip]")
    tip.wait_for()
    facts = visitor.state["table"]["row"][2]
    assert f"no. {facts['card']}" in tip.inner_text()
    visitor.page.keyboard.press("Escape")
    assert not tip.is_visible()


def test_a_long_press_tells_and_does_not_touch(live: Live, tab: Tab) -> None:
    visitor = entered(live, tab, "human", "greedy", seed=5, options=PHONE)
    visitor.wait_for_turn()
    box = visitor.page.locator(".piles .pile").first.bounding_box()
    session = visitor.page.context.new_cdp_session(visitor.page)
    point = {"x": box["x"] + 20, "y": box["y"] + 10}
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    visitor.page.locator("[role=tooltip]").wait_for()
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert chosen(visitor) == []


COUNT_GHOSTS = """window.ghosts = 0; new MutationObserver(all => all.forEach(one => one.addedNodes.forEach(
    node => window.ghosts += node.classList?.contains('ghost') ? 1 : 0)))
    .observe(document.body, {childList: true, subtree: true})"""


@pytest.mark.parametrize(("wish", "flies"), [("reduce", False), ("no-preference", True)])
def test_movement_is_shown_but_not_to_those_who_ask_for_less(live: Live, tab: Tab, wish: str, flies: bool) -> None:
    visitor = entered(live, tab, "human", "greedy", seed=5, options={"reduced_motion": wish})
    visitor.wait_for_turn()
    visitor.page.locator('.table[aria-busy="false"]').wait_for()
    visitor.page.evaluate(COUNT_GHOSTS)
    visitor.play(visitor.best())
    visitor.page.wait_for_timeout(100)
    visitor.page.locator('.table[aria-busy="false"]').wait_for()
    assert (visitor.page.evaluate("window.ghosts") > 0) == flies


@pytest.mark.parametrize(
    ("locale", "words"), [("de-DE", "Rohstoffe"), ("nl-NL", "Grondstoffen"), ("fr-FR", "Resources")]
)
def test_the_page_speaks_the_visitor_s_language(live: Live, tab: Tab, locale: str, words: str) -> None:
    visitor = entered(live, tab, "human", "greedy", seed=5, options={"locale": locale})
    assert visitor.page.locator(".board-area h2").inner_text() == words
    assert visitor.page.evaluate("document.documentElement.lang") == {"Resources": "en"}.get(words, locale[:2])


def test_another_language_is_spoken_in_the_middle_of_a_game(live: Live, tab: Tab) -> None:
    visitor = entered(live, tab, "human", "greedy", seed=5)
    visitor.wait_for_turn()
    moves = visitor.state["moves"]
    visitor.page.locator('[aria-label="Settings"]').click()
    visitor.page.locator("dialog #language").select_option("nl")
    visitor.page.get_by_text("Grondstoffen", exact=True).wait_for()
    visitor.wait_for_turn()
    assert visitor.state["moves"] == moves


def test_the_guide_explains_what_comes_up_and_can_be_sent_away(live: Live, tab: Tab) -> None:
    visitor = tab()
    guide = visitor.enter_guided(live.address, "Welcome to OddVille")
    guide.get_by_text("upper slot").wait_for()
    visitor.wait_for_turn()
    visitor.spot(visitor.moves[0]["path"][0]).click()
    guide.get_by_text("Nothing has happened yet").wait_for()
    guide.get_by_text("No more hints").click()
    assert guide.count() == 0


AREAS = (".row-area", ".board-area", ".piles-area", ".city-area", ".own", ".others", ".action-bar", ".top")


def test_the_whole_table_is_seen_at_once_on_a_laptop(live: Live, tab: Tab) -> None:
    visitor = entered(live, tab, "human", "greedy", "greedy", "greedy", seed=5, before="build")
    play_some(visitor, 1)
    assert visitor.page.evaluate("document.scrollingElement.scrollHeight - innerHeight") <= 0
    for area in AREAS:
        box = visitor.page.locator(area).first.bounding_box()
        assert box["y"] >= 0
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 1366
        assert box["y"] + box["height"] <= 768, area


def test_the_city_can_be_looked_at_closer_and_fitted_again(live: Live, tab: Tab) -> None:
    visitor = entered(live, tab, "human", "greedy", seed=5)
    city = visitor.page.locator("svg.city")
    before = city.get_attribute("viewBox")
    visitor.page.locator('[aria-label="Closer"]').click()
    closer = city.get_attribute("viewBox")
    assert float(closer.split()[2]) < float(before.split()[2])
    visitor.page.locator('[aria-label="Show the whole city"]').click()
    assert city.get_attribute("viewBox") == before


def test_every_chapter_of_the_rules_has_words_and_pictures(live: Live, tab: Tab) -> None:
    visitor = entered(live, tab, "human", "greedy", seed=5)
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


def test_the_search_s_candidates_are_shown_and_warm_the_cells(live: Live, tab: Tab) -> None:
    record = random_game(2, 8).record()
    made = upload(live, record)
    number = next(place for place, word in enumerate(record["moves"]) if word.startswith("build"))
    visitor = tab()
    visitor.enter(live.address, made, f"{made['keys']['host']}&move={number}")
    visitor.wait(lambda: visitor.state["shown"] == number)
    visitor.page.locator("#tab-analysis").click()
    visitor.page.locator('[data-key="analyse"]').click()
    visitor.page.locator(".candidate").first.wait_for()
    assert visitor.page.locator(".candidate .badge").count() == 1
    assert visitor.page.locator(".warmth rect").count() > 0


def test_the_result_tells_where_points_came_from(live: Live, tab: Tab) -> None:
    record = random_game(3, 4).record()
    made = upload(live, record)
    visitor = tab().enter(live.address, made, made["keys"]["watch"])
    visitor.page.locator(".result").wait_for()
    shown = visitor.page.locator(".result-seat > b").all_inner_texts()
    assert sorted(map(int, shown)) == sorted(record["scores"])
    assert visitor.page.locator(".result-seat .source").count() >= len(shown)
