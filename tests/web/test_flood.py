"""Who floods the server holds nobody up: players are answered as if they were alone."""

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.web.messages.connection import MOST_UNREAD, Connection
from oddville_env.web.messages.schemas import parse_new_game
from oddville_env.web.sessions.lobby import Lobby
from support.page.live import Live

LATE = 0.2  # seconds
QUIET, FLOODED = 10, 25  # moves that are timed
SPECTATORS, DEAF = 8, 10
ATTEMPTS = 5
SLOW_S = 3.0  # for a move of a slow agent


async def flood(address: str, deaf: bool, asked: int, until: threading.Event) -> None:
    """Ask and ask again; who is deaf takes no answer. Nobody waits for a farewell: it comes after all the answers."""
    more: dict[str, Any] = {"max_queue": 1} if deaf else {}
    with suppress(ConnectionClosed, OSError):
        async with connect(address, max_size=None, ping_timeout=None, close_timeout=0.1, **more) as socket:

            async def ask() -> None:
                while not until.is_set():
                    for number in range(asked):
                        await socket.send(json.dumps({"type": "go", "move": number % 2}))
                    await asyncio.sleep(0.05)

            async def hear() -> None:
                while not deaf:
                    await socket.recv()

            tasks = [asyncio.create_task(ask()), asyncio.create_task(hear())]
            while not until.is_set():
                await asyncio.sleep(0.02)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


@contextmanager
def flooded(live: Live, made: dict[str, Any], number: int, deaf: bool) -> Iterator[None]:
    """So many watchers of a game ask without an end, 200 questions at a time."""
    address = f"{live.address.replace('http', 'ws')}api/games/{made['id']}/play?key={made['keys']['watch']}"
    until = threading.Event()

    async def all_of_them() -> None:
        await asyncio.gather(*(flood(address, deaf, 200, until) for _ in range(number)))

    thread = threading.Thread(target=lambda: asyncio.run(all_of_them()))
    thread.start()
    try:
        yield
    finally:
        until.set()
        thread.join(60)


def waits(live: Live, moves: int) -> list[float]:
    """Seconds from a move to its answer, in games that nobody floods."""
    took: list[float] = []
    while len(took) < moves:
        made = live.make("human", "human", seed=len(took), settings={"max_rounds": 9})
        with live.browser(made["id"], made["keys"]["host"]) as browser:
            while not browser.state["over"] and len(took) < moves:
                start = time.perf_counter()
                browser.play(browser.words()[0])
                took.append(time.perf_counter() - start)
                time.sleep(0.01)
    return took


def lateness(live: Live, seed: int, number: int, deaf: bool) -> float:
    """How many seconds later than allowed a player is answered under a flood: one of a hundred, or in the flooded game.

    Where the machine itself is busy, what counts is how much later they are answered than without a flood.
    """
    watched = live.make("human", "human", seed=seed)
    with live.browser(watched["id"], watched["keys"]["host"]) as host:
        host.play(host.words()[0])
        host.play(host.words()[0])
        quiet = waits(live, QUIET)
        with flooded(live, watched, number, deaf):
            time.sleep(0.3)
            start = time.perf_counter()
            host.play(host.words()[0])
            own = time.perf_counter() - start
            took = waits(live, FLOODED)
    print(f"quiet {1000 * np.median(quiet):.0f} ms, flooded {1000 * np.median(took):.0f} ms,", end=" ")
    print(f"99th percentile {1000 * np.quantile(took, 0.99):.0f} ms, in the flooded game {1000 * own:.0f} ms")
    return max(own, float(np.quantile(took, 0.99))) - LATE - float(np.quantile(quiet, 0.95))


@pytest.mark.parametrize(("number", "deaf"), [(SPECTATORS, False), (DEAF, True)], ids=["spectators", "deaf"])
def test_99_of_100_players_are_answered_in_time_under_a_flood(live: Live, number: int, deaf: bool) -> None:
    """A server that is held up is late every time; a machine that others use as well is so now and then."""
    assert any(lateness(live, seed, number, deaf) < 0 for seed in range(ATTEMPTS))


def test_who_does_not_listen_costs_no_memory(live: Live) -> None:
    made = live.make("human", "human", seed=1)
    with live.browser(made["id"], made["keys"]["host"]) as host, flooded(live, made, 5, deaf=True):
        time.sleep(1.5)
        waiting = [watcher._outgoing.qsize() for watcher in live.lobby.awake_room(made["id"]).watchers]
        assert len(waiting) == 6
        assert max(waiting) <= 10
        host.play(host.words()[0])


class Deaf:
    """A websocket whose other end asks and asks, and takes nothing: the system's buffers would take much."""

    async def receive(self) -> dict[str, Any]:
        return {"type": "websocket.receive", "text": json.dumps({"type": "go", "move": 0})}

    async def send_text(self, text: str) -> None:
        await asyncio.Event().wait()

    async def close(self, code: int) -> None:
        pass


def test_who_takes_nothing_is_asked_to_say_nothing_more(tmp_path: Path) -> None:
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


def test_200_questions_at_once_of_a_spectator_hold_up_no_player(live: Live) -> None:
    made = live.make("human", "human", seed=1)
    with (
        live.browser(made["id"], made["keys"]["host"]) as host,
        live.browser(made["id"], made["keys"]["watch"]) as watcher,
    ):
        quiet = max(waits(live, 10))
        for _ in range(200):
            watcher.say("go", move=0)
        start = time.perf_counter()
        host.play(host.words()[0])
        assert time.perf_counter() - start < 0.5 + 10 * quiet
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
