"""A server of one's own for tests, and browsers of few words that talk to it."""

import asyncio
import contextlib
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import fastjsonschema
import httpx
import uvicorn
from websockets.sync.client import ClientConnection, connect

from oddville_env.core.game.game_type import game_type
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.web.app import make_app
from oddville_env.web.messages.sent import SENT
from oddville_env.web.server import LONGEST_FRAME, PatientProtocol
from oddville_env.web.sessions.lobby import Lobby
from oddville_env.web.sessions.saving import RecordFile

OFFERED = ("random", "greedy", "search:ms=50", "search:sims=64")
Tab = Callable[..., Any]  # the fixture `tab`: opens a tab, and gives its visitor
Halls = Callable[..., "Live"]  # the fixture `halls`: a server that tests share, by what it offers
WAIT_S = 120.0  # in which everything comes, however busy the machine is
HELD = {kind: fastjsonschema.compile(schema) for kind, schema in SENT.items()}


class Live:
    """A server that runs in a thread."""

    def __init__(self, folder: Path, records: Path | None = None, token: str = "", **more: Any) -> None:
        self.folder, self.token = folder, token
        offered = (*OFFERED, *more.pop("offered", ()))
        games = more.pop("games", [ODDVILLE])
        kept = httpx.Limits(keepalive_expiry=2)  # seconds, shorter than the server's
        # Certificates take long to read, and are not asked for.
        self.http = httpx.Client(timeout=WAIT_S, verify=False, limits=kept)
        self.lobby = Lobby(games, folder, offered, more.pop("data", None), RecordFile(records))
        self._socket = socket.create_server(("127.0.0.1", more.pop("port", 0)), backlog=1024)
        self.port = self._socket.getsockname()[1]
        app = make_app(self.lobby, token)
        config = uvicorn.Config(
            app, http=PatientProtocol, ws="websockets-sansio", ws_max_size=LONGEST_FRAME, log_level="warning"
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, args=([self._socket],), daemon=True)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/" + (f"{self.token}/" if self.token else "")

    def start(self) -> "Live":
        self._thread.start()
        until = time.monotonic() + WAIT_S
        while not self._server.started and time.monotonic() < until:
            time.sleep(0.01)
        return self

    def stop(self) -> None:
        self._server.should_exit = True
        self.http.close()
        self._thread.join(WAIT_S)

    def make(self, *seats: str, **more: Any) -> dict[str, Any]:
        """A new game: its id and keys."""
        asked = {"game": "oddville", "seats": seats, **more}
        answer = self.http.post(f"{self.address}api/games", json=asked)
        assert answer.status_code == 201, answer.text
        return dict(answer.json())

    def upload(self, record: dict[str, Any], game: str = "oddville") -> dict[str, Any]:
        """A record to look at: its id and keys."""
        answer = self.http.post(f"{self.address}api/games", json={"game": game, "upload": record})
        assert answer.status_code == 201, answer.text
        return dict(answer.json())

    def session(self, made: dict[str, Any]) -> Any:
        """What the server holds of a game."""
        return self.lobby.rooms[made["id"]].session

    def change(self, made: dict[str, Any], reason: str, work: Callable[[], object]) -> None:
        """Change a game as the server does, while clients are connected."""
        room = self.lobby.rooms[made["id"]]
        asyncio.run_coroutine_threadsafe(room.change(reason, work), room._driver.get_loop()).result(WAIT_S)

    def play_until(self, made: dict[str, Any], holds: Callable[[], bool]) -> None:
        """Play first legal moves, for any seat, until a condition holds."""
        session = self.session(made)
        while not holds():
            self.change(made, "move", lambda: session.push(session.game.legal_moves.words()[0]))

    def get(self, path: str, **params: Any) -> httpx.Response:
        return self.http.get(f"{self.address}{path}", params=params)

    @contextlib.contextmanager
    def browser(self, ident: str, key: str, **more: Any) -> Iterator["Browser"]:
        """A browser in a game, after `hello` and the first `state`.

        It does not ask whether the server is there: the first compiling may hold this process for longer than it waits.
        One that has not heard all that it was told hears no farewell either, and does not wait long for it.
        """
        address = f"{self.address.replace('http', 'ws')}api/games/{ident}/play?key={key}"
        with connect(address, max_size=None, ping_interval=None, close_timeout=1, **more) as socket:
            yield Browser(socket)

    @contextlib.contextmanager
    def enter(self, made: dict[str, Any], *who: str | int) -> Iterator[list["Browser"]]:
        """Browsers in a game, each with a key: `host`, `watch` or a seat's."""
        keys = [made["keys"][each] if isinstance(each, str) else made["keys"]["seats"][each] for each in who]
        with contextlib.ExitStack() as stack:
            yield [stack.enter_context(self.browser(made["id"], key)) for key in keys]

    def again(self) -> "Live":
        """This server after a restart."""
        self.stop()
        self.__init__(self.folder, games=list(self.lobby.game_types.values()))
        return self.start()


def serving(folder: Path, *games: str) -> Iterator[Live]:
    """A server of these games for as long as a test runs."""
    server = Live(folder, games=[game_type(name) for name in games]).start()
    yield server
    server.stop()


class Browser:
    """One WebSocket; `hello` and `state` are the last ones heard."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.heard: list[dict[str, Any]] = []
        self.hello = self.until("hello")
        self.state = self.until("state")

    def hear(self, timeout: float = WAIT_S) -> dict[str, Any]:
        """The next message; each is held to the protocol."""
        message: dict[str, Any] = json.loads(self.socket.recv(timeout=timeout))
        HELD[message["type"]](message)
        self.heard.append(message)
        if message["type"] == "state":
            self.state = message
        return message

    def until(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Listen until a message of this type, with these fields."""
        while True:
            message = self.hear()
            if message["type"] == kind and all(message[name] == value for name, value in fields.items()):
                return message

    def say(self, kind: str, **fields: Any) -> None:
        self.socket.send(json.dumps({"type": kind, **fields}))

    def ask(self, kind: str, answer: str, **fields: Any) -> dict[str, Any]:
        self.say(kind, **fields)
        return self.until(answer)

    def wait(self, holds: Callable[[dict[str, Any]], Any]) -> None:
        """Listen until something holds of the state."""
        while not holds(self.state):
            self.hear()

    def words(self) -> list[str]:
        return [move["word"] for group in self.state["legal"] for move in group["moves"]]

    @property
    def entries(self) -> list[dict[str, Any]]:
        """The list of moves as a page keeps it."""
        entries: list[dict[str, Any]] = []
        for message in self.heard:
            if message["type"] == "state":
                entries[message["list"]["from"] :] = message["list"]["entries"]
        return entries

    def uncover(self) -> None:
        """Say that the person is there whose hand is covered, if one is."""
        while (seat := self.state["covered"]) is not None:
            self.ask("uncover", "state", seat=seat)

    def play_out(self) -> None:
        """Let agents play without pauses, and wait for the end of the game."""
        self.say("pace", seconds=0)
        self.wait(lambda state: state["over"])

    def play(self, word: str) -> dict[str, Any]:
        """Play a move, and wait for its state."""
        at = self.state["moves"]
        self.say("move", word=word, at=at)
        return self.until("state", moves=at + 1)


def host(live: Live, *seats: str, **more: Any) -> Any:
    """A new game, entered by its host, with agents that do not dawdle."""
    made = live.make(*seats, **more)
    return live.browser(made["id"], made["keys"]["host"])


def wait_for_turn(browser: Browser) -> None:
    browser.wait(lambda state: state["may"]["move"] or state["over"])


def first_words(browser: Browser, number: int) -> None:
    for _ in range(number):
        wait_for_turn(browser)
        if not browser.state["over"]:
            browser.play(browser.words()[0])
