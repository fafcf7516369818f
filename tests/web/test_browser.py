"""Games of both kinds in a real browser."""

import json
from pathlib import Path
from typing import Any

import pytest

from oddville_env import Game, OldTown
from support.helpers import random_game
from support.page.live import Halls, Live, Tab
from support.page.stages import play_to, words_of
from support.page.tabs import LOOK
from support.page.visitor import CONFIRM

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
GAMES = {"oddville": Game, "oldtown": OldTown}
MOVES_LEFT = 22  # moves at the end of a game of Old Town in which the second player makes every kind of move


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


WHOLE: dict[str, dict[str, Any]] = {"oddville": {"settings": {"max_rounds": 8}}, "oldtown": {"left": MOVES_LEFT}}
KINDS = {"oddville": {"setup", "take", "buy"}, "oldtown": {"take", "play", "show", "remove"}}


@pytest.mark.parametrize("game", GAMES)
def test_whole_game_can_be_played_by_clicks(hall: Live, tab: Tab, game: str) -> None:
    """OddVille on a wide screen, Old Town on a phone."""
    seats = ("human", "greedy") if game == "oddville" else ("greedy", "human")
    options = {} if game == "oddville" else PHONE
    visitor = entered(hall, tab, *seats, game=game, seed=3, options=options, **WHOLE[game])
    kinds = set()
    while not visitor.state["over"]:
        kinds.add(visitor.play_best().split(":")[0])
        visitor.wait_for_turn()
        assert visitor.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    words = [entry["word"] for entry in hall.session(visitor.made).entries]
    assert GAMES[game](2, 3, moves=words, **WHOLE[game].get("settings", {})).is_over
    assert kinds >= KINDS[game]
    page = visitor.page.locator("main").inner_text()
    assert all(str(each) in page for each in visitor.state["outcome"]["scores"])


def test_record_is_replayed_to_its_end(hall: Live, tab: Tab) -> None:
    game = random_game(2, 8, moves=8)
    made = hall.upload(game.record())
    visitor = tab().enter(hall.address, made, made["keys"]["watch"])
    visitor.page.locator('[data-key="first"]').click()
    visitor.wait(lambda: visitor.state["shown"] == 0)
    for number in range(1, 9):
        visitor.page.locator('[data-key="step-on"]').click()
        visitor.wait(lambda shown=number: visitor.state["shown"] == shown)
    assert visitor.state["position"] == game.position()


def test_reload_and_server_restart_lose_nothing_and_repeat_no_line_of_the_chat(tmp_path: Path, tab: Tab) -> None:
    live, seats = Live(tmp_path).start(), ("human", "human", "greedy")
    visitor = entered(live, tab, *seats, seed=5, before="take", options={"fresh": True})
    play_some(visitor, 1)
    with live.enter(visitor.made, "watch") as (watcher,):
        watcher.ask("chat", "chat", text="Hello", name="Zoe")
    visitor.page.locator("#tab-chat").click()
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
    visitor.states.clear()
    live = Live(tmp_path, port=live.port).start()
    visitor.wait(lambda: bool(visitor.states))
    assert visitor.state["position"] == before["position"]
    visitor.wait(confirm.is_enabled)
    assert visitor.page.locator(".chat-lines bdi").all_inner_texts() == ["Hello"]
    live.session(visitor.made).pace = 0.0
    play_some(visitor, 1)
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
    for _ in range(2):
        visitor.wait_for_turn()
        moves, move = visitor.state["moves"], visitor.best()
        for spot in move["path"]:
            go_to(visitor, f'[data-touch="{spot}"]')
            visitor.page.keyboard.press("Enter")
        visitor.wait(lambda moves=moves: visitor.state["moves"] > moves or visitor.sees(CONFIRM))
        if visitor.state["moves"] == moves:
            go_to(visitor, CONFIRM)
            visitor.page.keyboard.press("Enter")
        visitor.wait(lambda moves=moves: visitor.state["moves"] > moves)


BEFORE_AXE = {"oddville": ("build", ""), "oldtown": ("draw", "play")}
"""The move that is played, and the next one that is legal when axe looks."""


def at_the_table(visitor: Any) -> Any:
    """A table in one look after the other: as it is, on a phone, with its links, with what an agent thinks."""
    yield "game"
    visitor.page.set_viewport_size(PHONE["viewport"])
    yield "phone"
    visitor.page.set_viewport_size(LOOK["viewport"])
    visitor.page.get_by_label("Players and links").click()
    yield "links"
    visitor.page.keyboard.press("Escape")
    visitor.page.locator("#tab-analysis").click()
    visitor.page.locator('[data-key="analyse"]').click()
    visitor.page.locator(".candidate").first.wait_for()
    yield "analysis"


@pytest.mark.parametrize("game", GAMES)
def test_axe_finds_nothing(halls: Halls, tab: Tab, game: str) -> None:
    hall, (before, then) = halls(game), BEFORE_AXE[game]
    visitor = entered(hall, tab, "human", "greedy", game=game, seed=5, before=before)
    visitor.play_best()
    visitor.until(then)
    told = {look: visitor.axe_faults() for look in at_the_table(visitor)}
    made = hall.upload(random_game(3, 1, moves=40, make=GAMES[game]).record(), game)
    told["replay"] = visitor.enter(hall.address, made, made["keys"]["watch"]).axe_faults()
    told["lobby"] = visitor.see_lobby(hall.address).axe_faults()
    assert not any(told.values()), json.dumps(told, indent=1)


def test_card_previews_its_effect_with_reasons(hall: Live, tab: Tab) -> None:
    visitor = entered(hall, tab, "human", "greedy", game="oldtown", seed=5, before="play")
    move = visitor.until("play", lambda move: len(move.get("why", ())) > 1)[0]
    visitor.spot(move["path"][0]).hover()
    why = visitor.page.locator(".why").inner_text()
    assert f"Card {move['parts']['card']}" in why
    assert f"{max(move['scores'])} point" in why
    for kind in ("goes", "comes", "stands"):
        assert visitor.page.locator(f".change .{kind}").count() == len(move[kind])
    assert visitor.state["moves"] == len(hall.session(visitor.made).entries)


def test_puzzle_gives_hints_checks_marks_and_takes_them_back(hall: Live, tab: Tab) -> None:
    visitor = tab()
    visitor.page.goto(f"{hall.address}#puzzle=1&of=oldtown")
    message, marked = visitor.page.locator(".puzzle-message"), visitor.page.locator(".puzzle-lot.marked")
    visitor.page.locator('[data-key="hint"]').click()
    message.get_by_text("Card 2 leaves the Barber on 2, 6, 9 or 10.").wait_for()
    visitor.page.locator('[data-key="pencil-in"]').click()
    assert (marked.count(), visitor.axe_faults()) == (4, [])
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
    visitor = tab(locale="de-DE").see_lobby(hall.address, "oldtown")
    visitor.page.locator('[data-key="level-hard"]').click()
    visitor.page.locator(".puzzle-title").get_by_text("schwer").wait_for()
    assert visitor.page.locator("[data-key^=clue-]").count() > 10
