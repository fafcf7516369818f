"""Games among people in a real browser: invitations, links, chat, rematch, covered hands, turns and clocks."""

from typing import Any

from support.page.live import Live, Tab
from web.test_browser import PHONE, entered
from web.test_company import ended
from web.test_every_window import USUAL, problems


def link(hall: Live, made: dict[str, Any], key: str) -> str:
    return f"{hall.address}#game={made['id']}&key={key}"


def test_invitation_names_host_and_game_and_asks_for_a_name(hall: Live, tab: Tab) -> None:
    made = hall.make("human", "human", "greedy", names=["Ann", None, None], seed=3)
    host, guest = tab().enter(hall.address, made, made["keys"]["host"]), tab()
    guest.page.goto(link(hall, made, made["keys"]["seats"][1]))
    guest.page.get_by_text("Ann invites you").wait_for()
    assert host.state["seats"][1]["mine"]
    guest.page.get_by_label("What is your name?").fill("<b>Bob</b>")
    guest.page.get_by_text("Sit down").click()
    host.wait(lambda: "<b>Bob</b>" in host.page.locator("main").inner_text())
    assert not host.state["seats"][1]["mine"]
    guest.page.reload()
    guest.page.locator(".action-bar .prompt").wait_for()


def say(visitor: Any, line: str) -> None:
    visitor.page.locator("#chat-line").fill(line)
    visitor.page.keyboard.press("Enter")


def test_chat_shows_text_and_the_host_can_switch_it_off(hall: Live, tab: Tab) -> None:
    made = hall.make("human", "human", names=["Ann", "Bob"], seed=3)
    keys = made["keys"]
    host = tab().enter(hall.address, made, keys["host"])
    guest = tab(locale="de-DE").enter(hall.address, made, keys["seats"][1])
    watcher = tab().enter(hall.address, made, keys["watch"])
    guest.page.locator("#tab-chat").click()
    say(guest, "<img src=x onerror=alert(1)> hallo")
    host.page.locator("#tab-chat .badge").get_by_text("1").wait_for()
    host.page.locator("#tab-chat").click()
    lines = host.page.locator(".chat-lines li")
    assert "Bob" in lines.inner_text()
    assert "<img src=x onerror=alert(1)> hallo" in lines.inner_text()
    watcher.page.locator("#tab-chat").click()
    watcher.page.locator("#chat-name").fill("Cleo")
    say(watcher, "good luck")
    host.page.get_by_text("good luck").wait_for()
    assert "Cleo" in lines.last.inner_text()
    assert guest.page.locator("#chat-name").is_hidden()
    host.page.get_by_label("Allow chat").click()
    guest.page.locator("#chat-line").wait_for(state="hidden")


def test_lobby_lists_games_and_a_rematch_changes_seats(hall: Live, tab: Tab) -> None:
    made = hall.make("human", "human", names=["Ann", "Bob"], settings={"max_rounds": 1}, seed=3)
    host = entered(hall, tab, "human", "random", names=["Ann", None], seed=5)
    host.wait_for_turn()
    host.enter(hall.address, made, made["keys"]["host"])
    guest, session = tab().enter(hall.address, made, made["keys"]["seats"][1]), ended(hall, made)
    host.page.goto(f"{hall.address}#")
    host.page.locator(".my-game").nth(1).wait_for()
    texts = host.page.locator(".my-game").all_inner_texts()
    assert "your turn" in texts[0]
    assert "Random" in texts[0]
    assert str(session.game.scores[0]) in texts[1]
    host.page.locator(".my-game a").nth(1).click()
    host.page.locator('[data-key="rematch"]').click()
    host.wait(lambda: [seat["person"] for seat in host.state["seats"]] == ["Bob", "Ann"])
    assert made["id"] not in host.page.url
    guest.page.locator(".company").get_by_text("To the rematch").click()
    guest.wait(lambda: [seat["person"] for seat in guest.state["seats"]] == ["Bob", "Ann"])
    assert guest.state["seats"][0]["mine"]


def test_lobby_chat_and_invitation_fit_every_window(hall: Live, tab: Tab) -> None:
    made, visitor = hall.make("human", "human", names=["M" * 20, "W" * 20], seed=3), tab()
    for where in ("invitation", "chat", "lobby"):
        if where == "invitation":
            visitor.page.goto(link(hall, made, made["keys"]["seats"][1]))
            visitor.page.locator(".invitation").wait_for()
        elif where == "chat":
            visitor.enter(hall.address, made, made["keys"]["host"])
            visitor.page.locator("#tab-chat").click()
            say(visitor, "W" * 200)
            visitor.page.locator(".chat-lines li").wait_for()
        else:
            visitor.page.goto(f"{hall.address}#")
            visitor.page.locator(".my-game").first.wait_for()
        assert problems(visitor, *USUAL) == visitor.axe_faults() == [], where


def test_hands_are_covered_between_players_at_one_screen(hall: Live, tab: Tab) -> None:
    visitor = entered(hall, tab, "human", "human", game="oldtown", seed=3, names=["Ann", "Bob"])
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
        visitor.page.get_by_text(f"I am {names[turn]}: show my hand").click()
        visitor.wait(lambda turn=turn: visitor.state["view"] == turn)
        visitor.page.locator(".chip").first.wait_for()
        seen.add(turn)
        while visitor.state["to_move"] == turn:
            visitor.play(visitor.best())
    assert seen == {0, 1}


def test_choice_survives_players_coming_and_going(hall: Live, tab: Tab) -> None:
    made = hall.make("human", "human", seed=2)
    first = hall.session(made).game.to_move
    visitor = tab().enter(hall.address, made, made["keys"]["seats"][first])
    visitor.spot(visitor.best()["path"][0]).click()
    visitor.page.locator(".chosen").first.wait_for()
    told = len(visitor.states)
    with hall.enter(made, 1 - first):
        visitor.wait(lambda: len(visitor.states) > told)
    visitor.wait(lambda: len(visitor.states) > told + 1)
    assert visitor.page.locator(".chosen").count()


def test_undo_among_people_needs_consent(hall: Live, tab: Tab) -> None:
    made = hall.make("human", "human", game="oddville", seed=2, names=["Ann", "Bob"])
    tabs = [tab().enter(hall.address, made, key) for key in made["keys"]["seats"]]
    asker = next(each for each in tabs if each.state["may"]["move"])
    other = tabs[1 - tabs.index(asker)]
    asker.play(asker.best())
    for answer, moves in (("disagree", 1), ("agree", 0)):
        asker.button("undo").click()
        asker.page.locator(".company:visible").wait_for()
        other.page.locator(f'[data-key="{answer}"]').click()
        asker.wait(lambda moves=moves: asker.state["asks"] is None and asker.state["moves"] == moves)
        if moves:
            asker.page.get_by_text("The move was not undone.").wait_for()
        asker.page.locator(".company").wait_for(state="hidden")


LISTEN = """window.told = [];
window.Notification = class { constructor(title, more) { told.push(`${title}: ${more.body}`); }
    static permission = "granted"; static async requestPermission() { return "granted"; } };
const own = window.AudioContext;
window.AudioContext = class extends own { constructor() { super(); told.push("sound"); } };
Object.defineProperty(document, "hidden", { get: () => Boolean(window.away), configurable: true });"""


def switch(visitor: Any, setting: str) -> None:
    visitor.page.get_by_label("Settings").click()
    visitor.page.get_by_label(setting).click()
    visitor.page.keyboard.press("Escape")


def play_turn(visitor: Any) -> None:
    visitor.wait_for_turn()
    while visitor.state["may"]["move"]:
        visitor.play(visitor.best())


def test_turn_is_signalled_as_the_settings_say(hall: Live, tab: Tab) -> None:
    made, told = hall.make("human", "human", seed=2), "window.told"
    tabs = [tab(init=LISTEN).enter(hall.address, made, key) for key in made["keys"]["seats"]]
    waiter, mover = sorted(tabs, key=lambda each: each.state["may"]["move"])
    assert "your turn" in mover.page.title()
    assert waiter.page.title() == "OddVille"
    switch(waiter, "A notification when")
    waiter.page.evaluate("window.away = true")
    play_turn(mover)
    waiter.wait(lambda: "your turn" in waiter.page.title())
    assert (waiter.page.evaluate(told), mover.page.evaluate(told)) == (["sound", "OddVille: your turn"], [])
    waiter.page.evaluate("window.away = false")
    switch(waiter, "A sound when")
    play_turn(waiter)
    play_turn(mover)
    waiter.wait(lambda: "your turn" in waiter.page.title())
    assert len(waiter.page.evaluate(told)) == 2


def play_until(tabs: list[Any], reached: Any) -> None:
    """The player to move plays, and both see it."""
    while not reached():
        mover = tabs[tabs[0].state["to_move"]]
        mover.wait_for_turn()
        moves = mover.state["moves"]
        mover.play(mover.best())
        for each in tabs:
            each.wait(lambda each=each, moves=moves: each.state["moves"] > moves)


def test_clock_is_shown_to_all_and_announced_when_low_or_over(hall: Live, tab: Tab) -> None:
    host = tab(fresh=True)
    host.page.clock.install()
    host.page.goto(hall.address)
    clock, minutes = host.page.locator("#clock"), host.page.locator("#minutes")
    assert not clock.is_visible()
    host.page.locator("#seat-1").select_option("human")
    clock.select_option("fischer")
    minutes.fill("3")
    host.page.get_by_text("Start the game").click()
    host.wait(lambda: bool(host.states))
    session = hall.session({"id": host.game})
    guest = tab(viewport=PHONE["viewport"], color_scheme="dark", locale="de-DE")
    guest.page.goto(f"{hall.address}#game={host.game}&key={session.keys.seats[1]}")
    guest.page.get_by_text("Uhr: 3 Minuten für jeden, 20 Sekunden mehr je Zug").wait_for()
    guest.page.locator('[data-key="accept"]').click()
    guest.wait(lambda: bool(guest.states))
    tabs, terms = [host, guest], {"total": 180, "increment": 20, "agent": "greedy"}
    assert host.state["clock"] == {**terms, "left": [180, 180], "runs": None, "ended": []}
    play_until(tabs, lambda: host.state["to_move"] == 0 and host.state["clock"]["runs"] == 0)
    for each in tabs:
        assert each.page.locator(".clock .clock-time").count() == 2
    host.page.clock.run_for(int((host.state["clock"]["left"][0] - 59) * 1000))
    alert = host.page.get_by_role("alert")
    alert.get_by_text("You have 60 seconds left.").wait_for()
    host.page.clock.run_for(10_000)
    assert alert.get_by_text("seconds left").count() == 0
    host.page.clock.run_for(20_000)
    alert.get_by_text("You have 30 seconds left.").wait_for()
    assert host.page.locator(".clock.low.runs").count() == 1
    session.clock.left[0] = 0.0
    guest.page.reload()  # a new connection makes the server check its clock
    alert.get_by_text("Blue ran out of time: an agent continues (medium).").wait_for()
    assert session.seats[0].agent == "greedy"
