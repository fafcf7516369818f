"""What strangers may try: nothing of it changes a game, tells a secret or stops the server."""

import errno
import gc
import json
import socket
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from oddville_env.core.game.game_type import game_type
from oddville_env.web.messages.connection import A_SECOND, BURST
from oddville_env.web.server import PatientProtocol
from oddville_env.web.token_bucket import TokenBucket
from support.helpers import random_game
from support.page.live import Live


def post(live: Live, body: Any, **headers: str) -> httpx.Response:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    headers = {"content-type": "application/json", **headers}
    return live.http.post(f"{live.address}api/games", content=content, headers=headers)


def ws_address(live: Live, made: dict[str, Any], key: str) -> str:
    return f"{live.address.replace('http', 'ws')}api/games/{made['id']}/play?key={key}"


def closed_with(live: Live, address: str, *messages: str | bytes, **more: Any) -> int | None:
    """The code by which the server ends a connection that says these messages; None: it does not."""
    with connect(address, max_size=None, **more) as browser:
        with suppress(ConnectionClosed):
            for message in messages:
                browser.send(message)
        try:
            while True:
                browser.recv(timeout=3)
        except TimeoutError:
            return None
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 0


def test_a_foreign_page_can_neither_enter_nor_make_a_game(live: Live) -> None:
    made = live.make("human", "greedy")
    address = ws_address(live, made, made["keys"]["host"])
    for origin in ("https://evil.example", "http://127.0.0.1:1", "null", f"http://127.0.0.1.evil.example:{live.port}"):
        with pytest.raises(InvalidStatus), connect(address, origin=origin):  # type: ignore[arg-type]
            pass
        assert post(live, {"game": "oddville", "seats": ["human", "greedy"]}, origin=origin).status_code == 403
    with connect(address, origin=f"http://127.0.0.1:{live.port}") as browser:  # type: ignore[arg-type]
        assert json.loads(browser.recv())["type"] == "hello"


def test_a_form_of_a_foreign_page_makes_no_game(live: Live) -> None:
    body = {"game": "oddville", "seats": ["human", "greedy"]}
    assert post(live, body, **{"content-type": "text/plain"}).status_code == 400


def test_a_name_that_was_rebound_to_loopback_is_not_served(live: Live) -> None:
    for host in ("evil.example", "evil.example:80", "", "[", "127.0.0.1.evil.example"):
        answer = live.http.get(f"{live.address}api/info", headers={"host": host})
        assert answer.status_code in (400, 403)
    assert live.http.get(f"{live.address}api/info", headers={"host": f"localhost:{live.port}"}).status_code == 200


def test_two_hosts_in_one_request_are_refused(live: Live) -> None:
    for hosts in (("localhost", "evil.example"), ("evil.example", "localhost"), ("localhost", "localhost")):
        with socket.create_connection(("127.0.0.1", live.port)) as browser:
            lines = "".join(f"Host: {host}\r\n" for host in hosts)
            browser.sendall(f"GET /api/info HTTP/1.1\r\n{lines}Connection: close\r\n\r\n".encode())
            answer = b"".join(iter(lambda: browser.recv(65536), b""))
        assert b" 400 " in answer.split(b"\r\n")[0]


def test_new_game_on_a_full_disk_is_an_error_and_leaves_nothing(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(file: Path, *_: Any, **__: Any) -> int:
        file.touch()
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    answer = post(live, {"game": "oddville", "seats": ["human", "greedy"]})
    monkeypatch.undo()
    assert answer.status_code == 507
    assert answer.json()["error"]["message"] == "the game cannot be saved: No space left on device"
    assert live.lobby.awake == 0
    assert list(live.folder.iterdir()) == []


def test_new_games_are_limited_by_rate_and_by_number(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {"game": "oddville", "seats": ["human", "greedy"]}
    monkeypatch.setattr("oddville_env.web.sessions.lobby.MOST_GAMES", 2)
    live.lobby._new_games = TokenBucket(3, 0.001)
    answers = [post(live, asked) for _ in range(5)]
    assert [answer.status_code for answer in answers] == [201, 201, 507, 429, 429]
    sentences = [answer.json()["error"]["message"] for answer in answers[2:]]
    assert sentences[0] == "this server keeps 2 games: no more until some are deleted"
    assert sentences[1] == "too many new games at once: try again in a minute"


def test_a_forged_key_and_that_of_another_game_open_nothing(live: Live) -> None:
    made, other = live.make("human", "human"), live.make("human", "human")
    for key in ("", "x", other["keys"]["host"], made["keys"]["host"][:-1], made["keys"]["host"] + "A", "ü" * 32):
        assert closed_with(live, ws_address(live, made, key)) == 4401
        assert live.get(f"api/games/{made['id']}", key=key).status_code == 404
        assert live.get(f"api/games/{made['id']}/record", key=key).status_code == 404


def test_a_seat_can_be_neither_played_nor_given_away_by_another(live: Live) -> None:
    made = live.make("human", "human", "human", seed=2)
    keys = made["keys"]["seats"]
    with live.browser(made["id"], keys[0]) as one, live.browser(made["id"], keys[1]) as two:
        for browser, own in ((one, 0), (two, 1)):
            for seat in range(3):
                if seat != own:
                    assert browser.ask("seat", "error", seat=seat, agent="greedy")["code"] == "not_allowed"
            assert browser.ask("pause", "error", paused=True)["code"] == "not_allowed"
            assert browser.hello["links"] is None
            if browser.state["to_move"] != own:
                assert browser.ask("move", "error", word="setup:wood", at=0)["code"] == "not_your_turn"


def test_games_can_not_be_listed_and_their_ids_not_guessed(live: Live) -> None:
    made = live.make("human", "human")
    assert live.http.get(f"{live.address}api/games").status_code == 405
    for ident in ("A" * 22, made["id"][:-1], "1", "*", "%2e%2e"):
        assert live.get(f"api/games/{ident}", key=made["keys"]["host"]).status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "static/../app.py",
        "static/..%2fapp.py",
        "static/%2e%2e/%2e%2e/web/app.py",
        "static//etc/passwd",
        "static/%2fetc%2fpasswd",
        "api/games/..%2f..%2fetc%2fpasswd",
        "api/games/....//....//x/record?key=a",
        "api/games/%00/record?key=a",
    ],
)
def test_no_path_leads_out_of_its_folder(live: Live, path: str) -> None:
    secret = live.folder.parent / "secret.json"
    secret.write_text('{"format": "oddville-session"}')
    with socket.create_connection(("127.0.0.1", live.port)) as browser:
        browser.sendall(f"GET /{path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: browser.recv(65536), b""))
    assert b" 404 " in answer.split(b"\r\n")[0] or b" 400 " in answer.split(b"\r\n")[0]
    assert b"root:" not in answer
    assert b"import" not in answer


@pytest.mark.parametrize(
    "message",
    [
        "",
        "{",
        "[]",
        "null",
        '"move"',
        "{}",
        '{"type": "no such"}',
        '{"type": []}',
        '{"type": "move"}',
        '{"type": "move", "word": 3, "at": 0}',
        '{"type": "move", "word": "done", "at": -1}',
        '{"type": "move", "word": "done", "at": 0, "seat": 1}',
        '{"type": "move", "word": "done", "at": true}',
        '{"type": "move", "word": "done", "at": 1e400}',
        '{"type": "go", "move": "1"}',
        '{"type": "pace", "seconds": NaN}',
        '{"type": "pace", "seconds": -1}',
        '{"type": "ping", "type": "undo"}',
        '{"type": "_told"}',
        '{"type": "do"}',
        "[" * 4000,
    ],
)
def test_a_message_of_another_shape_is_refused_in_a_sentence(live: Live, message: str) -> None:
    made = live.make("human", "human", seed=1)
    with live.browser(made["id"], made["keys"]["host"]) as browser:
        browser.socket.send(message)
        error = browser.until("error")
        assert error["code"] == "bad_message"
        assert len(error["message"]) < 400
        assert browser.ask("ping", "pong")["type"] == "pong"


@pytest.mark.parametrize(
    "word", ["done", "build:9:9,9", "setup:wood:wood", "💥", "setup:" + "x" * 50, "../../x", "\x00"]
)
def test_words_that_are_not_legal_are_refused_and_change_nothing(live: Live, word: str) -> None:
    made = live.make("human", "human", seed=1)
    with live.browser(made["id"], made["keys"]["host"]) as browser:
        before = browser.state["position"]
        assert browser.ask("move", "error", word=word, at=0)["code"] == "illegal"
        assert browser.ask("go", "state", move=None)["position"] == before


def test_huge_messages_end_the_connection_and_nothing_else(live: Live) -> None:
    made = live.make("human", "human")
    address = ws_address(live, made, made["keys"]["host"])
    assert closed_with(live, address, json.dumps({"type": "ping", "id": 1, "x": "x" * 5000})) == 4413
    assert closed_with(live, address, "x" * 1_000_000) == 1009
    assert closed_with(live, address, b"\x00\x01") == 4413
    assert post(live, b"x" * 2_000_000).status_code == 413
    assert live.get("api/info").status_code == 200


def test_a_flood_of_messages_is_heard_slowly_and_nobody_waits_for_it(live: Live) -> None:
    made, other = live.make("human", "human"), live.make("human", "human", seed=1)
    with live.browser(made["id"], made["keys"]["host"]) as flood, live.browser(other["id"], other["keys"]["host"]) as b:
        begun = time.perf_counter()
        for _ in range(40):
            flood.say("go", move=0)
        for number in range(40, 300):
            flood.say("ping", id=number)
        start = time.perf_counter()
        for _ in range(5):
            b.play(b.words()[0])
        assert time.perf_counter() - start < 5
        flood.until("pong", id=299)
        assert time.perf_counter() - begun > 0.9 * (300 - BURST) / A_SECOND


def test_a_flood_of_nonsense_ends_the_connection(live: Live) -> None:
    made = live.make("human", "human")
    assert closed_with(live, ws_address(live, made, made["keys"]["host"]), *["{"] * 30) == 4429


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"format": "oddville-record"},
        {"format": "oddville-record", "version": 1, "players": 2, "moves": "x"},
        {"format": ["oddville-record"], "version": {}},
    ],
)
def test_an_upload_that_is_no_record_is_refused(live: Live, record: dict[str, Any]) -> None:
    answer = post(live, {"game": "oddville", "upload": record})
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "bad_request"


def test_an_uploaded_record_may_not_eat_the_server(live: Live) -> None:
    record = random_game(2, 1, moves=5).record()
    for change in ({"table": [99, 99]}, {"moves": record["moves"] + ["done"] * 20_000}, {"max_rounds": 10**400}):
        assert post(live, {"game": "oddville", "upload": {**record, **change}}).status_code == 400
    assert post(live, b'{"game": "oddville", "upload": ' + b"[" * 100_000).status_code == 400
    big = {"game": "oddville", "seats": ["human", "greedy"], "settings": {"table": [99, 99]}}
    assert post(live, big).status_code == 400
    for settings in ({"cards": "/etc"}, {"players": 9}, {"table": "x"}, {"max_rounds": None}):
        assert post(live, {"game": "oddville", "seats": ["human"] * 2, "settings": settings}).status_code == 400


def test_names_are_told_as_they_are_and_are_no_markup_for_anybody(live: Live) -> None:
    evil = "<script>alert(1)"
    made = live.make("human", "human", names=[evil, None])
    with live.browser(made["id"], made["keys"]["host"]) as browser:
        assert browser.state["seats"][0]["person"] == evil
    long = post(live, {"game": "oddville", "seats": ["human", "human"], "names": ["x" * 21, None]})
    assert long.status_code == 400


def test_a_script_in_the_name_of_an_agent_is_nothing_but_text(tmp_path: Path) -> None:
    spec = "search:sims=8,weights=<script>alert(1)</script>"
    live = Live(tmp_path, offered=[spec]).start()
    answer = live.get("api/info")
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    made = live.make(spec, "random", seed=1)
    with live.browser(made["id"], made["keys"]["host"]) as browser:
        browser.say("pace", seconds=0)
        while browser.state["seats"][0]["status"] != "failed":
            browser.hear()
        assert "<script>" in browser.state["seats"][0]["message"]
    live.stop()


def test_pages_may_load_nothing_foreign_and_run_nothing_inline(live: Live) -> None:
    for path in ("", "api/info", "static/nothing"):
        headers = live.get(path).headers
        assert "default-src 'self'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["referrer-policy"] == "no-referrer"


def test_half_open_connections_do_not_keep_others_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PatientProtocol, "patience_s", 1.5)
    live = Live(tmp_path).start()
    flood = []
    try:
        for number in range(400):
            one = socket.create_connection(("127.0.0.1", live.port))
            if number % 2:
                one.sendall(b"GET /api/info HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
            flood.append(one)
        start = time.perf_counter()
        assert live.get("api/info").status_code == 200
        made = live.make("human", "greedy")
        with live.browser(made["id"], made["keys"]["host"]) as browser:
            assert browser.state["type"] == "state"
        assert time.perf_counter() - start < 2
        time.sleep(1.8)
        for one in flood:
            one.settimeout(2)
            with suppress(ConnectionResetError):
                assert one.recv(4096) == b""
    finally:
        for one in flood:
            one.close()
        live.stop()


SECOND = {
    "head": b"GET /api/info HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
    "empty lines": b"\r\n",
    "body": b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Type: x/y\r\nContent-Length: 900\r\n\r\n{",
    "body that nobody reads": b"GET /api/info HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n{",
}


def test_a_second_request_that_never_ends_does_not_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PatientProtocol, "patience_s", 1.5)
    live = Live(tmp_path).start()
    flood = []
    try:
        assert live.get("api/info").status_code == 200
        for name, second in SECOND.items():
            for _ in range(20):
                one = socket.create_connection(("127.0.0.1", live.port))
                flood.append((name, one))
                one.sendall(b"GET /static/icon.svg HTTP/1.1\r\nHost: localhost\r\n\r\n")
                assert one.recv(65536).startswith(b"HTTP/1.1 200")
                one.sendall(second)
        time.sleep(0.5)
        for name, one in flood:
            with suppress(OSError):
                one.sendall(b"x" if "body" in name else b"\r\n" if name == "empty lines" else b"y")
        time.sleep(2)
        for name, one in flood:
            one.settimeout(2)
            try:
                while one.recv(65536):
                    pass
            except ConnectionResetError:
                pass
            except TimeoutError:
                pytest.fail(f"the connection with {name} stayed")
    finally:
        for _, one in flood:
            one.close()
        live.stop()


def test_a_head_without_an_end_is_cut_off(live: Live) -> None:
    with socket.create_connection(("127.0.0.1", live.port)) as browser:
        browser.settimeout(5)
        with suppress(ConnectionResetError, BrokenPipeError):
            browser.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X-More: 1\r\n" * 20_000)
            assert b" 400 " in browser.recv(65536)
    assert live.get("api/info").status_code == 200


BROKEN = [
    '{"type": "seat", "seat": 1.0, "agent": null}',
    '{"type": "move", "word": "x", "at": 0.0}',
    '{"type": "analyse", "agent": "greedy", "move": 0.0}',
    '{"type": "ping", "id": 1.0}',
    '{"\\ud800": 1, "type": "ping"}',
    '{"type": "ping", "id": ' + "9" * 3900 + "}",
]


def test_nothing_that_strangers_say_leaves_an_exception_in_the_log(
    live: Live, caplog: pytest.LogCaptureFixture, recwarn: pytest.WarningsRecorder
) -> None:
    made = live.make("human", "human", seed=1)
    for message in BROKEN:
        with live.browser(made["id"], made["keys"]["host"]) as browser:
            browser.socket.send(message)
            assert browser.until("error")["code"] == "bad_message"
            for asked in ("hint", "stop_analysis") * 3:
                browser.say(asked)
            browser.say("analyse", agent="greedy")
            browser.say("undo")
            browser.say("analyse", agent="greedy")
    with socket.create_connection(("127.0.0.1", live.port)) as browser:
        lines = ("POST /api/games HTTP/1.1", "Host: localhost", "Content-Type: application/json", "Content-Length: 900")
        browser.sendall("\r\n".join([*lines, "", "{"]).encode())
    assert live.get("api/info").status_code == 200
    time.sleep(0.3)
    gc.collect()
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []
    assert [str(warning.message) for warning in recwarn if "never awaited" in str(warning.message)] == []


def test_a_puzzle_of_an_endless_number_is_refused(tmp_path: Path) -> None:
    live = Live(tmp_path, games=[game_type("oldtown")]).start()
    for name in ("easy-" + "9" * 5000, "hard-" + "9" * 17, "9" * 5000):
        assert live.get(f"api/puzzles/{name}", game="oldtown").status_code == 400
    live.stop()


def test_an_upload_that_drips_is_given_up(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oddville_env.web.answering.UPLOAD_S", 0.5)
    with socket.create_connection(("127.0.0.1", live.port)) as browser:
        lines = ("POST /api/games HTTP/1.1", "Host: localhost", "Content-Type: application/json", "Content-Length: 900")
        browser.sendall("\r\n".join([*lines, "", "{"]).encode())
        browser.settimeout(5)
        assert b"400" in browser.recv(4096)


def test_a_server_for_others_is_reached_by_its_token_alone(tmp_path: Path) -> None:
    live = Live(tmp_path, token="secret-token").start()
    bare = f"http://127.0.0.1:{live.port}"
    for path in ("/", "/api/info", "/static/app.js", "/secret-toke/api/info", "/secret-tokenX/api/info"):
        assert live.http.get(bare + path).status_code == 404
    assert live.http.get(f"{bare}/secret-token/api/info").status_code == 200
    assert live.http.get(f"{bare}/secret-token/api/info", headers={"host": "my.house"}).status_code == 200
    made = live.make("human", "greedy")
    with live.browser(made["id"], made["keys"]["host"]) as browser:
        assert browser.hello["role"] == "host"
    live.stop()
