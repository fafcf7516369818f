"""The page in a real browser. Screenshots for people lie in a folder `shots` of the checkout, if there is one."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from oddville_env import Game
from support.helpers import random_game
from support.page.live import Live
from support.page.stages import play_to
from support.page.tabs import LOOK

Tab = Callable[..., Any]
SHOTS = Path(__file__).parents[2] / "shots"
LIGHT = 300_000  # bytes
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture
def live(halls: Callable[..., Live]) -> Live:
    return halls("oddville")


def shot(visitor: Any, name: str) -> None:
    if SHOTS.is_dir():
        visitor.draw()
        visitor.page.screenshot(path=SHOTS / f"{name}.png")


def entered(live: Live, tab: Tab, *seats: str, before: str = "", **more: Any) -> Any:
    """A host in a new game with fast agents, advanced to a move of the kind `before`."""
    options = more.pop("options", {})
    made = live.make(*seats, **more)
    live.session(made).pace = 0.0
    if before:
        play_to(live, made, before)
    visitor = tab(**options).enter(live.address, made, made["keys"]["host"])
    visitor.made = made
    return visitor


def play_some(visitor: Any, moves: int) -> None:
    for _ in range(moves):
        visitor.wait_for_turn()
        if not visitor.state["over"]:
            visitor.play(visitor.best())
    visitor.wait_for_turn()


def upload(live: Live, record: dict[str, Any]) -> dict[str, Any]:
    return dict(live.http.post(f"{live.address}api/games", json={"game": "oddville", "upload": record}).json())


def test_whole_game_can_be_played_by_clicks(live: Live, tab: Tab) -> None:
    visitor = entered(live, tab, "human", "greedy", seed=3, settings={"max_rounds": 8})
    while True:
        visitor.wait_for_turn()
        if visitor.state["over"]:
            break
        visitor.play(visitor.best())
        if visitor.state["moves"] in range(24, 30):
            shot(visitor, "middle")
    shot(visitor, "end")
    words = [entry["word"] for entry in live.session(visitor.made).entries]
    assert Game(2, 3, moves=words, max_rounds=8).is_over
    assert {move.split(":")[0] for move in words} >= {"setup", "take", "buy", "build"}
    points = visitor.state["outcome"]["scores"]
    page = visitor.page.locator("main").inner_text()
    assert all(str(each) in page for each in points)


def test_game_can_be_started_in_the_lobby(live: Live, tab: Tab) -> None:
    visitor = tab()
    visitor.page.goto(live.address)
    visitor.page.get_by_text("Start the game").click()
    visitor.wait(lambda: bool(visitor.states))
    assert re.search(r"#game=[\w-]{22}&key=[\w-]{32}", visitor.page.url)
    shot(visitor, "made")


def test_record_is_replayed_to_its_end(live: Live, tab: Tab) -> None:
    game = random_game(2, 8, moves=8)
    made = upload(live, game.record())
    visitor = tab().enter(live.address, made, made["keys"]["watch"])
    visitor.page.locator('[data-key="first"]').click()
    visitor.wait(lambda: visitor.state["shown"] == 0)
    for number in range(1, 9):
        visitor.page.locator('[data-key="step-on"]').click()
        visitor.wait(lambda shown=number: visitor.state["shown"] == shown)
    assert visitor.state["position"] == game.position()
    shot(visitor, "replay")


def test_three_tabs_play_and_watch_one_game(live: Live, tab: Tab) -> None:
    made = live.make("human", "human", seed=2)
    keys = made["keys"]
    blue = tab().enter(live.address, made, keys["seats"][0])
    purple = tab().enter(live.address, made, keys["seats"][1])
    watcher = tab().enter(live.address, made, keys["watch"])
    for _ in range(2):
        turn = blue if blue.state["may"]["move"] else purple
        turn.play(turn.best())
        for other in (blue, purple, watcher):
            other.wait(lambda other=other, turn=turn: other.state["moves"] == turn.state["moves"])
    assert {entry["seat"] for entry in live.session(made).entries} == {0, 1}
    assert blue.state["position"] == purple.state["position"] == watcher.state["position"]
    assert watcher.page.locator(".lit:visible").count() == 0
    shot(watcher, "watcher")


def test_reload_during_a_game_loses_nothing(live: Live, tab: Tab) -> None:
    visitor = entered(live, tab, "human", "greedy", seed=5, before="take")
    play_some(visitor, 1)
    before = visitor.state
    visitor.states.clear()
    visitor.page.reload()
    visitor.wait(lambda: bool(visitor.states))
    assert visitor.state["position"] == before["position"]
    play_some(visitor, 1)


def test_server_restart_loses_nothing(tmp_path: Path, tab: Tab) -> None:
    live = Live(tmp_path).start()
    visitor = entered(live, tab, "human", "greedy", seed=5, before="take", options={"fresh": True})
    play_some(visitor, 1)
    before = visitor.state
    live.stop()
    visitor.page.wait_for_timeout(300)
    shot(visitor, "lost")
    visitor.states.clear()
    live = Live(tmp_path, port=live.port).start()
    visitor.wait(lambda: bool(visitor.states))
    assert visitor.state["position"] == before["position"]
    live.session(visitor.made).pace = 0.0
    play_some(visitor, 2)
    live.stop()


WHERE = """selector => {
    const from = document.activeElement;
    const to = [...document.querySelectorAll(selector)].find(e => e.getClientRects().length);
    if (from === to) return {there: true, outline: getComputedStyle(from).outlineStyle};
    const region = from.closest("[data-roving]");
    if (!to || !region || !region.contains(to)) return {there: false, way: null};
    const [a, b] = [from, to].map(e => e.getBoundingClientRect());
    const across = b.x + b.width / 2 - a.x - a.width / 2, down = b.y + b.height / 2 - a.y - a.height / 2;
    const level = Math.abs(across) > Math.abs(down);
    return {there: false, way: level ? (across > 0 ? "Right" : "Left") : (down > 0 ? "Down" : "Up")};
}"""


def go_to(visitor: Any, selector: str) -> None:
    """Walk with Tab, and with the arrows within a region, until the focus is there; it is seen."""
    for _ in range(80):
        where = visitor.page.evaluate(WHERE, selector)
        if where["there"]:
            assert where["outline"] != "none"
            return
        visitor.page.keyboard.press(f"Arrow{where['way']}" if where["way"] else "Tab")
    raise AssertionError(f"the keyboard does not get to {selector}")


def test_moves_can_be_made_by_keyboard(live: Live, tab: Tab) -> None:
    visitor = entered(live, tab, "human", "greedy", seed=5)
    for _ in range(3):
        visitor.wait_for_turn()
        moves, move = visitor.state["moves"], visitor.best()
        for spot in move["path"]:
            go_to(visitor, f'[data-touch="{spot}"]')
            visitor.page.keyboard.press("Enter")
        visitor.page.wait_for_timeout(30)
        if visitor.state["moves"] == moves and visitor.button("confirm").is_visible():
            go_to(visitor, '.action-bar [data-key="confirm"]')
            visitor.page.keyboard.press("Enter")
        visitor.wait(lambda moves=moves: visitor.state["moves"] > moves)
    shot(visitor, "keyboard")


def test_phone_shows_everything_and_plays(live: Live, tab: Tab) -> None:
    visitor = entered(live, tab, "human", "greedy", seed=5, options=PHONE)
    play_some(visitor, 3)
    wide = visitor.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= PHONE["viewport"]["width"]  # type: ignore[index]
    shot(visitor, "phone")


def test_markup_in_names_is_shown_as_text(tmp_path: Path, tab: Tab) -> None:
    name = "<img src=x onerror=1>"[:20]
    spec = "search:sims=8,weights=<img src=x onerror=alert(1)>"
    live = Live(tmp_path, offered=[spec]).start()
    visitor = tab(fresh=True)
    visitor.page.on("dialog", lambda dialog: visitor.problems.append("a script ran"))
    visitor.page.goto(live.address)
    visitor.page.wait_for_load_state("networkidle")
    made = live.make("human", spec, names=[name, None], seed=5)
    visitor.enter(live.address, made, made["keys"]["host"])
    visitor.wait(lambda: visitor.state["seats"][1]["status"] == "failed" or visitor.state["may"]["move"])
    if visitor.state["may"]["move"]:
        visitor.play(visitor.best())
    visitor.wait(lambda: visitor.state["seats"][1]["status"] == "failed")
    assert visitor.page.locator("main img").count() == 0
    assert name in visitor.page.locator("main").inner_text()
    shot(visitor, "failed")
    live.stop()


def test_visit_of_a_game_transfers_little(live: Live, tab: Tab) -> None:
    visitor = tab(fresh=True)
    made = live.make("human", "greedy", seed=5)
    visitor.enter(live.address, made, made["keys"]["host"])
    visitor.page.wait_for_load_state("networkidle")
    sizes = "performance.getEntriesByType('resource').reduce((sum, entry) => sum + entry.transferSize, 0)"
    page = visitor.page.evaluate("performance.getEntriesByType('navigation')[0].transferSize")
    assert page + visitor.page.evaluate(sizes) + visitor.received < LIGHT


def at_the_table(visitor: Any) -> Iterator[str]:
    """A table in one look after the other: as it is, on a phone, with its links, with what an agent thinks."""
    yield "game"
    visitor.page.set_viewport_size(PHONE["viewport"])
    yield "phone"
    visitor.page.set_viewport_size(LOOK["viewport"])
    visitor.page.get_by_label("Players and links").click()
    yield "links"
    visitor.page.keyboard.press("Escape")
    visitor.think()
    yield "analysis"


def faults_at_the_table(visitor: Any, axe: Any) -> dict[str, list[Any]]:
    """What axe finds in each look that has faults."""
    told = {look: visitor.axe_faults(axe) for look in at_the_table(visitor)}
    return {look: faults for look, faults in told.items() if faults}


def test_axe_finds_nothing_at_the_table(live: Live, tab: Tab) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python")
    visitor = entered(live, tab, "human", "greedy", seed=5, before="build")
    play_some(visitor, 1)
    told = faults_at_the_table(visitor, axe.Axe())
    assert told == {}, json.dumps(told, indent=1)


@pytest.mark.parametrize("where", ["lobby", "replay"])
def test_axe_finds_nothing(live: Live, tab: Tab, where: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python")
    if where == "lobby":
        visitor = tab().see_lobby(live.address)
    else:
        made = upload(live, random_game(3, 1).record())
        visitor = tab().enter(live.address, made, made["keys"]["watch"])
    told = visitor.axe_faults(axe.Axe())
    assert told == [], json.dumps(told, indent=1)


KEEP_SOCKETS = """window.sockets = []; window.WebSocket = class extends WebSocket {
    constructor(...where) { super(...where); sockets.push(this); }
}"""


def test_unknown_message_is_reported(live: Live, tab: Tab) -> None:
    visitor, told = tab(init=KEEP_SOCKETS), []
    visitor.page.on("console", lambda message: told.append(message.text))
    made = live.make("human", "greedy", seed=5)
    visitor.enter(live.address, made, made["keys"]["host"])
    visitor.page.evaluate("sockets.at(-1).onmessage({ data: JSON.stringify({ type: 'weather' }) })")
    visitor.page.locator(".note").get_by_text("weather").wait_for()
    assert any("weather" in words for words in told)
