"""Floods of messages and slow agents delay no other player."""

import asyncio
import json
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.web.messages.connection import MOST_UNREAD, MOST_WAITING, TOO_SLOW, Connection
from oddville_env.web.messages.protocol import parse_new_game
from oddville_env.web.sessions.lobby import Lobby
from support.page.live import Live

SLOW_S = 3.0  # for a move of a slow agent


class Deaf:
    """A websocket whose browser asks again and again, and reads no answer."""

    async def receive(self) -> dict[str, Any]:
        return {"type": "websocket.receive", "text": json.dumps({"type": "go", "move": 0})}

    async def send_text(self, text: str) -> None:
        await asyncio.Event().wait()

    async def close(self, code: int) -> None:
        pass


def answer_time(browser: Any) -> float:
    """The seconds from a move to its answer."""
    start = time.perf_counter()
    browser.play(browser.words()[0])
    return time.perf_counter() - start


def test_browser_that_reads_nothing_is_heard_no_more(tmp_path: Path) -> None:
    async def talked() -> tuple[bool, int]:
        lobby = Lobby([ODDVILLE], tmp_path, [])
        room = await lobby.make(parse_new_game(json.dumps({"game": "oddville", "seats": ["human", "human"]})))
        entered = await lobby.enter(room.session.id, room.session.keys.watch)
        connection = Connection(Deaf(), entered, lobby)
        talk = asyncio.create_task(connection.run())
        await asyncio.wait([talk], timeout=0.5)
        talk.cancel()
        return talk.done(), connection._outgoing.qsize()

    with ThreadPoolExecutor(1) as thread:  # a browser of other tests may have this one's loop
        ended, waiting = thread.submit(asyncio.run, talked()).result()
    assert not ended
    assert waiting == MOST_UNREAD


def test_browser_that_reads_nothing_is_marked_too_slow(tmp_path: Path) -> None:
    async def closing_codes() -> list[int | None]:
        lobby = Lobby([ODDVILLE], tmp_path, [])
        room = await lobby.make(parse_new_game(json.dumps({"game": "oddville", "seats": ["human", "human"]})))
        connection = Connection(Deaf(), await lobby.enter(room.session.id, room.session.keys.watch), lobby)
        codes = []
        for _ in range(MOST_WAITING + 1):
            codes.append(connection._closing)
            connection.update("move")  # others play
        return [*codes, connection._closing]

    with ThreadPoolExecutor(1) as thread:
        codes = thread.submit(asyncio.run, closing_codes()).result()
    assert codes == [None] * (MOST_WAITING + 1) + [TOO_SLOW]


def test_200_requests_of_a_spectator_delay_no_player(live: Live) -> None:
    made = live.make("human", "human", seed=1)
    with live.enter(made, "host", "watch") as (host, watcher):
        quiet = answer_time(host)
        for _ in range(200):
            watcher.say("go", move=0)
        assert answer_time(host) < 0.5 + 10 * quiet
        told = 0
        while told < 200:
            told += watcher.hear()["type"] == "state"


def test_a_quick_agent_does_not_wait_for_slow_ones(tmp_path: Path) -> None:
    slow = f"search:ms={1000 * SLOW_S:.0f}"
    live = Live(tmp_path, offered=[slow]).start()
    games = [live.make(slow, slow, seed=seed) for seed in range(8)]
    with ExitStack() as stack:
        for made in games:
            stack.enter_context(live.browser(made["id"], made["keys"]["watch"]))
            live.session(made).pace = 0.0
        made = live.make("human", "greedy", seed=1)
        live.session(made).pace = 0.0
        browser = stack.enter_context(live.browser(made["id"], made["keys"]["host"]))
        took = []
        while len(took) < 4:
            start = time.perf_counter()
            while not browser.state["may"]["move"]:
                browser.hear()
            took.append(time.perf_counter() - start)
            browser.play(browser.words()[0])
        assert np.median(took) < SLOW_S / 2
    live.stop()
