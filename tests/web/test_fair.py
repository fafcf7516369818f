"""Fair among people: nobody is told, plays or takes back what is another one's, whatever they try."""

from contextlib import ExitStack
from functools import cache
from typing import Any

import numpy as np
import pytest

from oddville_agents.judge import verdicts
from oddville_env import OldTown
from support.helpers import random_game
from support.page.hidden_cards import cards_in, known_to
from support.page.live import Browser, Live
from support.page.stages import play_to

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
    for number, browser in enumerate(browsers):
        browser.say("ping", id=900 + number)
        browser.until("pong", id=900 + number)


def play(browsers: list[Browser], moves: int) -> None:
    until = browsers[0].state["moves"] + moves
    while browsers[0].state["moves"] < until and not browsers[0].state["over"]:
        for browser in browsers:
            if browser.state["may"]["move"]:
                browser.play(sorted(browser.words())[-1])
        newest(*browsers)


def test_the_host_neither_sees_nor_plays_a_seat_that_has_a_browser_of_its_own(hall: Live) -> None:
    made, session = town(hall, *PAIR, seed=3)
    with hall.enter(made, "host", 1) as (host, friend):
        newest(host)
        assert host.state["covered"] == 0
        host.uncover()
        newest(friend)
        play([host, friend], 24)
        assert (hands_seen(host), hands_seen(friend)) == ({0}, {1})
        while session.game.to_move != 1:
            host.play(host.words()[0])
        newest(friend)
        assert host.ask("move", "error", word=friend.words()[0], at=session.moves)["code"] == "not_your_turn"
        assert host.ask("uncover", "error", seat=1)["code"] == "not_allowed"
        assert host.ask("seat", "error", seat=1, agent="random")["code"] == "not_allowed"
    with hall.enter(made, "host") as (host,):
        assert (host.hello["links"]["seats"], hands_seen(host)) == ([None, None], {0})


def test_on_a_shared_screen_a_hand_is_covered_until_its_person_is_there(hall: Live) -> None:
    made, session = town(hall, *PAIR, seed=3)
    with hall.enter(made, "host") as (host,):
        for _ in range(20):
            turn = session.game.to_move
            assert host.state["covered"] == turn
            assert (host.state["view"], host.state["legal"], host.state["may"]["move"]) == (None, [], False)
            word = session.game.legal_moves.words()[0]
            assert host.ask("move", "error", word=word, at=session.moves)["code"] == "not_now"
            assert host.ask("uncover", "error", seat=1 - turn)["code"] == "not_allowed"
            played = cards_in([entry["word"] for entry in session.entries])
            assert cards_in(host.state) <= known_to(session.game, None) | played
            while session.game.to_move == turn:
                host.uncover()
                assert host.state["view"] == turn
                host.play(host.words()[-1])
        assert not host.state["practice"]
        host.say("seat", seat=0, agent="greedy")  # an agent takes over a hand that was seen
        newest(host)
        assert host.state["practice"]


def test_a_hand_that_was_shown_on_the_host_s_screen_is_played_by_no_link(live: Live) -> None:
    made, _ = town(live, *PAIR, seed=3)
    with live.enter(made, "host") as (host,):
        host.uncover()
        (shown,) = hands_seen(host)
    for _ in range(2):
        with live.enter(made, shown) as (other,):
            assert (other.hello["mine"], other.state["view"], other.words()) == ([], None, [])
            assert hands_seen(other) == set()
            assert other.ask("seat", "error", seat=shown, agent="random")["code"] == "not_allowed"
        live.again()


def test_nobody_sits_down_in_a_game_that_was_shown_with_open_hands_but_it_can_be_played_on(live: Live) -> None:
    made, _ = town(live, "random", "random", seed=3)
    with live.enter(made, "watch") as (watcher,):
        assert hands_seen(watcher) == {0, 1}
        assert live.get(f"api/games/{made['id']}/record", key=made["keys"]["host"]).status_code == 409
    for _ in range(2):
        with live.enter(made, "host") as (host,):
            assert host.ask("seat", "error", seat=0, agent=None)["code"] == "not_allowed"
        live.again()
    with live.enter(made, "host") as (host,):
        host.play_out()
        new = host.ask("play_on", "made", move=12, seats=["human", "random"])["game"]
        assert not host.state["practice"]
    with live.enter(new, "watch") as (watcher,):
        assert watcher.state["practice"]


def test_taking_back_needs_the_consent_of_the_other_people(hall: Live) -> None:
    made = hall.make(*PAIR, seed=4)
    session = hall.session(made)
    with hall.enter(made, "host", 1, "watch") as (host, friend, watcher):
        newest(host)
        play([host, friend], 2)
        one, other = (host, friend) if session.entries[-1]["seat"] == 0 else (friend, host)
        moves, waiting = session.moves, int(other is friend)
        for agrees in (False, True):
            assert one.state["may"]["undo"]
            one.say("undo")
            newest(one, other, watcher)
            expected = {"what": "undo", "seats": [1 - waiting], "move": moves - 1, "waits": [waiting]}
            assert (session.moves, watcher.state["asks"]) == (moves, expected)
            for browser in (one, watcher):
                assert browser.ask("agree", "error", agrees=True)["code"] == "not_now"
            assert other.state["may"]["agree"]
            other.say("agree", agrees=agrees)
            newest(other, one, watcher)
            assert watcher.state["asks"] is None
        assert session.moves == watcher.state["moves"] == moves - 1
        play([host, friend], 1)
        one, other = (host, friend) if session.entries[-1]["seat"] == 0 else (friend, host)
        one.say("undo")
        newest(one, other)
        play([host, friend], 1)  # a question that nobody answered ends with the next move
        assert other.state["asks"] is None
        assert other.ask("agree", "error", agrees=True)["code"] == "not_now"


@pytest.mark.parametrize("game", ["oldtown", "oddville"])
def test_among_people_what_was_revealed_is_not_taken_back(hall: Live, game: str) -> None:
    made = hall.make(*PAIR, seed=4, game=game)
    session = hall.session(made)
    with hall.enter(made, "host") as (host,):
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


def test_who_plays_alone_is_dealt_anew_what_an_undone_move_revealed(hall: Live) -> None:
    made = hall.make("human", "random", seed=4)
    session = hall.session(made)
    session.paused = True
    play_to(hall, made, "buy")
    with hall.enter(made, "host") as (host,):
        buy = next(word for word in host.words() if word.startswith("buy"))
        before, rows = host.state["position"], set()
        for _ in range(6):
            rows.add(tuple(host.play(buy)["position"]["row"]))
            host.say("undo")
            assert host.until("state", reason="undo")["position"] == before
            assert host.words()
        assert len(rows) > 2
        assert not host.state["practice"]
        assert len(session.entries) == session.moves == len(session.game.moves)


@pytest.mark.parametrize("game", ["oldtown", "oddville"])
def test_agents_are_asked_among_people_only_in_a_game_with_help(hall: Live, game: str) -> None:
    for help_wanted in (False, True):
        made = hall.make(*PAIR, seed=4, game=game, help=help_wanted)
        with hall.enter(made, "host", 1, "watch") as (host, friend, watcher):
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
def test_no_order_of_deeds_tells_anybody_what_they_may_not_know(hall: Live, seed: int) -> None:
    rng, players = np.random.default_rng(seed), 2 + seed % 3
    seats = ["human", "human", *("human" if rng.random() < 0.5 else "random" for _ in range(players - 2))]
    made, session = town(hall, *seats, seed=seed, help=bool(seed % 2))
    keys = made["keys"]
    viewers = [Viewer(hall, made, session, key, seat) for seat, key in enumerate(keys["seats"]) if key]
    viewers += [Viewer(hall, made, session, keys[role], None) for role in ("host", "watch")]
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


def test_against_agents_nothing_is_told_of_what_they_hold(hall: Live) -> None:
    made, _ = town(hall, "human", "random", seed=3)
    with hall.enter(made, "host") as (browser,):
        while browser.state["moves"] < 12 or not browser.state["may"]["move"]:
            if browser.state["may"]["move"]:
                browser.play(browser.words()[0])
            else:
                browser.hear()
        own, others = ([each["move"] - 1 for each in browser.entries if each["seat"] == seat][-1] for seat in (0, 1))
        assert browser.ask("analyse", "analysis", agent="greedy", move=own)["seat"] == 0
        assert browser.ask("analyse", "error", agent="greedy", move=others)["why"] == "would_tell"
        assert browser.ask("chances", "error", agent="greedy")["why"] == "no_chances"
        assert browser.ask("compare", "error", agents=["greedy", "random"])["why"] == "no_chances"
        assert hands_seen(browser) == {0}


def test_the_check_for_hidden_cards_finds_them_wherever_they_are() -> None:
    told = {"a": {"hand": [3, 4]}, "b": ["hand:0:5"], "c": "plan-6", "word": "show:7", "card": 8, "n": 9, "hand": 2}
    assert cards_in(told) == {3, 4, 5, 6, 7, 8}


def test_a_record_is_replayed_with_all_hands_open(hall: Live) -> None:
    made = hall.upload(random_game(3, 2, moves=20, make=OldTown).record(), "oldtown")
    with hall.enter(made, "watch") as (watcher,):
        state = watcher.ask("go", "state", move=12)
    hands = [[card["card"] for card in seat["hand"]] for seat in state["table"]["seats"]]
    assert hands == [seat["hand"] for seat in hall.session(made).at(12).position()["seats"]]
    assert state["played_next"] == hall.session(made).entries[12]["word"]


def test_drawn_card_is_luck_and_no_part_of_a_loss() -> None:
    game, found = OldTown(2, seed=2), {}
    while not (game.moves[4:] and "draw:common" in game.legal_moves.words()):
        game.push(sorted(game.legal_moves.words())[-1])
    for seed in range(6):
        sample = OldTown.from_record(game.sample_unseen(game.to_move, np.random.default_rng(seed)).record())
        sample.push("draw:common")
        found[str(sample.position()["seats"][game.to_move]["hand"])] = list(verdicts(sample, "champion"))[-1]
    assert (len(found) > 1, len(set(found.values()))) == (True, 1)
