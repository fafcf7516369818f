"""Fair among people: nobody is told, plays or takes back what is another one's, whatever they try."""

from contextlib import ExitStack
from functools import cache
from typing import Any

import numpy as np
import pytest

from oddville_env import OldTown
from oddville_env.core.game.game_type import game_type
from oddville_env.web.messages.analysis import turning_moves
from oddville_env.web.sessions.access import Keys
from oddville_env.web.sessions.session import Session
from support.page.hidden_cards import cards_in, known_to
from support.page.live import Browser, Live

PAIR = ("human", "human")


def town(live: Live, *seats: str, **more: Any) -> tuple[dict[str, Any], Any]:
    """A game of Old Town with agents that do not dawdle, and what the server holds of it."""
    made = live.make(*seats, game="oldtown", **more)
    session = live.session(made)
    session.pace = 0.0
    return made, session


def hands_seen(browser: Browser) -> set[int]:
    """The seats whose hands were shown in any message."""
    states = [message for message in browser.heard if message["type"] == "state"]
    return {seat["seat"] for state in states for seat in state["table"]["seats"] if seat["hand"]}


def newest(*browsers: Browser) -> None:
    """Hear all that was said so far."""
    for number, browser in enumerate(browsers):
        browser.say("ping", id=900 + number)
        browser.until("pong", id=900 + number)


def play(live: Live, browsers: list[Browser], moves: int) -> None:
    """So many moves of whoever may."""
    until = browsers[0].state["moves"] + moves
    while browsers[0].state["moves"] < until and not browsers[0].state["over"]:
        for browser in browsers:
            if browser.state["may"]["move"]:
                browser.play(sorted(browser.words())[-1])
        newest(*browsers)


def test_the_host_neither_sees_nor_plays_a_seat_that_has_a_browser_of_its_own(live: Live) -> None:
    made, session = town(live, *PAIR, seed=3)
    keys = made["keys"]
    with live.enter(made, "host", 1) as (host, friend):
        newest(host)
        assert host.state["covered"] == 0
        host.uncover()
        newest(friend)
        play(live, [host, friend], 24)
        assert hands_seen(host) == {0}
        assert hands_seen(friend) == {1}
        while session.game.to_move != 1:
            host.play(host.words()[0])
        newest(friend)
        assert host.ask("move", "error", word=friend.words()[0], at=session.moves)["code"] == "not_your_turn"
        assert host.ask("uncover", "error", seat=1)["code"] == "not_allowed"
        assert host.ask("seat", "error", seat=1, agent="random")["code"] == "not_allowed"
    with live.browser(made["id"], keys["host"]) as host:
        assert host.hello["links"]["seats"] == [None, None]
        assert hands_seen(host) == {0}


def test_on_a_shared_screen_a_hand_is_covered_until_its_person_is_there(live: Live) -> None:
    made, session = town(live, *PAIR, seed=3)
    with live.browser(made["id"], made["keys"]["host"]) as host:
        for _ in range(20):
            turn = session.game.to_move
            assert host.state["covered"] == turn
            assert (host.state["view"], host.state["legal"], host.state["may"]["move"]) == (None, [], False)
            word = session.game.legal_moves.words()[0]
            assert host.ask("move", "error", word=word, at=session.moves)["code"] == "not_now"
            assert host.ask("uncover", "error", seat=1 - turn)["code"] == "not_allowed"
            assert cards_in(host.state) <= known_to(session.game, None) | cards_in(
                [entry["word"] for entry in session.entries]
            )
            while session.game.to_move == turn:
                host.uncover()
                assert host.state["view"] == turn
                host.play(host.words()[-1])


def test_a_hand_that_was_shown_on_the_host_s_screen_is_played_by_no_link(live: Live) -> None:
    made, _ = town(live, *PAIR, seed=3)
    with live.browser(made["id"], made["keys"]["host"]) as host:
        host.uncover()
        (shown,) = hands_seen(host)
    for _ in range(2):
        with live.browser(made["id"], made["keys"]["seats"][shown]) as other:
            assert (other.hello["mine"], other.state["view"], other.words()) == ([], None, [])
            assert hands_seen(other) == set()
            assert other.ask("seat", "error", seat=shown, agent="random")["code"] == "not_allowed"
        live = live.again()
    live.stop()


def test_a_seat_that_lends_itself_to_an_agent_is_shown_nothing_more(live: Live) -> None:
    made, _ = town(live, *PAIR, seed=3)
    keys = made["keys"]
    with live.enter(made, 0, 1) as (one, two):
        play(live, [one, two], 6)
        for _ in range(3):
            one.say("seat", seat=0, agent="greedy")
            one.until("state", reason="seats")
            for agent in ("greedy", "random"):
                assert one.ask("analyse", "error", agent=agent)["code"] == "not_now"
            assert live.get(f"api/games/{made['id']}/record", key=keys["seats"][0]).status_code == 409
            one.say("seat", seat=0, agent=None)
            one.until("state", reason="seats")
            play(live, [one, two], 3)
        assert hands_seen(one) == {0}
        assert hands_seen(two) == {1}


def test_agents_in_all_seats_for_a_moment_open_nothing(live: Live) -> None:
    made, _ = town(live, *PAIR, seed=3)
    with live.enter(made, "host", "watch") as (host, watcher):
        host.say("pause", paused=True)
        for seat in (0, 1):
            host.say("seat", seat=seat, agent="greedy")
        newest(host, watcher)
        assert [seat["kind"] for seat in host.state["seats"]] == ["agent", "agent"]
        for browser in (host, watcher):
            assert browser.ask("go", "state", move=0)["view"] is None
            assert browser.ask("analyse", "error", agent="greedy", move=0)["code"] == "not_now"
            assert browser.ask("chances", "error", agent="greedy")["code"] == "not_now"
            assert browser.ask("play_on", "error", move=0, seats=["human", "greedy"])["code"] == "not_now"
        assert hands_seen(watcher) == set()
        assert hands_seen(host) == {1}  # it was alone there for a moment
        assert live.get(f"api/games/{made['id']}/record", key=made["keys"]["host"]).status_code == 409
        host.say("seat", seat=0, agent=None)
        newest(host)
        assert host.state["seats"][0]["kind"] == "human"
        assert host.state["practice"]


def test_nobody_sits_down_in_a_game_that_was_shown_with_open_hands(live: Live) -> None:
    made, _ = town(live, "random", "random", seed=3)
    with live.browser(made["id"], made["keys"]["watch"]) as watcher:
        assert hands_seen(watcher) == {0, 1}
        assert live.get(f"api/games/{made['id']}/record", key=made["keys"]["host"]).status_code == 409
    for _ in range(2):
        with live.browser(made["id"], made["keys"]["host"]) as host:
            assert host.ask("seat", "error", seat=0, agent=None)["code"] == "not_allowed"
        live = live.again()
    live.stop()


def test_a_game_that_is_played_on_counts_as_practice(live: Live) -> None:
    made, _ = town(live, "random", "random", seed=3)
    with live.browser(made["id"], made["keys"]["host"]) as host:
        while not host.state["over"]:
            host.hear()
        new = host.ask("play_on", "made", move=12, seats=["human", "random"])["game"]
        assert not host.state["practice"]
    with live.browser(new["id"], new["keys"]["watch"]) as watcher:
        assert watcher.state["practice"]


def test_a_hand_of_a_shared_screen_that_an_agent_takes_over_makes_it_practice(live: Live) -> None:
    made, session = town(live, *PAIR, seed=3)
    with live.browser(made["id"], made["keys"]["host"]) as host:
        turn = session.game.to_move
        while session.game.to_move == turn:
            host.uncover()
            host.play(host.words()[-1])
        assert not host.state["practice"]
        host.say("seat", seat=turn, agent="greedy")
        newest(host)
        assert host.state["practice"]


def test_taking_back_needs_the_consent_of_the_other_people(live: Live) -> None:
    made = live.make(*PAIR, seed=4)
    session = live.session(made)
    made["keys"]
    with live.enter(made, "host", 1, "watch") as (host, friend, watcher):
        newest(host)
        play(live, [host, friend], 2)
        one, other = (host, friend) if session.entries[-1]["seat"] == 0 else (friend, host)
        moves = session.moves
        for agrees in (False, True):
            assert one.state["may"]["undo"]
            one.say("undo")
            newest(one, other, watcher)
            assert session.moves == moves
            waiting = int(other is friend)
            expected = {"what": "undo", "seats": [1 - waiting], "move": moves - 1, "waits": [waiting]}
            assert watcher.state["asks"] == expected
            assert one.ask("agree", "error", agrees=True)["code"] == "not_now"
            assert watcher.ask("agree", "error", agrees=True)["code"] == "not_now"
            assert other.state["may"]["agree"]
            other.say("agree", agrees=agrees)
            newest(other, one, watcher)
            assert watcher.state["asks"] is None
        assert session.moves == watcher.state["moves"] == moves - 1
        play(live, [host, friend], 1)
        one, other = (host, friend) if session.entries[-1]["seat"] == 0 else (friend, host)
        one.say("undo")
        newest(one, other)
        play(live, [host, friend], 1)  # a question that nobody answered ends with the next move
        assert other.state["asks"] is None
        assert other.ask("agree", "error", agrees=True)["code"] == "not_now"


@pytest.mark.parametrize("game", ["oldtown", "oddville"])
def test_among_people_what_was_revealed_is_not_taken_back(live: Live, game: str) -> None:
    made = live.make(*PAIR, seed=4, game=game)
    session = live.session(made)
    with live.browser(made["id"], made["keys"]["host"]) as host:
        kept = set()
        for _ in range(60):
            host.uncover()
            assert host.state["view"] == host.state["to_move"]
            host.play(sorted(host.words())[len(host.words()) // 2])
            if not host.state["may"]["undo"]:
                kept.add(host.state["word"].split(":")[0])
                assert host.ask("undo", "error")["code"] == "not_allowed"
                assert session.moves == host.state["moves"]
        assert kept & {"buy", "play", "draw"}
        assert "take" not in kept or game == "oddville"
        assert "coins" not in kept


def test_who_plays_alone_is_dealt_anew_what_an_undone_move_revealed(live: Live) -> None:
    made = live.make("human", "random", seed=4)
    session = live.session(made)
    with live.browser(made["id"], made["keys"]["host"]) as host:
        host.say("pace", seconds=0)
        while True:
            while not host.state["may"]["move"]:
                host.hear()
            buys = [word for word in host.words() if word.startswith("buy")]
            if buys:
                break
            host.play(host.words()[0])
        before, rows = host.state["position"], set()
        host.say("pause", paused=True)
        for _ in range(6):
            rows.add(tuple(host.play(buys[0])["position"]["row"]))
            host.say("undo")
            state = host.until("state", reason="undo")
            assert state["position"] == before
            assert host.words()
        assert len(rows) > 2
        assert not host.state["practice"]
        assert len(session.entries) == session.moves == len(session.game.moves)


@pytest.mark.parametrize("game", ["oldtown", "oddville"])
def test_agents_are_asked_among_people_only_in_a_game_with_help(live: Live, game: str) -> None:
    for help_wanted in (False, True):
        made = live.make(*PAIR, seed=4, game=game, help=help_wanted)
        with live.enter(made, "host", 1, "watch") as (host, friend, watcher):
            assert [each.hello["help"] for each in (host, friend, watcher)] == [help_wanted] * 3
            newest(host)
            host.uncover()
            newest(friend)
            turn, other = (host, friend) if host.state["may"]["move"] else (friend, host)
            assert turn.state["may"]["hint"] == turn.state["may"]["analyse"] == help_wanted
            answer = "analysis" if help_wanted else "error"
            assert turn.ask("hint", answer)["type"] == answer
            assert turn.ask("analyse", answer, agent="greedy")["type"] == answer
            open_to_all = help_wanted and game == "oddville"
            assert other.ask("analyse", "analysis" if open_to_all else "error", agent="greedy")
            assert not watcher.state["may"]["analyse"]
            assert watcher.ask("analyse", "error", agent="greedy")["code"] == "not_now"


class Viewer:
    """A key, with the browser that has it open, if one has, and whose hands it may be shown."""

    def __init__(self, live: Live, made: dict[str, Any], session: Any, key: str, seat: int | None) -> None:
        self.live, self.made, self.session, self.key, self.seat = live, made, session, key, seat
        self.browser: Browser | None = None
        self.stack = ExitStack()

    def turn(self) -> None:
        """Come, or go."""
        if self.browser:
            self.check(set())
            self.stack.close()
            self.browser = None
        else:
            self.browser = self.stack.enter_context(self.live.browser(self.made["id"], self.key))

    def check(self, own: set[int]) -> int:
        """Every message since the last check tells no more than its view's; own: seats with browsers of their own."""
        assert self.browser
        newest(self.browser)
        states = [message for message in self.browser.heard if message["type"] == "state"]
        named = cards_in([entry["word"] for entry in self.session.entries])
        known = cache(lambda move, view: known_to(self.session.at(min(move, self.session.moves)), view))
        for message in self.browser.heard:
            view = message.get("view", self.browser.state["view"])
            shown = message.get("shown", message.get("move", self.session.moves)) or 0
            assert cards_in(message) <= named | known(shown, view) | known(max(shown - 1, 0), view)
            if message["type"] == "state":
                assert view is None or (view == self.seat if self.key != self.made["keys"]["host"] else view not in own)
                assert not message["legal"] or message["to_move"] == view
        self.browser.heard.clear()
        return len(states)

    def act(self, rng: np.random.Generator, players: int) -> None:
        """Play, where it may, and try one thing more, whether it may or not."""
        browser = self.browser
        assert browser
        newest(browser)
        if browser.state["may"]["move"]:
            browser.play(browser.words()[rng.integers(len(browser.words()))])
        seat, moment = int(rng.integers(players)), int(rng.integers(self.session.moves + 1))
        deeds: list[tuple[str, dict[str, Any]]] = [
            *(("seat", {"seat": seat, "agent": agent}) for agent in ("random", None)),
            *(("go", {"move": move}) for move in (moment, None)),
            ("uncover", {"seat": seat}),
            ("analyse", {"agent": "greedy", "move": moment}),
            ("hint", {}),
            ("play_on", {"move": 0, "seats": ["human"] * players}),
        ]
        deed = rng.integers(len(deeds) + 1)
        if deed < len(deeds):
            browser.say(deeds[deed][0], **deeds[deed][1])
        else:
            record = self.live.get(f"api/games/{self.made['id']}/record", key=self.key)
            assert record.status_code == (200 if self.session.game.is_over else 409)


@pytest.mark.parametrize("seed", [1, 2], ids=["three with help, one an agent", "four without help"])
def test_no_order_of_deeds_tells_anybody_what_they_may_not_know(live: Live, seed: int) -> None:
    rng = np.random.default_rng(seed)
    players = 2 + seed % 3
    seats = ["human", "human", *("human" if rng.random() < 0.5 else "random" for _ in range(players - 2))]
    made, session = town(live, *seats, seed=seed, help=bool(seed % 2))
    keys = made["keys"]
    viewers = [Viewer(live, made, session, key, seat) for seat, key in enumerate(keys["seats"]) if key]
    viewers += [Viewer(live, made, session, keys[role], None) for role in ("host", "watch")]
    told, own = 0, set()
    for _ in range(150):
        viewer = viewers[rng.integers(len(viewers))]
        if viewer.browser is None or rng.random() < 0.05:
            if viewer.seat is not None and session.seats[viewer.seat].place != "host":
                for other in viewers:
                    if other.browser:
                        told += other.check(own)
                own.add(viewer.seat)
            viewer.turn()
        if viewer.browser is None:
            continue
        viewer.act(rng, players)
        if session.game.is_over:
            break
        told += viewer.check(own)
    assert told > 100
    for viewer in viewers:
        viewer.stack.close()


def test_against_agents_nothing_is_told_of_what_they_hold(live: Live) -> None:
    made, _ = town(live, "human", "random", seed=3)
    with live.browser(made["id"], made["keys"]["host"]) as browser:
        while browser.state["moves"] < 12 or not browser.state["may"]["move"]:
            if browser.state["may"]["move"]:
                browser.play(browser.words()[0])
            else:
                browser.hear()
        own, others = ([each["move"] - 1 for each in browser.entries if each["seat"] == seat][-1] for seat in (0, 1))
        assert browser.ask("analyse", "analysis", agent="greedy", move=own)["seat"] == 0
        assert browser.ask("analyse", "error", agent="greedy", move=others)["why"] == "would_tell"
        assert not browser.state["may"]["chances"]
        assert browser.ask("chances", "error", agent="greedy")["why"] == "no_chances"
        assert hands_seen(browser) == {0}


def test_the_check_for_hidden_cards_finds_them_wherever_they_are() -> None:
    told = {"a": {"hand": [3, 4]}, "b": ["hand:0:5"], "c": "plan-6", "word": "show:7", "card": 8, "n": 9, "hand": 2}
    assert cards_in(told) == {3, 4, 5, 6, 7, 8}


def test_a_record_is_replayed_with_all_hands_open(live: Live) -> None:
    game = OldTown(3, seed=2)
    for _ in range(20):
        game.push(sorted(game.legal_moves.words())[0])
    record = game.record()
    made = live.http.post(f"{live.address}api/games", json={"game": "oldtown", "upload": record}).json()
    with live.browser(made["id"], made["keys"]["watch"]) as watcher:
        state = watcher.ask("go", "state", move=12)
        hands = [[card["card"] for card in seat["hand"]] for seat in state["table"]["seats"]]
        game = live.session(made).at(12)
        assert hands == [seat["hand"] for seat in game.position()["seats"]]
        assert state["played_next"] == record["moves"][12]


def test_drawn_card_is_luck_and_no_turning_move() -> None:
    kind, game = game_type("oldtown"), OldTown(2, seed=2)
    while not any(move.word.startswith("draw") for move in game.moves[4:]):
        game.push(sorted(game.legal_moves.words())[0])
    session = Session("x" * 22, kind, game, [], Keys.fresh(2), {})
    falling = [[1 - 0.05 * number] * 2 for number in range(session.moves + 1)]
    turns = turning_moves(session, falling, [None] * session.moves)
    assert turns
    assert not any(turn["word"].startswith("draw") for turn in turns)


def test_legal_moves_tell_what_they_do_and_why(live: Live) -> None:
    made = live.make("human", "human", game="oldtown", seed=3)
    with live.browser(made["id"], made["keys"]["host"]) as browser:
        plays: list[dict[str, Any]] = []
        while len(plays) < 10:
            browser.uncover()
            moves = [move for group in browser.state["legal"] for move in group["moves"]]
            plays += [move for move in moves if move["word"].startswith("play")]
            browser.play(sorted(browser.words())[-1])
        for move in plays:
            gone = len(move["goes"]) + 5 * len({each["building"] for each in move["comes"] + move["stands"]})
            assert move["why"][0]["card"] == move["parts"]["card"]
            assert 0 <= max(move["scores"]) <= gone
            assert move["why"][0]["text"].startswith(f"Card {move['parts']['card']} ")
