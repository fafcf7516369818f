"""Games of both kinds in a real browser. A folder `shots` of the checkout, if there is one, gets screenshots."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from oddville_env import Game, OldTown
from support.helpers import random_game
from support.page.live import Live
from support.page.stages import play_to, words_of
from support.page.tabs import LOOK

Tab = Callable[..., Any]
SHOTS = Path(__file__).parents[2] / "shots"
LIGHT = 300_000  # bytes
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
GAMES = {"oddville": Game, "oldtown": OldTown}
MOVES_LEFT = 22
"""Moves at the end of a game of Old Town in which the second player makes every kind of move."""


def shot(visitor: Any, name: str) -> None:
    if SHOTS.is_dir():
        visitor.draw()
        visitor.page.screenshot(path=SHOTS / f"{name}.png")


def entered(hall: Live, tab: Tab, *seats: str, before: str = "", left: int | None = None, **more: Any) -> Any:
    """A host in a new game with fast agents, at a move of the kind `before`, or where `left` moves are left."""
    options, number = more.pop("options", {}), len(seats)
    made = hall.make(*seats, **more)
    session = hall.session(made)
    session.pace = 0.0
    if before:
        play_to(hall, made, before)
    for word in words_of(more["game"], number, more["seed"])[:-left] if left else ():
        session.push(word)
    visitor = tab(**options).enter(hall.address, made, made["keys"]["host"])
    visitor.made = made
    return visitor


def play_some(visitor: Any, moves: int) -> None:
    for _ in range(moves):
        visitor.wait_for_turn()
        if not visitor.state["over"]:
            visitor.play_best()
    visitor.wait_for_turn()


def upload(hall: Live, record: dict[str, Any], game: str = "oddville") -> dict[str, Any]:
    return dict(hall.http.post(f"{hall.address}api/games", json={"game": game, "upload": record}).json())


WHOLE: dict[str, dict[str, Any]] = {"oddville": {"settings": {"max_rounds": 8}}, "oldtown": {"left": MOVES_LEFT}}
KINDS = {"oddville": {"setup", "take", "buy"}, "oldtown": {"take", "play", "show", "remove"}}


@pytest.mark.parametrize("game", GAMES)
def test_whole_game_can_be_played_by_clicks(hall: Live, tab: Tab, game: str) -> None:
    seats = ("human", "greedy") if game == "oddville" else ("greedy", "human")
    visitor = entered(hall, tab, *seats, game=game, seed=3, **WHOLE[game])
    kinds = set()
    while not visitor.state["over"]:
        kinds.add(visitor.play_best().split(":")[0])
        visitor.wait_for_turn()
        if visitor.state["moves"] in range(24, 30):
            shot(visitor, f"{game}-middle")
    shot(visitor, f"{game}-end")
    words = [entry["word"] for entry in hall.session(visitor.made).entries]
    assert GAMES[game](2, 3, moves=words, **WHOLE[game].get("settings", {})).is_over
    assert kinds >= KINDS[game]
    page = visitor.page.locator("main").inner_text()
    assert all(str(each) in page for each in visitor.state["outcome"]["scores"])


def test_record_is_replayed_to_its_end(hall: Live, tab: Tab) -> None:
    game = random_game(2, 8, moves=8)
    made = upload(hall, game.record())
    visitor = tab().enter(hall.address, made, made["keys"]["watch"])
    visitor.page.locator('[data-key="first"]').click()
    visitor.wait(lambda: visitor.state["shown"] == 0)
    for number in range(1, 9):
        visitor.page.locator('[data-key="step-on"]').click()
        visitor.wait(lambda shown=number: visitor.state["shown"] == shown)
    assert visitor.state["position"] == game.position()
    shot(visitor, "replay")


def test_three_tabs_play_and_watch_one_game(hall: Live, tab: Tab) -> None:
    made = hall.make("human", "human", seed=2)
    keys = made["keys"]
    blue = tab().enter(hall.address, made, keys["seats"][0])
    purple = tab().enter(hall.address, made, keys["seats"][1])
    watcher = tab().enter(hall.address, made, keys["watch"])
    for _ in range(2):
        turn = blue if blue.state["may"]["move"] else purple
        turn.play(turn.best())
        for other in (blue, purple, watcher):
            other.wait(lambda other=other, turn=turn: other.state["moves"] == turn.state["moves"])
    assert {entry["seat"] for entry in hall.session(made).entries} == {0, 1}
    assert blue.state["position"] == purple.state["position"] == watcher.state["position"]
    assert watcher.page.locator(".lit:visible").count() == 0
    shot(watcher, "watcher")


def test_reload_and_server_restart_lose_nothing(tmp_path: Path, tab: Tab) -> None:
    live = Live(tmp_path).start()
    visitor = entered(live, tab, "human", "greedy", seed=5, before="take", options={"fresh": True})
    play_some(visitor, 1)
    before = visitor.state
    visitor.states.clear()
    visitor.page.reload()
    visitor.wait(lambda: bool(visitor.states))
    assert visitor.state["position"] == before["position"]
    visitor.wait_for_turn()
    confirm = visitor.button("confirm")
    for spot in visitor.best()["path"]:
        if not confirm.is_visible():
            visitor.spot(spot).click()
    assert confirm.is_enabled()
    live.stop()
    visitor.wait(confirm.is_disabled)
    shot(visitor, "lost")
    visitor.states.clear()
    live = Live(tmp_path, port=live.port).start()
    visitor.wait(lambda: bool(visitor.states))
    assert visitor.state["position"] == before["position"]
    visitor.wait(confirm.is_enabled)
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


@pytest.mark.parametrize("game", GAMES)
def test_moves_can_be_made_by_keyboard(hall: Live, tab: Tab, game: str) -> None:
    visitor = entered(hall, tab, "human", "greedy", game=game, seed=5)
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
    shot(visitor, f"{game}-keyboard")


@pytest.mark.parametrize("game", GAMES)
def test_phone_shows_everything_and_plays(hall: Live, tab: Tab, game: str) -> None:
    visitor = entered(hall, tab, "human", "greedy", game=game, seed=5, options=PHONE)
    play_some(visitor, 3)
    wide = visitor.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= PHONE["viewport"]["width"]  # type: ignore[index]
    shot(visitor, f"{game}-phone")


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


@pytest.mark.parametrize("game", GAMES)
def test_visit_of_a_game_transfers_little(hall: Live, tab: Tab, game: str) -> None:
    visitor = entered(hall, tab, "human", "greedy", game=game, seed=5, options={"fresh": True})
    visitor.page.wait_for_load_state("networkidle")
    sizes = """["navigation", "resource"].flatMap(kind => performance.getEntriesByType(kind))
        .reduce((sum, entry) => sum + entry.transferSize, 0)"""
    assert visitor.page.evaluate(sizes) + visitor.received < LIGHT


BEFORE_AXE = {"oddville": ("build", ""), "oldtown": ("draw", "play")}
"""The move that is played, and the next one that is legal when axe looks."""


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


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("where", ["table", "lobby", "replay"])
def test_axe_finds_nothing(halls: Callable[..., Live], tab: Tab, game: str, where: str) -> None:
    hall = halls(game)
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python").Axe()
    if where == "table":
        visitor = entered(hall, tab, "human", "greedy", game=game, seed=5, before=BEFORE_AXE[game][0])
        visitor.play_best()
        visitor.until(BEFORE_AXE[game][1])
        told = {look: visitor.axe_faults(axe) for look in at_the_table(visitor)}
    elif where == "lobby":
        visitor = tab().see_lobby(hall.address)
        told = {where: visitor.axe_faults(axe)}
    else:
        made = upload(hall, random_game(3, 1, moves=40, make=GAMES[game]).record(), game)
        told = {where: tab().enter(hall.address, made, made["keys"]["watch"]).axe_faults(axe)}
    assert not any(told.values()), json.dumps(told, indent=1)


KEEP_SOCKETS = """window.sockets = []; window.WebSocket = class extends WebSocket {
    constructor(...where) { super(...where); sockets.push(this); }
}"""


def test_unknown_message_is_reported(hall: Live, tab: Tab) -> None:
    visitor, told = tab(init=KEEP_SOCKETS), []
    visitor.page.on("console", lambda message: told.append(message.text))
    made = hall.make("human", "greedy", seed=5)
    visitor.enter(hall.address, made, made["keys"]["host"])
    visitor.page.evaluate("sockets.at(-1).onmessage({ data: JSON.stringify({ type: 'weather' }) })")
    visitor.page.locator(".note").get_by_text("weather").wait_for()
    assert any("weather" in words for words in told)


def test_card_previews_its_effect_with_reasons(hall: Live, tab: Tab) -> None:
    visitor = entered(hall, tab, "human", "greedy", game="oldtown", seed=5, before="play")
    move = visitor.until("play", lambda move: len(move.get("why", ())) > 1)[0]
    visitor.spot(move["path"][0]).hover()
    why = visitor.page.locator(".why").inner_text()
    assert f"Card {move['parts']['card']}" in why
    assert f"{max(move['scores'])} point" in why
    change = visitor.page.locator(".change")
    assert change.locator(".goes").count() == len(move["goes"])
    assert change.locator(".comes").count() == len(move["comes"])
    assert change.locator(".stands").count() == len(move["stands"])
    assert visitor.state["moves"] == len(hall.session(visitor.made).entries)
    shot(visitor, "oldtown-why")


def opened(hall: Live, tab: Tab, name: str, **options: Any) -> Any:
    visitor = tab(**options)
    visitor.page.goto(f"{hall.address}#puzzle={name}&of=oldtown")
    visitor.page.locator(".puzzle").wait_for()
    return visitor


def test_puzzle_gives_hints_checks_marks_and_takes_them_back(hall: Live, tab: Tab) -> None:
    visitor = opened(hall, tab, "1")
    message, marked = visitor.page.locator(".puzzle-message"), visitor.page.locator(".puzzle-lot.marked")
    visitor.page.locator('[data-key="hint"]').click()
    message.get_by_text("Card 2 leaves the Barber on 2, 6, 9 or 10.").wait_for()
    visitor.page.locator('[data-key="pencil-in"]').click()
    assert marked.count() == 4
    visitor.page.locator('[data-key="clear"]').click()
    assert marked.count() == 0
    visitor.page.locator('[data-key="building-bank"]').press("Enter")
    visitor.page.locator('[data-lot="1"]').press("Enter")
    visitor.page.keyboard.press("c")
    message.get_by_text("This cannot be: the Bank.").wait_for()
    visitor.page.keyboard.press("u")
    visitor.page.keyboard.press("c")
    message.get_by_text("Everything is right so far.").wait_for()


def test_puzzle_can_be_opened_from_the_lobby(hall: Live, tab: Tab) -> None:
    visitor = tab(locale="de-DE")
    visitor.see_lobby(hall.address, "oldtown")
    visitor.page.locator('[data-key="level-hard"]').click()
    visitor.page.locator(".puzzle-title").get_by_text("schwer").wait_for()
    assert visitor.page.locator("[data-key^=clue-]").count() > 10


def test_axe_finds_nothing_at_a_puzzle(hall: Live, tab: Tab) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python")
    visitor = opened(hall, tab, "3")
    for _ in range(3):
        visitor.page.locator('[data-key="hint"]').click()
        visitor.page.locator('[data-key="pencil-in"]').click()
    assert visitor.axe_faults(axe.Axe()) == []
