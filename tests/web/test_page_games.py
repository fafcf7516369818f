"""Games of one's own, invitations, names, the chat and the rematch, in a real browser."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.page.live import Live
from web.test_browser import shot
from web.test_every_window import problems

Tab = Callable[..., Any]


@pytest.fixture
def live(halls: Callable[..., Live]) -> Live:
    return halls("oddville")


def link(live: Live, made: dict[str, Any], key: str) -> str:
    return f"{live.address}#game={made['id']}&key={key}"


def ended(live: Live, made: dict[str, Any]) -> Any:
    session = live.session(made)
    while not session.game.is_over:
        session.push(session.game.legal_moves.words()[0])
    return session


def test_a_link_says_who_invites_to_what_and_the_guest_says_a_name(live: Live, tab: Tab) -> None:
    made = live.make("human", "human", "greedy", names=["Ann", None, None], seed=3)
    host = tab().enter(live.address, made, made["keys"]["host"])
    guest = tab()
    guest.page.goto(link(live, made, made["keys"]["seats"][1]))
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


def test_people_chat_as_text_and_the_host_may_end_it(live: Live, tab: Tab) -> None:
    made = live.make("human", "human", names=["Ann", "Bob"], seed=3)
    host = tab().enter(live.address, made, made["keys"]["host"])
    guest = tab(locale="de-DE").enter(live.address, made, made["keys"]["seats"][1])
    watcher = tab().enter(live.address, made, made["keys"]["watch"])
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


def test_a_lost_connection_repeats_no_line_and_brings_no_old_name_back(tmp_path: Path, tab: Tab) -> None:
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


def test_the_first_screen_lists_games_and_a_rematch_goes_on_with_seats_changed(live: Live, tab: Tab) -> None:
    made = live.make("human", "human", names=["Ann", "Bob"], settings={"max_rounds": 1}, seed=3)
    other = live.make("human", "random", names=["Ann", None], seed=5)
    live.session(other).pace = 0.0
    host = tab().enter(live.address, other, other["keys"]["host"])
    host.wait_for_turn()
    host.enter(live.address, made, made["keys"]["host"])
    guest = tab().enter(live.address, made, made["keys"]["seats"][1])
    ended(live, made)
    host.page.goto(f"{live.address}#")
    host.page.locator(".my-game").nth(1).wait_for()
    texts = host.page.locator(".my-game").all_inner_texts()
    assert "your turn" in texts[0]
    assert "Random" in texts[0]
    assert str(live.session(made).game.scores[0]) in texts[1]
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
def test_new_screens_fit_every_window_and_axe_finds_nothing(live: Live, tab: Tab, where: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python")
    made = live.make("human", "human", names=["M" * 20, "W" * 20], seed=3)
    keys = made["keys"]
    visitor = tab()
    if where == "invitation":
        visitor.page.goto(link(live, made, keys["seats"][1]))
        visitor.page.locator(".invitation").wait_for()
    else:
        visitor.enter(live.address, made, keys["host"])
    if where == "lobby":
        visitor.page.goto(f"{live.address}#")
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
