"""Malformed and hostile input: it changes no game, reveals nothing hidden and never stops the server."""

import errno
import gc
import json
import socket
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from oddville_env.web.messages.connection import A_SECOND, BURST
from oddville_env.web.messages.protocol import parse_message
from oddville_env.web.refusal import RefusalError, TokenBucket
from oddville_env.web.server import PatientProtocol
from support.helpers import random_game
from support.page.live import WAIT_S, Live

PEOPLE = {"game": "oddville", "seats": ["human", "human"]}
RECORD = random_game(2, 1, moves=5).record()
REFUSED_GAMES: dict[str, tuple[Any, int]] = {
    "no JSON": (b"{", 400),
    "deep JSON": (b'{"game": "oddville", "upload": ' + b"[" * 100_000, 400),
    "too large": (b"x" * 2_000_000, 413),
    "huge table": (PEOPLE | {"settings": {"table": [99, 99]}}, 400),
    "path as cards": (PEOPLE | {"settings": {"cards": "/etc"}}, 400),
    "long name": (PEOPLE | {"names": ["x" * 21, None]}, 400),
    "list as format": ({"game": "oddville", "upload": {"format": ["oddville-record"], "version": {}}}, 400),
    "record of a huge table": ({"game": "oddville", "upload": {**RECORD, "table": [99, 99]}}, 400),
    "long record": ({"game": "oddville", "upload": {**RECORD, "moves": ["done"] * 20_000}}, 400),
    "record of a huge number": ({"game": "oddville", "upload": {**RECORD, "max_rounds": 10**400}}, 400),
}
FILES = ("%2e%2e/%2e%2e/web/app.py", "%2fetc%2fpasswd", "%00", "x" * 300)
PATHS = ("api/games/....//....//x/record?key=a", *(f"static/{name}" for name in FILES))
BAD_MESSAGES = (
    "",
    "{",
    '{"type": "no such"}',
    '{"type": []}',
    '{"type": "move", "word": "done", "at": 0, "seat": 1}',
    '{"type": "move", "word": "done", "at": 1e400}',
    '{"type": "move", "word": "x", "at": 0.0}',
    '{"type": "pace", "seconds": NaN}',
    '{"type": "ping", "type": "undo"}',
    '{"type": "ping", "id": ' + "9" * 3900 + "}",
    '{"\\ud800": 1, "type": "ping"}',
    '{"type": "_told"}',
    "[" * 4000,
)
BAD_WORDS = ("done", "build:9:9,9", "setup:wood:wood", "💥", "setup:" + "x" * 50, "../../x", "\x00")
HEAD = b"GET /api/info HTTP/1.1\r\nHost: localhost\r\n"
POST = b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{"


def post(live: Live, body: Any, **headers: str) -> httpx.Response:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    headers = {"content-type": "application/json", **headers}
    return live.http.post(f"{live.address}api/games", content=content, headers=headers)


def answer_to(live: Live, request: bytes) -> bytes:
    """What the server answers to raw bytes, until it closes the connection."""
    with socket.create_connection(("127.0.0.1", live.port), timeout=WAIT_S) as browser:
        browser.sendall(request)
        return b"".join(iter(lambda: browser.recv(65536), b""))


def ws_address(live: Live, made: dict[str, Any], key: str) -> str:
    return f"{live.address.replace('http', 'ws')}api/games/{made['id']}/play?key={key}"


def closed_with(live: Live, made: dict[str, Any], key: str, *messages: str | bytes) -> int:
    """The code by which the server closes a connection that sends these messages."""
    with connect(ws_address(live, made, key), max_size=None) as browser:
        try:
            for message in messages:
                browser.send(message)
            while True:
                browser.recv(timeout=WAIT_S)
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 0


def test_a_foreign_page_can_neither_enter_nor_make_a_game_nor_rebind_a_name_to_loopback(hall: Live) -> None:
    made = hall.make("human", "greedy")
    address = ws_address(hall, made, made["keys"]["host"])
    evil = ("https://evil.example", "http://127.0.0.1:1", "null", f"http://127.0.0.1.evil.example:{hall.port}")
    for origin in evil:
        with pytest.raises(InvalidStatus), connect(address, origin=origin):
            pass
        assert post(hall, PEOPLE, origin=origin).status_code == 403
    assert post(hall, PEOPLE, **{"content-type": "text/plain"}).status_code == 400
    with connect(address, origin=f"http://127.0.0.1:{hall.port}") as browser:
        assert json.loads(browser.recv())["type"] == "hello"
    evil = (["evil.example:80"], [""], ["["], ["127.0.0.1.evil.example"], ["localhost", "localhost"])
    good = (["localhost:80"], [f"[::1]:{hall.port}"])
    for hosts in (*evil, *good):
        lines = "".join(f"Host: {host}\r\n" for host in hosts)
        answer = answer_to(hall, f"GET /api/ready HTTP/1.1\r\n{lines}Connection: close\r\n\r\n".encode())
        assert (b" 400 " if hosts in evil else b" 200 ") in answer.split(b"\r\n")[0], hosts


def test_new_game_on_a_full_disk_is_an_error_and_leaves_nothing(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(file: Path, *_: Any, **__: Any) -> int:
        file.touch()
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    answer = post(live, PEOPLE)
    monkeypatch.undo()
    assert answer.status_code == 507
    assert answer.json()["error"]["message"] == "the game cannot be saved: No space left on device"
    assert not live.lobby.rooms
    assert list(live.folder.iterdir()) == []


def test_new_games_are_limited_by_rate_and_by_number(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oddville_env.web.sessions.lobby.MOST_GAMES", 2)
    live.lobby._new_games = TokenBucket(3, 0.001)
    answers = [post(live, PEOPLE) for _ in range(5)]
    assert [answer.status_code for answer in answers] == [201, 201, 507, 429, 429]
    sentences = [answer.json()["error"]["message"] for answer in answers[2:4]]
    assert sentences[0] == "this server keeps 2 games: no more until some are deleted"
    assert sentences[1] == "too many new games at once: try again in a minute"


@pytest.mark.parametrize("name", REFUSED_GAMES)
def test_a_game_that_cannot_be_is_refused_in_a_sentence(hall: Live, name: str) -> None:
    body, status = REFUSED_GAMES[name]
    answer = post(hall, body)
    assert answer.status_code == status
    assert 0 < len(answer.json()["error"]["message"]) < 400


def test_only_the_keys_of_a_game_open_it_and_a_seat_is_played_and_given_away_by_its_own(hall: Live) -> None:
    made, other = hall.make("human", "human"), hall.make("human", "human")
    host = made["keys"]["host"]
    for key in ("", "x", other["keys"]["host"], host[:-1], host + "A", "ü" * 32):
        assert closed_with(hall, made, key) == 4401
        assert hall.get(f"api/games/{made['id']}", key=key).status_code == 404
        assert hall.get(f"api/games/{made['id']}/record", key=key).status_code == 404
    assert hall.get("api/games").status_code == 405
    for ident in ("A" * 22, made["id"][:-1], "1", "*", "%2e%2e"):
        assert hall.get(f"api/games/{ident}", key=host).status_code == 404
    made = hall.make("human", "human", "human", seed=2)
    with hall.enter(made, 0, 1) as browsers:
        for own, browser in enumerate(browsers):
            for seat in {0, 1, 2} - {own}:
                assert browser.ask("seat", "error", seat=seat, agent="greedy")["code"] == "not_allowed"
            assert browser.ask("pause", "error", paused=True)["code"] == "not_allowed"
            assert browser.hello["links"] is None
            if browser.state["to_move"] != own:
                assert browser.ask("move", "error", word="setup:wood", at=0)["code"] == "not_your_turn"


@pytest.mark.parametrize("path", PATHS)
def test_no_path_leads_out_of_its_folder(hall: Live, path: str) -> None:
    (hall.folder.parent / "secret.json").write_text('{"format": "oddville-session"}')
    answer = answer_to(hall, f"GET /{path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
    assert answer.split()[1] in (b"404", b"400")
    assert b"root:" not in answer
    assert b"import" not in answer


@pytest.mark.parametrize("message", BAD_MESSAGES)
def test_a_malformed_message_is_refused_in_a_sentence(message: str) -> None:
    with pytest.raises(RefusalError) as refused:
        parse_message(message)
    assert refused.value.code == "bad_message"
    assert len(str(refused.value)) < 400


def test_illegal_words_and_malformed_messages_change_nothing_and_leave_no_exception_in_the_log(
    live: Live, caplog: pytest.LogCaptureFixture, recwarn: pytest.WarningsRecorder
) -> None:
    with live.enter(live.make("human", "human", seed=1), "host") as (browser,):
        before = browser.state["position"]
        for word in BAD_WORDS:
            assert browser.ask("move", "error", word=word, at=0)["code"] == "illegal"
            browser.socket.send(BAD_MESSAGES[-2])
            assert browser.until("error")["code"] == "bad_message"
        for asked in ("hint", "stop_analysis") * 3:
            browser.say(asked)
        for asked in ("analyse", "undo", "analyse"):
            browser.say(asked, **({"agent": "greedy"} if asked == "analyse" else {}))
        assert browser.ask("go", "state", move=None)["position"] == before
    with socket.create_connection(("127.0.0.1", live.port)) as half:
        half.sendall(POST)
    assert live.get("api/ready").status_code == 200
    live.stop()
    gc.collect()
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []
    assert [str(warning.message) for warning in recwarn if "never awaited" in str(warning.message)] == []


def test_large_and_malformed_messages_end_their_connection_alone(hall: Live) -> None:
    made = hall.make("human", "human")
    host = made["keys"]["host"]
    assert closed_with(hall, made, host, json.dumps({"type": "ping", "id": 1, "x": "x" * 5000})) == 4413
    assert closed_with(hall, made, host, "x" * 1_000_000) == 1009
    assert closed_with(hall, made, host, b"\x00\x01") == 4413
    assert (closed_with(hall, made, host, *["{"] * 30), hall.get("api/ready").status_code) == (4429, 200)


def test_a_flood_of_messages_is_slowed_down_and_stops_no_other_player(hall: Live) -> None:
    made, other = hall.make("human", "human"), hall.make("human", "human", seed=1)
    with hall.enter(made, "host") as (flood,), hall.enter(other, "host") as (player,):
        begun = time.perf_counter()
        for _ in range(40):
            flood.say("go", move=0)
        for number in range(40, 300):
            flood.say("ping", id=number)
        for _ in range(5):
            player.play(player.words()[0])
        flood.until("pong", id=299)
        assert time.perf_counter() - begun > 0.9 * (300 - BURST) / A_SECOND


def test_pages_may_load_nothing_foreign_and_files_are_packed_and_sent_once(hall: Live) -> None:
    for path in ("", "api/info", "static/icon.svg", "static/nothing"):
        headers = hall.get(path).headers
        assert "default-src 'self'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert (headers["referrer-policy"], headers["x-content-type-options"]) == ("no-referrer", "nosniff")
    first = hall.get("static/shell/app.js")
    assert first.headers["content-encoding"] == "gzip"
    assert first.headers["content-type"].startswith("text/javascript")
    assert first.headers["cache-control"] == "no-cache"
    tag = {"if-none-match": first.headers["etag"]}
    assert hall.http.get(f"{hall.address}static/shell/app.js", headers=tag).status_code == 304


SLOW = [
    (b"", b""),
    (HEAD + b"X-Slow: ", b"y"),
    (b"\r\n", b"\r\n"),
    (POST.replace(b"application/json", b"x/y"), b"x"),
    (HEAD + b"Content-Length: 900\r\n\r\n{", b"x"),
]
"""Requests that never end: their beginning, and what drips after it."""


def test_requests_that_never_end_are_cut_off_and_stop_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PatientProtocol, "patience_s", 1.5)
    live = Live(tmp_path).start()
    with ExitStack() as stack:
        stack.callback(live.stop)
        flood = []
        for number, (begin, drip) in enumerate(SLOW * 8):
            one = stack.enter_context(socket.create_connection(("127.0.0.1", live.port), timeout=WAIT_S))
            flood.append((one, drip))
            with suppress(ConnectionResetError, BrokenPipeError):
                if number % 4 == 0 and begin:  # also as the second request of a connection
                    one.sendall(b"GET /static/icon.svg HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    assert one.recv(65536).startswith(b"HTTP/1.1 200")
                one.sendall(begin)
        with live.enter(live.make("human", "greedy"), "host"):
            pass
        for one, drip in flood:
            with suppress(OSError):
                one.sendall(drip)
        for one, _ in flood:
            with suppress(ConnectionResetError, BrokenPipeError):
                while one.recv(65536):
                    pass


def test_a_head_without_an_end_and_a_slow_upload_are_refused(hall: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oddville_env.web.app.UPLOAD_S", 0.5)
    with suppress(ConnectionResetError, BrokenPipeError):
        assert b" 400 " in answer_to(hall, HEAD + b"X-More: 1\r\n" * 20_000)
    with socket.create_connection(("127.0.0.1", hall.port), timeout=WAIT_S) as browser:
        browser.sendall(POST)
        assert b" 400 " in browser.recv(4096)


def test_a_server_for_others_is_reached_by_its_token_alone(tmp_path: Path) -> None:
    live = Live(tmp_path, token="secret-token").start()
    bare = f"http://127.0.0.1:{live.port}"
    for path in ("/", "/api/info", "/static/icon.svg", "/secret-toke/api/info", "/secret-tokenX/api/info"):
        assert live.http.get(bare + path).status_code == 404
    assert live.get("api/info").status_code == 200
    assert live.http.get(f"{live.address}api/info", headers={"host": "my.house"}).status_code == 200
    with live.enter(live.make("human", "greedy"), "host") as (browser,):
        assert browser.hello["role"] == "host"
    live.stop()
