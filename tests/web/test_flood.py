"""Many games, floods of messages and slow agents delay no other player, and leave nothing behind."""

import asyncio
import gc
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from oddville_env.core.parts.played_game import PlayedGame
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.web.messages.connection import MOST_UNREAD, MOST_WAITING, TOO_SLOW, Connection
from oddville_env.web.messages.protocol import parse_new_game
from oddville_env.web.sessions.lobby import Lobby
from oddville_env.web.sessions.room import Room
from oddville_env.web.sessions.session import Session
from oddville_env.web.sessions.thinking import QUICK, SeatedAgent
from support.page.live import WAIT_S, Live


class Deaf:
    """A websocket whose browser asks again and again, and reads no answer."""

    async def receive(self) -> dict[str, Any]:
        return {"type": "websocket.receive", "text": json.dumps({"type": "ping"})}

    async def send_text(self, text: str) -> None:
        await asyncio.Event().wait()

    async def close(self, code: int) -> None:
        pass


def test_browser_that_reads_nothing_is_heard_no_more_and_marked_too_slow(tmp_path: Path) -> None:
    async def talked() -> tuple[int, int | None, int | None]:
        lobby = Lobby([ODDVILLE], tmp_path, [])
        room = await lobby.make(parse_new_game(json.dumps({"game": "oddville", "seats": ["human", "human"]})))
        connection = Connection(Deaf(), await lobby.enter(room.session.id, room.session.keys.watch), lobby)
        talk = asyncio.create_task(connection.run())
        while connection._outgoing.qsize() < MOST_UNREAD:
            await asyncio.sleep(0.001)
        for _ in range(2 * MOST_WAITING):
            await asyncio.sleep(0)
        waiting, before = connection._outgoing.qsize(), connection._closing
        for _ in range(MOST_WAITING):
            connection.update("move")  # others play
        talk.cancel()
        return waiting, before, connection._closing

    with ThreadPoolExecutor(1) as thread:  # a browser of other tests may have this one's loop
        assert thread.submit(asyncio.run, talked()).result() == (MOST_UNREAD, None, TOO_SLOW)


def test_quick_agent_does_not_wait_for_slow_ones(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    released, move = threading.Event(), SeatedAgent._move

    def slow(agent: SeatedAgent, view: Any) -> int:
        if agent.spec == "random":
            released.wait(2 * WAIT_S)
        return move(agent, view)

    monkeypatch.setattr(SeatedAgent, "_move", slow)
    with ExitStack() as stack:
        stack.callback(released.set)
        for seed in range(2 * QUICK):
            stack.enter_context(live.enter(live.make("random", "random", seed=seed), "watch"))
        (quick,) = stack.enter_context(live.enter(live.make("human", "greedy", seed=1), "host"))
        quick.say("pace", seconds=0)
        for _ in range(4):
            quick.wait(lambda state: state["may"]["move"])
            quick.play(quick.words()[0])


def test_games_go_on_at_once_and_no_message_is_lost(live: Live) -> None:
    def watched(seed: int) -> list[int]:
        made = live.make("random", "random", seed=seed, settings={"max_rounds": 3})
        with live.enter(made, "host") as (browser,):
            browser.say("pace", seconds=0.05)
            browser.wait(lambda state: state["over"])
            states = [each for each in browser.heard if each["type"] == "state"]
            return [state["moves"] for state in states if state["reason"] in ("enter", "move")]

    with ThreadPoolExecutor(10) as threads:
        for told in threads.map(watched, range(10)):
            assert told == list(range(told[0], told[-1] + 1))


def test_games_that_are_over_leave_memory_without_visitors(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oddville_env.web.sessions.lobby.OVER_AFTER", 0.0)
    held = []
    for games in (3, 10):
        for seed in range(games):
            made = live.make("random", "random", seed=seed, settings={"max_rounds": 1})
            live.session(made).pace = 0.0
            with live.enter(made, "watch") as (browser,):
                browser.wait(lambda state: state["over"])
        gc.collect()
        held.append(sum(issubclass(type(each), PlayedGame | Session | Room | Connection) for each in gc.get_objects()))
    assert held[1] < held[0] + 10  # of a game or two that are just being left; all ten are 30 and more
    assert len(live.lobby.rooms) <= 2


def test_games_at_rest_leave_memory_without_visitors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oddville_env.web.sessions.lobby.FORGOTTEN_AFTER", 0.2)
    monkeypatch.setattr("oddville_env.web.sessions.lobby.LOOK_AFTER_S", 0.1)
    live = Live(tmp_path).start()
    made = [live.make("human", "human", seed=seed) for seed in range(5)]
    with live.enter(made[0], "host") as (browser,):
        until = time.monotonic() + WAIT_S
        while len(live.lobby.rooms) > 1:
            assert time.monotonic() < until
            time.sleep(0.05)
        browser.play(browser.words()[0])
    with live.enter(made[1], "host") as (browser,):
        assert browser.state["moves"] == 0
    live.stop()
