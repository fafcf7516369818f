"""People at one table: names, chat, lists of games, the next game, and what a key sees and plays."""

import json
from contextlib import ExitStack
from typing import Any

import pytest

from oddville_env.core.game.game_type import game_type
from oddville_env.web.sessions.access import HOST, OWN, TABLE, Grant, Keys, position_for
from oddville_env.web.sessions.company import Seat
from oddville_env.web.sessions.session import Session
from support.page.live import Browser, Live

ENDED = {"max_rounds": 1}
PAIR = ("human", "human")


def about(live: Live, made: dict[str, Any], who: str | int) -> dict[str, Any]:
    key = made["keys"][who] if isinstance(who, str) else made["keys"]["seats"][who]
    return dict(live.get(f"api/games/{made['id']}", key=key).json())


def rematch(browser: Browser) -> dict[str, Any]:
    browser.say("rematch")
    browser.wait(lambda state: state["rematch"])
    return dict(browser.state["rematch"])


def heard_all(browser: Browser) -> list[dict[str, Any]]:
    """All lines of the chat that came so far."""
    browser.ask("ping", "pong")
    return [line for message in browser.heard if message["type"] == "chat" for line in message["lines"]]


def ended(live: Live, made: dict[str, Any]) -> Any:
    session = live.session(made)
    while not session.game.is_over:
        session.push(session.game.legal_moves.words()[0])
    return session


def test_guests_say_how_they_are_called_and_nobody_takes_another_s_name(live: Live) -> None:
    made = live.make(*PAIR, names=["Ann", None])
    with live.enter(made, "host", 1) as (host, guest):
        assert guest.ask("name", "error", seat=0, name="Eve")["why"] == "their_name"
        assert guest.ask("name", "error", seat=1, name=" ann ")["why"] == "name_taken"
        guest.say("name", seat=1, name=" Bob\u202e \n the\tFirst")
        while host.hear().get("seats", [{}, {}])[1].get("person") != "Bob the First":
            pass
        assert host.ask("name", "error", seat=1, name="Fool")["why"] == "their_name"
    assert about(live.again(), made, 1)["seats"][1]["person"] == "Bob the First"


def test_people_and_spectators_chat_and_who_comes_later_reads_it(live: Live) -> None:
    made = live.make(*PAIR)
    with live.enter(made, "host", 1, "watch") as (host, guest, watcher):
        host.say("chat", text="Hello\n<b>you</b>", name="somebody else")
        guest.until("chat")
        watcher.say("chat", text="Nice town", name="Zoe")
        guest.until("chat")
        told = [(line["seat"], line["name"], line["text"]) for line in heard_all(guest)]
        assert told == [(0, None, "Hello <b>you</b>"), (None, "Zoe", "Nice town")]
    with live.again().enter(made, 1) as (guest,):
        assert [line["text"] for line in heard_all(guest)] == ["Hello <b>you</b>", "Nice town"]


LOOK_ALIKES = (" ann\u200b", "\u0410nn", "\uff21NN", "A\u0301nn", "A.n.n")
LABELS = ("Purp1e", "P\u057drple", "Violett", "Search", "Beginner")


def test_spectator_cannot_chat_by_a_name_like_a_player_s_or_an_agent_s(hall: Live) -> None:
    for name in (*LOOK_ALIKES, *LABELS):
        made = hall.make(*PAIR, names=["Ann", None])
        with hall.enter(made, "watch", 1) as (watcher, guest):
            assert watcher.ask("chat", "error", text="Hello", name=name)["why"] == "name_taken", name
            if name in LOOK_ALIKES:
                assert guest.ask("name", "error", seat=1, name=name)["why"] == "name_taken", name


def test_the_host_switches_the_chat_off_and_nobody_else(hall: Live) -> None:
    with hall.enter(hall.make(*PAIR), "host", 1) as (host, guest):
        assert guest.ask("allow_chat", "error", allowed=False)["why"] == "host_chats"
        host.say("allow_chat", allowed=False)
        assert not guest.until("state", chat=False)["may"]["chat"]
        assert (guest.ask("chat", "error", text="hello?")["why"], heard_all(host)) == ("chat_off", [])
    with hall.enter(hall.make("human", "greedy"), "host") as (host,):
        assert host.ask("chat", "error", text="hello?")["why"] == "chat_off"


def test_who_says_too_much_waits_and_all_who_watch_count_as_one(hall: Live) -> None:
    with hall.enter(hall.make(*PAIR), "host", "watch", "watch") as (host, one, two):
        for number in range(5):
            (one if number % 2 else two).ask("chat", "chat", text=f"line {number}")
        heard_all(one)
        for watcher in (one, two):
            assert watcher.ask("chat", "error", text="more")["why"] == "chat_fast"
        assert host.ask("chat", "error", text=" \u200b ")["why"] == "chat_empty"
        host.say("chat", text="I may still speak")
        assert heard_all(host)[-1]["text"] == "I may still speak"


def test_a_list_of_games_tells_how_they_stand_but_no_hand_and_takes_no_seat(hall: Live) -> None:
    made = hall.make(*PAIR, names=["Ann", "Bob"], settings=ENDED, seed=4)
    before = about(hall, made, 1)
    assert (before["role"], before["seat"], before["arrived"], before["inviter"]) == ("seat", 1, False, 0)
    assert ([seat["person"] for seat in before["seats"]], before["winners"]) == (["Ann", "Bob"], None)
    game, after = ended(hall, made).game, about(hall, made, "host")
    assert [after[name] for name in ("winners", "scores", "over")] == [[*game.outcome.winners], [*game.scores], True]
    assert "position" not in after
    town = hall.make(*PAIR, game="oldtown", seed=3)
    told = json.dumps(about(hall, town, 1))
    assert not any(seat.place for seat in hall.session(town).seats)
    assert "hand" not in told
    assert "card" not in told


def test_a_rematch_changes_seats_and_keeps_wins_and_there_is_one(hall: Live) -> None:
    made = hall.make(*PAIR, names=["Ann", "Bob"], settings=ENDED, help=True)
    with hall.enter(made, "host") as (host,):
        assert host.ask("rematch", "error")["why"] == "no_rematch"
        winners = ended(hall, made).game.outcome.winners
    with hall.enter(made, "host", 1, "watch") as browsers:
        assert browsers[2].ask("rematch", "error")["why"] == "no_rematch"
        browsers[0].say("rematch")
        for browser in browsers:
            browser.wait(lambda state: state["rematch"])
        ways = [browser.state["rematch"] for browser in browsers]
    assert (len({way["id"] for way in ways}), about(hall, made, "host")["rematch"]) == (1, ways[0])
    with ExitStack() as stack:
        entered = [stack.enter_context(hall.browser(way["id"], way["key"])) for way in ways]
        host = entered[0]
        host.ask("ping", "pong")
        assert [seat["person"] for seat in host.state["seats"]] == ["Bob", "Ann"]
        assert [seat["wins"] for seat in host.state["seats"]] == [1 in winners, 0 in winners]
        assert [each.hello["mine"] for each in entered] == [[1], [0], []]
        assert host.hello["settings"] == {"table": [17, 9], "max_rounds": 1}
        assert host.hello["help"]


def test_a_game_whose_rematch_counts_its_winner_is_not_taken_back(hall: Live) -> None:
    made = hall.make("human", "random", settings=ENDED)
    with hall.enter(made, "host") as (host,):
        ended(hall, made)
        assert host.ask("pause", "state", paused=True)["may"]["undo"]
        rematch(host)
        assert not host.state["may"]["undo"]
        assert host.ask("undo", "error")["why"] == "no_undo"
        assert host.state["over"]


def test_a_rematch_seats_no_agent_that_is_not_offered_and_is_found_again_after_a_restart(live: Live) -> None:
    made = live.make("human", "random", settings=ENDED)
    with live.enter(made, "host") as (host,):
        ended(live, made)
        host.ask("pause", "state", paused=False)
    live.stop()  # which saves
    (file,) = live.folder.glob("*.json")
    saved = json.loads(file.read_text())
    saved["chairs"][1]["agent"] = "colorsys:rgb_to_yiq"
    file.write_text(json.dumps(saved))
    with live.again().enter(made, "host") as (host,):
        way = rematch(host)
    with live.browser(way["id"], way["key"]) as host:
        assert "not offered here" in host.state["seats"][0]["message"]
    assert about(live.again(), made, "host")["rematch"] == way
    assert live.get(f"api/games/{way['id']}", key=way["key"]).status_code == 200


ROWS = """
            open        alone       single      claimed     shared
host  none  sees+plays  sees+plays  plays       sees+plays  plays
host  host  sees+plays  sees+plays  sees+plays  sees+plays  plays
host  own   sees        -           -           -           -
own   none  sees+plays  sees+plays  sees+plays  sees+plays  sees+plays
own   host  sees+plays  -           -           -           -
own   own   sees+plays  sees+plays  sees+plays  sees+plays  sees+plays
other none  sees        -           -           -           -
other host  sees        -           -           -           -
other own   sees        -           -           -           -
"""
TURNS, *LINES = [line.split() for line in ROWS.strip().splitlines()]
CASES = [
    (role, {"none": None, "host": HOST, "own": OWN}[place], turn, words)
    for role, place, *cells in LINES
    for turn, words in zip(TURNS, cells, strict=True)
]


def session_with(place: str | None, turn: str) -> tuple[Session, int]:
    """A game whose seat to move is played at a place, in company that makes this turn; and that seat."""
    kind = game_type("oddville" if turn == "open" else "oldtown")
    game = kind.game(3, 1)
    others = {"alone": Seat("random"), "single": Seat(place=OWN)}.get(turn, Seat(place=HOST))
    seats, seat = [others, Seat("random"), Seat("random")], game.to_move
    seats.insert(seat, Seat(place=place))
    return Session("x" * 22, kind, game, seats[:3], Keys.fresh(3), {}), seat


@pytest.mark.parametrize(("role", "place", "turn", "words"), CASES)
def test_key_sees_and_plays_a_seat_as_its_row_says(role: str, place: str | None, turn: str, words: str) -> None:
    session, seat = session_with(place, turn)
    grant = {"host": Grant("host"), "own": Grant("seat", seat), "other": Grant("watch")}[role]
    uncovered = seat if turn == "claimed" else None
    viewer = session.viewer_of(grant, uncovered)
    hand = position_for(session.game, viewer, session.private)["seats"][seat]["hand"]
    assert isinstance(hand, list) is ("sees" in words)
    assert (seat in session.seats_of(grant)) is ("plays" in words)
    assert (session.covered(grant, uncovered) == seat) is (words == "plays")
    assert TABLE[role, place, turn] == ("sees" in words, "plays" in words)
    assert {case[:3] for case in CASES} == TABLE.keys()


def test_claim_ends_when_another_person_of_the_screen_is_to_move() -> None:
    session, seat = session_with(HOST, "claimed")
    other = next(number for number in session.people if number != seat)
    assert session.seat_shown(Grant("host"), other) is None
    assert (session.covered(Grant("host"), other), session.seat_shown(Grant("host"), seat)) == (seat, seat)
