"""Games among people in a real browser: invitations, links, chat, rematch, covered hands, turns and clocks."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.page.live import Live
from web.test_browser import PHONE, shot
from web.test_every_window import problems

Tab = Callable[..., Any]


def link(hall: Live, made: dict[str, Any], key: str) -> str:
    return f"{hall.address}#game={made['id']}&key={key}"


def test_invitation_names_host_and_game_and_asks_for_a_name(hall: Live, tab: Tab) -> None:
    made = hall.make("human", "human", "greedy", names=["Ann", None, None], seed=3)
    host = tab().enter(hall.address, made, made["keys"]["host"])
    guest = tab()
    guest.page.goto(link(hall, made, made["keys"]["seats"][1]))
    guest.page.get_by_text("Ann invites you").wait_for()
    assert host.state["seats"][1]["mine"]
    shot(guest, "invitation")
    guest.page.get_by_label("What is your name?").fill("<b>Bob</b>")
    guest.page.get_by_text("Sit down").click()
    host.wait(lambda: host.state["seats"][1]["person"] == "<b>Bob</b>")
    assert not host.state["seats"][1]["mine"]
    host.wait(lambda: "<b>Bob</b>" in host.page.locator("main").inner_text())
    guest.page.reload()
    guest.page.locator(".action-bar .prompt").wait_for()


def test_chat_shows_text_and_the_host_can_switch_it_off(hall: Live, tab: Tab) -> None:
    made = hall.make("human", "human", names=["Ann", "Bob"], seed=3)
    host = tab().enter(hall.address, made, made["keys"]["host"])
    guest = tab(locale="de-DE").enter(hall.address, made, made["keys"]["seats"][1])
    watcher = tab().enter(hall.address, made, made["keys"]["watch"])
    guest.page.locator("#tab-chat").click()
    guest.page.locator("#chat-line").fill("<img src=x onerror=alert(1)> hallo")
    guest.page.keyboard.press("Enter")
    host.page.locator("#tab-chat .badge").get_by_text("1").wait_for()
    host.page.locator("#tab-chat").click()
    assert "Bob" in host.page.locator(".chat-lines li").inner_text()
    assert "<img src=x onerror=alert(1)> hallo" in host.page.locator(".chat-lines li").inner_text()
    assert host.page.locator(".chat-lines img").count() == 0
    watcher.page.locator("#tab-chat").click()
    watcher.page.locator("#chat-name").fill("Cleo")
    watcher.page.locator("#chat-line").fill("good luck")
    watcher.page.keyboard.press("Enter")
    host.page.get_by_text("good luck").wait_for()
    assert "Cleo" in host.page.locator(".chat-lines li").last.inner_text()
    assert guest.page.locator("#chat-name").is_hidden()
    shot(host, "chat")
    host.page.get_by_label("People here may chat").click()
    guest.page.locator("#chat-line").wait_for(state="hidden")


def test_reconnecting_repeats_no_line_and_keeps_the_new_name(tmp_path: Path, tab: Tab) -> None:
    live = Live(tmp_path).start()
    made = live.make("human", "human", names=["Ann", None], seed=3)
    key = made["keys"]["seats"][1]
    guest = tab(fresh=True)
    guest.page.goto(link(live, made, key))
    guest.page.get_by_label("What is your name?").fill("Bob")
    guest.page.get_by_text("Sit down").click()
    guest.wait(lambda: bool(guest.states) and guest.state["seats"][1]["person"] == "Bob")
    with live.browser(made["id"], key) as other:
        other.say("name", seat=1, name="Rob")
        other.until("state", reason="seats")
        for line in ("one", "two"):
            other.ask("chat", "chat", text=line)
    guest.page.locator("#tab-chat .badge").get_by_text("2").wait_for()
    live.stop()
    guest.states.clear()
    live = Live(tmp_path, port=live.port).start()
    guest.wait(lambda: bool(guest.states))
    with live.browser(made["id"], key) as other:
        other.ask("chat", "chat", text="three")
    guest.page.locator("#tab-chat").click()
    guest.page.locator(".chat-lines").get_by_text("three").wait_for()
    assert guest.page.locator(".chat-lines bdi").all_inner_texts() == ["one", "two", "three"]
    assert live.session(made).seats[1].person == "Rob"
    live.stop()


def test_lobby_lists_games_and_a_rematch_changes_seats(hall: Live, tab: Tab) -> None:
    made = hall.make("human", "human", names=["Ann", "Bob"], settings={"max_rounds": 1}, seed=3)
    other = hall.make("human", "random", names=["Ann", None], seed=5)
    hall.session(other).pace = 0.0
    host = tab().enter(hall.address, other, other["keys"]["host"])
    host.wait_for_turn()
    host.enter(hall.address, made, made["keys"]["host"])
    guest = tab().enter(hall.address, made, made["keys"]["seats"][1])
    session = hall.session(made)
    while not session.game.is_over:
        session.push(session.game.legal_moves.words()[0])
    host.page.goto(f"{hall.address}#")
    host.page.locator(".my-game").nth(1).wait_for()
    texts = host.page.locator(".my-game").all_inner_texts()
    assert "your turn" in texts[0]
    assert "Random" in texts[0]
    assert str(session.game.scores[0]) in texts[1]
    shot(host, "games")
    host.page.locator(".my-game a").nth(1).click()
    host.page.locator('[data-key="rematch"]').click()
    host.wait(lambda: [seat["person"] for seat in host.state["seats"]] == ["Bob", "Ann"])
    assert made["id"] not in host.page.url
    guest.page.locator(".company").get_by_text("To the rematch").click()
    guest.wait(lambda: [seat["person"] for seat in guest.state["seats"]] == ["Bob", "Ann"])
    assert guest.state["seats"][0]["mine"]
    shot(guest, "rematch")


SIZES = ((320, 640), (1000, 700), (1366, 768))


@pytest.mark.parametrize("where", ["invitation", "lobby", "chat"])
def test_lobby_and_invitation_fit_every_window(hall: Live, tab: Tab, where: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python")
    made = hall.make("human", "human", names=["M" * 20, "W" * 20], seed=3)
    keys = made["keys"]
    visitor = tab()
    if where == "invitation":
        visitor.page.goto(link(hall, made, keys["seats"][1]))
        visitor.page.locator(".invitation").wait_for()
    else:
        visitor.enter(hall.address, made, keys["host"])
    if where == "lobby":
        visitor.page.goto(f"{hall.address}#")
        visitor.page.locator(".my-game").first.wait_for()
    if where == "chat":
        visitor.page.locator("#tab-chat").click()
        visitor.page.locator("#chat-line").fill("W" * 200)
        visitor.page.keyboard.press("Enter")
        visitor.page.locator(".chat-lines li").wait_for()
    for size in SIZES:
        assert problems(visitor, *size) == []
        shot(visitor, f"{where}-{size[0]}")
    assert visitor.axe_faults(axe.Axe()) == []


def test_hands_are_covered_between_players_at_one_screen(hall: Live, tab: Tab) -> None:
    made = hall.make("human", "human", game="oldtown", seed=3, names=["Ann", "Bob"])
    visitor = tab().enter(hall.address, made, made["keys"]["host"])
    company = visitor.page.locator(".company")
    company.get_by_text("Send Ann a link").click()
    visitor.page.locator("dialog .copy").first.wait_for()
    visitor.page.keyboard.press("Escape")
    names, seen = ["Ann", "Bob"], set()
    for _ in range(3):  # the first one sits down once more
        turn = visitor.state["to_move"]
        assert visitor.page.locator(".chip:visible").count() == 0
        company.get_by_text(f"It is {names[turn]}'s turn.").wait_for()
        assert "Pass" not in company.inner_text()
        shot(visitor, "covered")
        visitor.page.get_by_text(f"I am {names[turn]}: show my hand").click()
        visitor.wait(lambda turn=turn: visitor.state["view"] == turn)
        visitor.page.locator(".chip").first.wait_for()
        seen.add(turn)
        while visitor.state["to_move"] == turn:
            visitor.play(visitor.best())
    assert seen == {0, 1}


def test_choice_survives_players_coming_and_going(hall: Live, tab: Tab) -> None:
    made = hall.make("human", "human", game="oddville", seed=2)
    first = hall.session(made).game.to_move
    visitor = tab().enter(hall.address, made, made["keys"]["seats"][first])
    visitor.spot(visitor.best()["path"][0]).click()
    chosen = visitor.page.locator(".chosen")
    chosen.first.wait_for()
    told = len(visitor.states)
    with hall.browser(made["id"], made["keys"]["seats"][1 - first]):
        visitor.wait(lambda: len(visitor.states) > told)
    visitor.wait(lambda: len(visitor.states) > told + 1)
    visitor.wait_for_turn()
    assert chosen.count()


@pytest.mark.parametrize("answer", ["agree", "disagree"])
def test_undo_among_people_needs_consent(hall: Live, tab: Tab, answer: str) -> None:
    made = hall.make("human", "human", game="oddville", seed=2, names=["Ann", "Bob"])
    keys = zip(({}, {"locale": "de-DE"}), made["keys"]["seats"], strict=True)
    tabs = [tab(**options).enter(hall.address, made, key) for options, key in keys]
    asker = next(each for each in tabs if each.state["may"]["move"])
    other = tabs[1 - tabs.index(asker)]
    asker.play(asker.best())
    asker.button("undo").click()
    asker.page.locator(".company:visible").wait_for()
    other.page.locator(f'[data-key="{answer}"]').click()
    shot(asker, "asked")
    asker.wait(lambda: asker.state["asks"] is None)
    if answer == "agree":
        asker.wait(lambda: asker.state["moves"] == 0)
    else:
        text = "Nothing was taken back." if asker is tabs[0] else "Es wurde nichts zurückgenommen."
        asker.page.get_by_text(text).wait_for()
        assert asker.state["moves"] == 1
    assert asker.page.locator(".company:visible").count() == 0


LISTEN = """window.told = [];
window.Notification = class { constructor(title, more) { told.push(`${title}: ${more.body}`); }
    static permission = "granted"; static async requestPermission() { return "granted"; } };
const own = window.AudioContext;
window.AudioContext = class extends own { constructor() { super(); told.push("sound"); } };
Object.defineProperty(document, "hidden", { get: () => Boolean(window.away), configurable: true });"""

REFUSE = """window.Notification = class { constructor() { throw new TypeError(); }
    static permission = "granted"; static async requestPermission() { return "granted"; } };
window.AudioContext = class { constructor() { throw new TypeError(); } }; 0"""


def pair(hall: Live, tab: Tab) -> tuple[Any, Any]:
    """The player to move, and the other one."""
    made = hall.make("human", "human", seed=2)
    tabs = []
    for key in made["keys"]["seats"]:
        tabs.append(tab(init=LISTEN))
        tabs[-1].enter(hall.address, made, key)
    mover = next(each for each in tabs if each.state["may"]["move"])
    return mover, tabs[1 - tabs.index(mover)]


def told(visitor: Any) -> list[str]:
    return list(visitor.page.evaluate("told"))


def switch(visitor: Any, setting: str) -> None:
    """Turn one of the settings on, or off."""
    visitor.page.get_by_label("Settings").click()
    visitor.page.get_by_label(setting).click()
    visitor.page.keyboard.press("Escape")


def play_turn(visitor: Any) -> None:
    """Play on until another seat is to move."""
    while visitor.state["may"]["move"]:
        visitor.play(visitor.best())


@pytest.mark.parametrize(
    ("setting", "away", "heard"),
    [("A notification when", True, ["sound", "OddVille: your turn"]), ("A sound when", False, [])],
)
def test_turn_is_signalled_as_the_settings_say(
    hall: Live, tab: Tab, setting: str, away: bool, heard: list[str]
) -> None:
    mover, waiter = pair(hall, tab)
    assert "your turn" in mover.page.title()
    assert waiter.page.title() == "OddVille"
    switch(waiter, setting)
    waiter.page.evaluate("away => { window.away = away; }", away)
    play_turn(mover)
    waiter.wait(lambda: "your turn" in waiter.page.title())
    assert told(waiter) == heard
    assert told(mover) == []


def test_refused_sound_and_notification_do_not_stop_the_game(hall: Live, tab: Tab) -> None:
    """Chrome on Android permits notifications, and then raises for every one that a page makes."""
    mover, waiter = pair(hall, tab)
    waiter.page.evaluate(REFUSE)
    switch(waiter, "A notification when")
    waiter.page.evaluate("window.away = true")
    play_turn(mover)
    waiter.wait_for_turn()
    waiter.play(waiter.best())


def choose_clock(visitor: Any, kind: str, minutes: str) -> None:
    visitor.page.locator("#seat-1").select_option("human")
    visitor.page.locator("#clock").select_option(kind)
    visitor.page.locator("#minutes").fill(minutes)


def begun(hall: Live, tab: Tab) -> tuple[Any, Any, Any]:
    """A game by the clock: host, invited guest, and the server's session."""
    host = tab(fresh=True)
    host.page.clock.install()
    host.page.goto(hall.address)
    assert not host.page.locator("#clock").is_visible()
    choose_clock(host, "fischer", "3")
    host.page.get_by_text("Start the game").click()
    host.wait(lambda: bool(host.states))
    ident = host.page.url.split("game=")[1].split("&")[0]
    made = {"id": ident, "keys": hall.lobby.rooms[ident].session.keys}
    guest = tab(viewport=PHONE["viewport"], color_scheme="dark", locale="de-DE")
    guest.page.goto(f"{hall.address}#game={ident}&key={made['keys'].seats[1]}")
    guest.page.get_by_text("Uhr: 3 Minuten für jeden, 20 Sekunden mehr je Zug").wait_for()
    guest.page.locator('[data-key="accept"]').click()
    guest.wait(lambda: bool(guest.states))
    return host, guest, hall.session(made)


def play_until(tabs: list[Any], reached: Callable[[], bool]) -> None:
    """The player to move plays, and both see it."""
    while not reached():
        mover = tabs[tabs[0].state["to_move"]]
        mover.wait_for_turn()
        moves = mover.state["moves"]
        mover.play(mover.best())
        for each in tabs:
            each.wait(lambda each=each, moves=moves: each.state["moves"] > moves)


def test_clock_is_shown_to_all_and_announced_when_low_or_over(hall: Live, tab: Tab) -> None:
    host, guest, session = begun(hall, tab)
    tabs = [host, guest]
    terms = {"total": 180, "increment": 20, "agent": "greedy"}
    assert host.state["clock"] == {**terms, "left": [180, 180], "runs": None, "ended": []}
    play_until(tabs, lambda: host.state["clock"]["runs"] is not None)
    for each in tabs:
        assert each.page.locator(".clock .clock-time").count() == 2
    shot(guest, "clock")
    play_until(tabs, lambda: host.state["to_move"] == 0 and host.state["clock"]["runs"] == 0)
    left = host.state["clock"]["left"][0]
    host.page.clock.run_for(int((left - 59) * 1000))
    host.page.get_by_role("alert").get_by_text("You have 60 seconds left.").wait_for()
    host.page.clock.run_for(10_000)
    assert host.page.get_by_role("alert").get_by_text("seconds left").count() == 0
    host.page.clock.run_for(20_000)
    host.page.get_by_role("alert").get_by_text("You have 30 seconds left.").wait_for()
    assert host.page.locator(".clock.low.runs").count() == 1
    session.clock.left[0] = 0.0
    guest.page.evaluate("location.reload()")  # a new connection makes the server check its clock
    guest.page.locator('.table[aria-busy="false"]').wait_for()
    host.page.get_by_role("alert").get_by_text("The time of Blue is over: an agent plays on (medium).").wait_for()
    assert session.seats[0].agent == "greedy"


def test_hidden_invalid_number_does_not_block_a_new_game(hall: Live, tab: Tab) -> None:
    host = tab()
    host.page.goto(hall.address)
    choose_clock(host, "simple", "1.5")
    host.page.locator("#clock").select_option("none")
    host.page.get_by_text("Start the game").click()
    host.wait(lambda: bool(host.states))
    assert host.state["clock"] is None
