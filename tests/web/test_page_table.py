"""The table, the log, levels, hints and the analysis in a real browser."""

import re
import time
from pathlib import Path

import pytest

from oddville_agents import roster
from oddville_agents.roster import LEVELS, roster_of
from oddville_env.oldtown.cards import base_deck
from support.page import stages
from support.page.live import Halls, Live, Tab
from web.test_browser import PHONE, entered, play_some

SCROLLED_TO = """one => { one.scrollIntoView({ block: "nearest" }); const box = one.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2]; }"""
LONG_ENOUGH_S = 5
LARGE_TILE = {(1366, 768): 75, (390, 844): 44}
"""The least width of a tile in the city of four players, by window."""
LIGHTNESS = """selector => {
    const drawn = document.createElement("canvas").getContext("2d");
    drawn.fillStyle = getComputedStyle(document.querySelector(selector)).backgroundColor;
    drawn.fillRect(0, 0, 1, 1);
    return drawn.getImageData(0, 0, 1, 1).data.slice(0, 3).reduce((sum, part) => sum + part) / 765;
}"""


def test_log_tells_each_turn_with_pictures_and_names_of_buildings(hall: Live, tab: Tab) -> None:
    visitor = stages.at_stage(hall, tab, "oddville", "middle", locale="de-DE")
    entries = hall.session(visitor.made).entries
    visitor.page.locator("#tab-moves").click()
    number, entry = next((n, one) for n, one in enumerate(entries, 1) if one["word"].startswith("build:"))
    card = next(event["card"] for event in entry["events"] if event["to"].startswith("cell:"))
    move = visitor.page.locator(f'.move[data-move="{number}"]')
    move.locator(f'[data-drawing="building-{card}"]').wait_for()
    assert f"Nr. {card}" in move.inner_text()
    line = visitor.page.locator(".moves .turn-line", has=move)
    turn = [one for one in entries if line.locator(f'[data-move="{one["move"]}"]').count()]
    assert {one["seat"] for one in turn} == {entry["seat"]}
    assert line.locator("p > b").inner_text() == stages.NAMES[entry["seat"]]
    before = entries[turn[0]["move"] - 2]["scores"][entry["seat"]]
    assert line.locator(".gained").inner_text() == f"+{turn[-1]['scores'][entry['seat']] - before}"
    move.hover()
    assert visitor.page.locator(f'.told[data-spot="cell:{entry["word"].split(":")[2]}"]').count() == 1
    visitor.page.mouse.move(0, 0)
    assert visitor.page.locator(".told").count() == 0


def test_log_of_old_town_tells_where_a_building_may_be(hall: Live, tab: Tab) -> None:
    visitor = stages.at_stage(hall, tab, "oldtown", "middle")
    entries = hall.session(visitor.made).entries
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


def test_city_is_cropped_to_what_stands(hall: Live, tab: Tab) -> None:
    visitor = stages.at_stage(hall, tab, "oddville", "middle")
    for (width, height), least in LARGE_TILE.items():
        visitor.page.set_viewport_size({"width": width, "height": height})
        assert visitor.page.locator(".city-card").first.bounding_box()["width"] >= least
    visitor.spot(next(m for m in visitor.moves if m["word"].startswith("build:2:"))["path"][0]).click()
    visitor.page.locator(".cell.lit").first.wait_for()
    for width, height in LARGE_TILE:
        visitor.page.set_viewport_size({"width": width, "height": height})
        city = visitor.page.locator("svg.city").bounding_box()
        for cell in visitor.page.locator(".cell.lit").all():
            box = cell.bounding_box()
            assert city["x"] <= box["x"] <= box["x"] + box["width"] <= city["x"] + city["width"]


def test_failed_agent_is_replaced_from_the_action_bar_and_markup_in_names_is_text(halls: Halls, tab: Tab) -> None:
    name, spec = "<img src=x onerror=1>"[:20], "search:sims=8,weights=<img src=x onerror=alert(1)>"
    visitor = entered(halls("oddville", offered=[spec]), tab, "human", spec, names=[name, None], seed=5)
    visitor.page.on("dialog", lambda dialog: visitor.problems.append("a script ran"))
    visitor.wait(lambda: visitor.state["may"]["move"] or visitor.state["seats"][1]["status"] == "failed")
    if visitor.state["may"]["move"]:
        visitor.play(visitor.best())
    visitor.page.locator(".prompt").get_by_text("its agent has failed").wait_for()
    assert visitor.page.locator("main img").count() == 0
    assert name in visitor.page.locator("main").inner_text()
    visitor.button("replace").click()
    visitor.wait_for_turn()
    assert visitor.state["seats"][1]["agent"] == "greedy"


def test_result_takes_the_focus_and_has_no_picture_without_a_name(hall: Live, tab: Tab) -> None:
    made = hall.make("human", "human", game="oldtown", seed=3)
    session, words = hall.session(made), stages.words_of("oldtown", 2)
    for word in words[:-1]:
        session.push(word)
    visitor = tab(**PHONE).enter(hall.address, made, made["keys"]["host"])
    hall.change(made, "move", lambda: session.push(words[-1]))
    visitor.page.locator(".result h2:focus").wait_for()
    assert visitor.page.locator('[role="img"][aria-label=""]').count() == 0


@pytest.mark.parametrize(
    ("game", "selector", "words"), [("oddville", ".prices", "By worker card"), ("oldtown", ".chip", "Card ")]
)
def test_long_press_names_things_and_does_not_touch(hall: Live, tab: Tab, game: str, selector: str, words: str) -> None:
    visitor = stages.at_stage(hall, tab, game, "middle", **PHONE)
    place = visitor.page.locator(selector).first
    told = visitor.page.locator("[role=tooltip]").get_by_text(words).first
    while not told.is_visible():  # a busy machine may still move what is pressed
        visitor.touch("Start", place.evaluate(SCROLLED_TO))
        pressed = time.monotonic()
        while not (seen := told.is_visible()) and time.monotonic() < pressed + LONG_ENOUGH_S:
            visitor.page.wait_for_timeout(50)
        visitor.touch("End")
        if seen:
            break
    assert visitor.page.locator(".chosen").count() == 0


@pytest.mark.parametrize("game", ["oddville", "oldtown"])
def test_dark_scheme_darkens_town_hand_and_lobby(hall: Live, tab: Tab, game: str) -> None:
    visitor = stages.at_stage(hall, tab, game, "middle", color_scheme="dark")
    for area in {"oddville": (".city-area",), "oldtown": (".town-area", ".chip")}[game]:
        assert visitor.page.evaluate(LIGHTNESS, area) < 0.4, area
    visitor.see_lobby(hall.address)
    assert visitor.page.evaluate(LIGHTNESS, ".hero") < 0.4


@pytest.fixture
def levels(halls: Halls) -> Live:
    return halls("oddville", offered=roster_of("oddville").levels)


def test_server_lists_its_levels_which_are_gathered_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gathered: list[str] = []
    monkeypatch.setattr(roster, "listed", lambda game, real=roster.listed: gathered.append(game) or real(game))
    live = Live(tmp_path, offered=roster_of("oddville").levels).start()
    first, second = (live.get("api/info").json() for _ in range(2))
    live.stop()
    assert (first, gathered) == (second, ["oddville"])
    (game,) = first["games"]
    assert [each["level"] for each in game["levels"]] == list(LEVELS)
    assert {each["agent"] for each in game["levels"]} <= set(live.lobby.offered)


def test_opponent_is_named_by_its_level_and_the_first_game_is_against_a_beginner(levels: Live, tab: Tab) -> None:
    visitor = tab(fresh=True)
    visitor.page.goto(levels.address)
    choice = visitor.page.locator("#seat-1")
    choice.wait_for()
    assert choice.evaluate("e => e.selectedOptions[0].textContent") == "easy"
    entries = "performance.getEntriesByType('resource').map((one) => [one.name, one.initiatorType])"
    assert [kind for name, kind in visitor.page.evaluate(entries) if name.endswith("api/info")] == ["link"]
    beginner, easy, *_ = roster_of("oddville").levels
    assert easy not in visitor.page.locator("main").inner_text()
    visitor.page.get_by_text("Start the game").click()
    visitor.page.locator(".seat-agent").get_by_text("easy").first.wait_for()
    assert re.search(r"#game=[\w-]{22}&key=[\w-]{32}", visitor.page.url)
    assert visitor.state["seats"][1]["agent"] == easy
    visitor.states.clear()
    visitor.page.goto(levels.address)
    visitor.page.get_by_text("Play the guided game").click()
    visitor.wait(lambda: bool(visitor.states))
    assert visitor.state["seats"][1]["agent"] == beginner


def test_agent_to_move_analyses_itself(levels: Live, tab: Tab) -> None:
    made = levels.make("casual:temperature=0.12", "search:sims=64", seed=5)
    levels.session(made).paused = True
    visitor = tab().enter(levels.address, made, made["keys"]["host"])
    visitor.page.locator("#tab-analysis").click()
    visitor.page.locator("#analyst").select_option("mover")
    visitor.page.locator('[data-key="analyse"]').click()
    agents, seen = [visitor.state["seats"][seat]["agent"] for seat in (0, 1)], set()
    while seen != {0, 1}:
        turn, moves = visitor.state["to_move"], visitor.state["moves"]
        visitor.page.locator(".verdict").get_by_text(agents[turn].split(":")[1]).first.wait_for()
        assert bool(visitor.page.locator(".candidate small").count()) == (turn == 1)  # visits, where it searches
        seen.add(turn)
        visitor.page.locator('[data-key="step-on"]').click()
        visitor.wait(lambda moves=moves: visitor.state["moves"] > moves)


def test_hint_gives_a_reason(levels: Live, tab: Tab) -> None:
    visitor = entered(levels, tab, "human", "random", seed=5, before="build")
    play_some(visitor, 1)
    visitor.button("hint").click()
    visitor.page.locator(".hint-why").wait_for()
    assert visitor.page.locator(".hint-why").inner_text().endswith(".")
    visitor.button("back").click()
    assert visitor.page.locator(".hint-why").count() == 0
