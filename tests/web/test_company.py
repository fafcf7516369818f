"""People at one table: names, the chat, lists of games, the next game, as the server has them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from oddville_env.core.game.game_type import game_type
from oddville_env.web.sessions.saving import Folder
from support.helpers import random_game
from support.page.live import Browser, Live

GAMES = [game_type("oddville"), game_type("oldtown")]
ENDED = {"max_rounds": 1}


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    server = Live(tmp_path / "games", games=GAMES).start()
    yield server
    server.stop()


def pair(live: Live, **more: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    made = live.make("human", "human", **more)
    return made, made["keys"]


def about(live: Live, made: dict[str, Any], key: str) -> dict[str, Any]:
    return dict(live.get(f"api/games/{made['id']}", key=key).json())


def heard_all(browser: Browser) -> list[dict[str, Any]]:
    """All lines of the chat that came so far."""
    browser.ask("ping", "pong")
    return [line for message in browser.heard if message["type"] == "chat" for line in message["lines"]]


def ended(live: Live, made: dict[str, Any]) -> Any:
    """The game, played to its end by its words."""
    session = live.session(made)
    while not session.game.is_over:
        session.push(session.game.legal_moves.words()[0])
    return session


def test_guests_say_how_they_are_called_and_nobody_takes_another_s_name(live: Live) -> None:
    made, keys = pair(live, names=["Ann", None])
    with live.browser(made["id"], keys["host"]) as host, live.browser(made["id"], keys["seats"][1]) as guest:
        assert guest.ask("name", "error", seat=0, name="Eve")["why"] == "their_name"
        assert guest.ask("name", "error", seat=1, name=" ann ")["why"] == "name_taken"
        guest.say("name", seat=1, name=" Bob\u202e \n the\tFirst")
        while host.hear().get("seats", [{}, {}])[1].get("person") != "Bob the First":
            pass
        assert host.ask("name", "error", seat=1, name="Fool")["why"] == "their_name"
    live.stop()
    assert Folder(live.folder, {each.name: each for each in GAMES}, {}).read(made["id"]).seats[1].person == (
        "Bob the First"
    )


def test_people_and_spectators_chat_and_who_comes_later_reads_it(live: Live) -> None:
    made, keys = pair(live)
    with (
        live.browser(made["id"], keys["host"]) as host,
        live.browser(made["id"], keys["seats"][1]) as guest,
        live.browser(made["id"], keys["watch"]) as watcher,
    ):
        host.say("chat", text="Hello\n<b>you</b>", name="somebody else")
        guest.until("chat")
        watcher.say("chat", text="Nice town", name="Zoe")
        guest.until("chat")
        told = [(line["seat"], line["name"], line["text"]) for line in heard_all(guest)]
        assert told == [(0, None, "Hello <b>you</b>"), (None, "Zoe", "Nice town")]
    with live.browser(made["id"], keys["seats"][1]) as guest:
        assert len(heard_all(guest)) == 2
    live.stop()
    again = Live(live.folder, games=GAMES).start()
    with again.browser(made["id"], keys["watch"]) as watcher:
        assert [line["text"] for line in heard_all(watcher)] == ["Hello <b>you</b>", "Nice town"]
    again.stop()


LOOK_ALIKES = (" ann\u200b", "\u0410nn", "\uff21NN", "A\u0301nn", "A.n.n", "\U0001d400nn")
LABELS = ("Purple", "Purp1e", "\u0420urple", "P\u057drple", "\u13e2urple", "Violett", "greedy", "Search", "Beginner")


@pytest.mark.parametrize("name", [*LOOK_ALIKES, *LABELS])
def test_spectator_cannot_chat_by_a_name_like_a_player_s_or_an_agent_s(halls: Any, name: str) -> None:
    live = halls("oddville", "oldtown")
    made, keys = pair(live, names=["Ann", None])
    with live.browser(made["id"], keys["watch"]) as watcher, live.browser(made["id"], keys["seats"][1]) as guest:
        assert watcher.ask("chat", "error", text="Hello", name=name)["why"] == "name_taken"
        assert watcher.ask("chat", "chat", text="Hello", name="Zoe")["lines"][0]["name"] == "Zoe"
        if name in LOOK_ALIKES:
            assert guest.ask("name", "error", seat=1, name=name)["why"] == "name_taken"


def test_the_host_switches_the_chat_off_and_nobody_else(live: Live) -> None:
    made, keys = pair(live)
    with live.browser(made["id"], keys["host"]) as host, live.browser(made["id"], keys["seats"][1]) as guest:
        assert guest.ask("allow_chat", "error", allowed=False)["why"] == "host_chats"
        host.say("allow_chat", allowed=False)
        guest.until("state", chat=False)
        assert not guest.state["may"]["chat"]
        assert guest.ask("chat", "error", text="hello?")["why"] == "chat_off"
        assert heard_all(host) == []
    alone = live.make("human", "greedy")
    with live.browser(alone["id"], alone["keys"]["host"]) as host:
        assert host.ask("chat", "error", text="hello?")["why"] == "chat_off"


def test_who_says_too_much_waits_and_all_who_watch_count_as_one(live: Live) -> None:
    made, keys = pair(live)
    with (
        live.browser(made["id"], keys["host"]) as host,
        live.browser(made["id"], keys["watch"]) as one,
        live.browser(made["id"], keys["watch"]) as two,
    ):
        for number in range(5):
            (one if number % 2 else two).ask("chat", "chat", text=f"line {number}")
        heard_all(one)
        assert one.ask("chat", "error", text="more")["why"] == "chat_fast"
        assert two.ask("chat", "error", text="more")["why"] == "chat_fast"
        assert host.ask("chat", "error", text=" \u200b ")["why"] == "chat_empty"
        host.say("chat", text="I may still speak")
        assert heard_all(host)[-1]["text"] == "I may still speak"


def test_a_list_of_games_tells_whose_turn_it_is_and_how_it_ended(live: Live) -> None:
    made, keys = pair(live, names=["Ann", "Bob"], settings=ENDED, seed=4)
    before = about(live, made, keys["seats"][1])
    assert (before["role"], before["seat"], before["arrived"], before["inviter"]) == ("seat", 1, False, 0)
    assert [seat["person"] for seat in before["seats"]] == ["Ann", "Bob"]
    assert before["winners"] is None
    session = ended(live, made)
    after = about(live, made, keys["host"])
    assert after["winners"] == list(session.game.outcome.winners)
    assert after["scores"] == list(session.game.scores)
    assert after["over"]
    assert "position" not in after


def test_asking_for_a_game_takes_no_seat_and_tells_no_hand(live: Live) -> None:
    made, keys = pair(live, game="oldtown", seed=3)
    told = json.dumps(about(live, made, keys["seats"][1]))
    assert not any(seat.place for seat in live.session(made).seats)
    assert "hand" not in told
    assert "card" not in told


def test_a_rematch_changes_seats_and_keeps_wins_and_there_is_one(live: Live) -> None:
    made, keys = pair(live, names=["Ann", "Bob"], settings=ENDED, help=True)
    with live.browser(made["id"], keys["host"]) as host, live.browser(made["id"], keys["seats"][1]) as guest:
        assert host.ask("rematch", "error")["why"] == "no_rematch"
        winners = ended(live, made).game.outcome.winners
    with (
        live.browser(made["id"], keys["host"]) as host,
        live.browser(made["id"], keys["seats"][1]) as guest,
        live.browser(made["id"], keys["watch"]) as watcher,
    ):
        assert watcher.ask("rematch", "error")["why"] == "no_rematch"
        host.say("rematch")
        guest.say("rematch")
        while guest.state["rematch"] is None:
            guest.hear()
        host.ask("ping", "pong")
        watcher.ask("ping", "pong")
        ways = [browser.state["rematch"] for browser in (host, guest, watcher)]
    assert len({way["id"] for way in ways}) == 1
    assert about(live, made, keys["host"])["rematch"] == ways[0]
    with (
        live.browser(ways[0]["id"], ways[0]["key"]) as host,
        live.browser(ways[1]["id"], ways[1]["key"]) as guest,
        live.browser(ways[2]["id"], ways[2]["key"]) as watcher,
    ):
        host.ask("ping", "pong")
        assert [seat["person"] for seat in host.state["seats"]] == ["Bob", "Ann"]
        assert [seat["wins"] for seat in host.state["seats"]] == [1 in winners, 0 in winners]
        assert (host.hello["mine"], guest.hello["mine"], watcher.hello["mine"]) == ([1], [0], [])
        assert host.hello["settings"] == {"table": [17, 9], "max_rounds": 1}
        assert host.hello["help"]


def test_a_game_whose_rematch_counts_its_winner_is_not_taken_back(live: Live) -> None:
    made = live.make("human", "random", settings=ENDED)
    with live.browser(made["id"], made["keys"]["host"]) as host:
        ended(live, made)
        host.ask("pause", "state", paused=True)
        assert host.state["may"]["undo"]
        host.say("rematch")
        while host.state["rematch"] is None:
            host.hear()
        assert not host.state["may"]["undo"]
        assert host.ask("undo", "error")["why"] == "no_undo"
        assert host.state["over"]


def test_a_rematch_is_found_again_after_a_restart(live: Live) -> None:
    made, keys = pair(live, settings=ENDED)
    with live.browser(made["id"], keys["host"]):
        ended(live, made)
    with live.browser(made["id"], keys["host"]) as host:
        host.say("rematch")
        while host.state["rematch"] is None:
            host.hear()
        way = host.state["rematch"]
    live.stop()
    again = Live(live.folder, games=GAMES).start()
    assert about(again, made, keys["host"])["rematch"] == way
    assert again.get(f"api/games/{way['id']}", key=way["key"]).status_code == 200
    again.stop()


def test_a_rematch_seats_no_agent_that_is_not_offered(live: Live) -> None:
    made = live.make("human", "random", settings=ENDED)
    with live.browser(made["id"], made["keys"]["host"]):
        ended(live, made)
    with live.browser(made["id"], made["keys"]["host"]) as host:
        host.ask("pause", "state", paused=False)
    live.stop()
    (file,) = live.folder.glob("*.json")
    saved = json.loads(file.read_text())
    saved["chairs"][1]["agent"] = "colorsys:rgb_to_yiq"
    file.write_text(json.dumps(saved))
    again = Live(live.folder, games=GAMES).start()
    with again.browser(made["id"], made["keys"]["host"]) as host:
        host.say("rematch")
        while host.state["rematch"] is None:
            host.hear()
        way = host.state["rematch"]
    with again.browser(way["id"], way["key"]) as host:
        assert "not offered here" in host.state["seats"][0]["message"]
    again.stop()


def test_failed_agent_can_be_replaced_by_those_who_are_told_so(live: Live) -> None:
    made = live.make("human", "human", "greedy")
    keys, session = made["keys"], live.session(made)
    with (
        live.browser(made["id"], keys["host"]) as host,
        live.browser(made["id"], keys["seats"][1]) as guest,
        live.browser(made["id"], keys["watch"]) as watcher,
    ):
        assert not host.state["may"]["replace"]
        live.change(made, "seats", lambda: session.fail(2, "it has failed"))
        rights = [browser.until("state", reason="seats")["may"]["replace"] for browser in (guest, watcher)]
        assert rights == [False, False]
        while not host.state["may"]["replace"]:
            host.hear()
        host.say("seat", seat=2, agent="random")
        while host.state["may"]["replace"]:
            host.hear()
        assert session.seats[2].agent == "random"


def test_replays_have_neither_chat_nor_rematch(live: Live) -> None:
    record = random_game(2, 3).record()
    made = live.http.post(f"{live.address}api/games", json={"game": "oddville", "upload": record}).json()
    with live.browser(made["id"], made["keys"]["host"]) as host:
        assert not host.state["may"]["chat"]
        assert not host.state["may"]["rematch"]
