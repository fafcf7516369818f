"""A game with hidden hands and without a table of its own: each browser sees what its seats may see."""

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from oddville_env import Game
from oddville_env.oddville.game_type import ODDVILLE
from support.page.live import Browser, Live


class HiddenHands(Game):
    """OddVille in which nobody sees the worker cards of others."""

    def position(self, view: int | None = None) -> dict[str, Any]:
        """Hands of others are numbers."""
        position = super().position(view)
        seats = position["seats"]
        if view is not None:
            for seat in range(self.players):
                if seat != view:
                    seats[seat] = {**seats[seat], "hand": len(seats[seat]["hand"])}
        return {**position, "view": view}

    def copy(self) -> "HiddenHands":
        """A copy hides as much."""
        other = super().copy()
        other.__class__ = HiddenHands
        return other  # type: ignore[return-value]


HIDDEN = dataclasses.replace(ODDVILLE, title="Hidden hands", game=HiddenHands, scene=None, sources=())


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    server = Live(tmp_path / "games", games=[HIDDEN]).start()
    yield server
    server.stop()


def hands(state: dict[str, Any]) -> list[bool]:
    """Whose hands are seen."""
    return [isinstance(seat["hand"], list) for seat in state["position"]["seats"]]


def play_some(browsers: list[Browser], moves: int) -> None:
    while browsers[0].state["moves"] < moves:
        (turn,) = [browser for browser in browsers if browser.state["may"]["move"]]
        turn.play(turn.words()[0])
        for browser in browsers:
            if browser is not turn:
                browser.until("state", moves=turn.state["moves"])


def test_every_seat_sees_its_own_hand_alone_and_a_spectator_none(live: Live) -> None:
    made = live.make("human", "human", "human", seed=1)
    keys = made["keys"]
    with (
        live.browser(made["id"], keys["seats"][0]) as one,
        live.browser(made["id"], keys["seats"][1]) as two,
        live.browser(made["id"], keys["seats"][2]) as three,
        live.browser(made["id"], keys["watch"]) as watcher,
    ):
        play_some([one, two, three], 9)
        watcher.until("state", moves=9)
        for seat, browser in enumerate((one, two, three)):
            told = [message for message in browser.heard if message["type"] == "state"]
            assert all(hands(state) == [seat == other for other in range(3)] for state in told)
            assert all(state["view"] == seat for state in told)
            assert all(not state["legal"] or state["to_move"] == seat for state in told)
        seen = [message for message in watcher.heard if message["type"] == "state"]
        assert all(hands(state) == [False] * 3 and state["view"] is None for state in seen)
        assert one.ask("go", "state", move=2)["view"] == 0
        assert hands(one.state) == [True, False, False]
        assert one.ask("analyse", "error", agent="greedy", move=2)["code"] == "not_now"
        assert one.ask("chances", "error", agent="greedy")["code"] == "not_now"


def test_against_agents_nothing_is_told_of_what_they_hold(live: Live) -> None:
    made = live.make("human", "random", seed=1)
    with live.browser(made["id"], made["keys"]["host"]) as browser:
        browser.say("pace", seconds=0)
        while browser.state["moves"] < 12:
            if browser.state["may"]["move"]:
                browser.play(browser.words()[0])
            else:
                browser.hear()
        own = [entry["move"] - 1 for entry in browser.entries if entry["seat"] == 0]
        others = [entry["move"] - 1 for entry in browser.entries if entry["seat"] == 1]
        assert browser.ask("analyse", "analysis", agent="greedy", move=own[-1])["seat"] == 0
        assert browser.ask("analyse", "error", agent="greedy", move=others[-1])["code"] == "not_now"
        assert browser.state["may"]["analyse"]
        assert not browser.state["may"]["chances"]
        assert browser.ask("chances", "error", agent="greedy")["code"] == "not_now"
        assert all(hands(message) == [True, False] for message in browser.heard if message["type"] == "state")


def test_a_game_without_a_table_of_its_own_is_played_by_picture_and_words(live: Live) -> None:
    made = live.make("human", "human", seed=1)
    with live.browser(made["id"], made["keys"]["host"]) as browser:
        assert browser.state["table"] is None
        browser.uncover()
        assert {move["text"] for group in browser.state["legal"] for move in group["moves"]} == set(browser.words())
        assert browser.state["drawings"] == {}
        browser.play(browser.words()[0])
