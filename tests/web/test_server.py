"""`oddville play` as a process: it serves, ends in peace, and comes back; puzzles over the wire."""

import ipaddress
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect

from oddville_env.cli.main import main
from oddville_env.core.disk.locks import alone_in
from oddville_env.core.errors import GameError
from oddville_env.oldtown.deduction.puzzle import printed_puzzles
from oddville_env.oldtown.game_type import OLDTOWN
from oddville_env.oldtown.scene import SCENE
from oddville_env.web import server
from support.page.live import WAIT_S, Browser, Live, serving
from support.program import fails, runner

ADDRESS = re.compile(r"open (http://\S+)")


@contextmanager
def running(folder: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server in a process of its own, and the address that it tells."""
    command = [sys.executable, "-m", "oddville_env", "play", "--folder", str(folder), "--port", "0", *words]
    environment = {**os.environ, "COLUMNS": "40"}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        try:
            for line in process.stderr:
                if found := ADDRESS.search(line):
                    break
            else:
                raise AssertionError("the server tells no address")
            yield process, found[1]
        finally:
            process.kill()


@contextmanager
def entered(address: str) -> Iterator[Browser]:
    """A browser in the game that an address names."""
    base, ident, key = re.fullmatch(r"http(.+)#game=([\w-]+)&key=([\w-]+)", address).groups()
    with connect(f"ws{base}api/games/{ident}/play?key={key}", max_size=None) as socket:
        yield Browser(socket)


def test_a_server_comes_back_with_every_answered_move_however_it_ended(tmp_path: Path) -> None:
    """Told to end, and killed after it has come back."""
    folder, entry, moves = tmp_path / "games", "", 0
    for more, end in ((6, signal.SIGTERM), (7, signal.SIGKILL)):
        with running(folder, *([] if entry else ["--seats", "human,human", "--seed", "4"])) as (process, address):
            assert address.startswith("http://127.0.0.1:")
            base, _, place = address.partition("#")
            entry = entry or place
            with entered(f"{base}#{entry}") as browser:
                assert browser.state["moves"] == len(browser.state["list"]["entries"]) == moves
                for _ in range(more):
                    browser.play(browser.words()[0])
                moves += more
                with pytest.raises(GameError, match="another process"), alone_in(folder, GameError):
                    pass  # a second server would be told so
                os.kill(process.pid, end)
                process.wait(WAIT_S)
    for live in serving(folder, "oddville"):
        with entered(f"{live.address}#{entry}") as browser:
            assert browser.state["moves"] == moves
    assert folder.stat().st_mode & 0o077 == 0  # keys lie in it


def test_server_for_others_has_a_token_and_answers_while_it_compiles(tmp_path: Path) -> None:
    with running(tmp_path, "--host", "0.0.0.0", "--seats", "human,greedy", "--seed", "4") as (_, address):
        base = address.partition("#")[0]
        assert re.fullmatch(r"http://[\d.]+:\d+/[\w-]{24}/", base)
        assert "0.0.0.0" not in base
        assert httpx.get(re.sub(r"/[\w-]{24}/", "/", base), timeout=WAIT_S).status_code == 404
        first = httpx.get(f"{base}api/ready", timeout=WAIT_S).json()
        assert first["of"] > 3
        with entered(address) as browser:
            assert browser.state["seats"]
        until = time.monotonic() + 3 * WAIT_S
        while (now := httpx.get(f"{base}api/ready", timeout=WAIT_S).json())["done"] < now["of"]:
            assert time.monotonic() < until
            time.sleep(0.2)
        assert now["of"] == first["of"]


def test_second_server_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = runner("oddville", main, monkeypatch, capsys)
    with alone_in(tmp_path, GameError):
        fails(run("play", "--folder", tmp_path, "--port", 0), "another process is at work in")


def test_the_system_holds_no_small_message_back(live: Live) -> None:
    with live.enter(live.make("human", "human"), "host"):
        opened = [one.transport.get_extra_info("socket") for one in live._server.server_state.connections]
        assert opened
        assert all(each.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) for each in opened)


def test_every_interface_is_told_as_addresses_that_can_be_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    for host in ("0.0.0.0", "::"):
        for name in server.hosts(host):
            assert not ipaddress.ip_address(name).is_unspecified
    monkeypatch.setattr(server, "_own", lambda: ["192.168.1.7", "fd00::7"])
    assert server.hosts("0.0.0.0") == ["192.168.1.7"]
    assert server.hosts("::") == ["192.168.1.7", "fd00::7"]
    assert server.hosts("game.local") == ["game.local"]
    monkeypatch.setattr(server, "_own", list)
    assert server.hosts("0.0.0.0") == ["127.0.0.1"]
    assert server.url("fd00::7", 8000, "token/") == "http://[fd00::7]:8000/token/"


def test_an_address_is_drawn_for_a_phone(live: Live) -> None:
    assert server.qr_lines("http://192.168.1.7:8000/").count("\n") > 10
    answer = live.get("api/qr.svg", text="http://192.168.1.7:8000/#game=a&key=b")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.text.lstrip().startswith("<?xml")
    for text in ("", "x" * 401):
        assert live.get("api/qr.svg", text=text).status_code == 400


def ask(hall: Live, name: str, what: str, **fields: Any) -> Any:
    return hall.http.post(f"{hall.address}api/puzzles/{name}/{what}", json={"game": "oldtown", **fields})


def test_puzzle_is_listed_shown_checked_and_explained_as_its_scene_does(hall: Live) -> None:
    scene, box, wrong = SCENE.puzzles, OLDTOWN.box(OLDTOWN.settings()), {"church": [1]}
    told = [hall.get("api/puzzles/3", game="oldtown").json() for _ in range(2)]
    assert told[0] == told[1]
    assert told[0]["table"] == json.loads(json.dumps(scene.table(box, "3")))
    assert {f"house-{each['building']}" for each in told[0]["table"]["town"]} <= told[0]["drawings"].keys()
    assert ask(hall, "3", "check", marks=wrong).json() == scene.check(box, "3", wrong)
    right = {key: [lot] for lot, key in enumerate(printed_puzzles()[6].solution, 1)}  # the own ones are left to find
    for name, marks, after in (("3", {}, -1), ("3", wrong, -1), ("7", right, 40)):
        more = {"after": after} if after >= 0 else {}
        assert ask(hall, name, "hint", marks=marks, **more).json() == scene.hint(box, name, marks, after)
    other, town = hall.get("api/info").json()["games"]
    assert [puzzle["name"] for puzzle in town["puzzles"]["printed"]] == [puzzle.name for puzzle in printed_puzzles()]
    assert town["puzzles"]["levels"] == ["easy", "medium", "hard"]
    assert other["puzzles"] is None
    assert (town["page"], other["page"]) == ("oldtown", "oddville")


def test_what_is_no_question_about_a_puzzle_or_of_a_foreign_page_is_refused(hall: Live) -> None:
    for what, (name, fields, told) in product(
        ("check", "hint"),
        (
            ("9", {"marks": {}}, "there is no puzzle"),
            ("9" * 5000, {"marks": {}}, ""),
            ("3", {}, "field marks is missing"),
            ("3", {"marks": {"castle": [1]}}, "no building of this puzzle"),
            ("3", {"marks": {"church": [0]}}, "minimum"),
            ("3", {"marks": {"church": "all"}}, "array"),
            ("3", {"marks": {}, "more": 1}, "unknown field"),
            ("3", {"marks": {f"b{number}": [1] for number in range(99)}}, "maxProperties"),
            ("3", {"marks": {}, "game": "oddville"}, "has no puzzles"),
            ("3", {"marks": {}, "game": "chess"}, "there is no game"),
        ),
    ):
        answer = ask(hall, name, what, **fields)
        assert answer.status_code == 400
        assert told in answer.json()["error"]["message"]
    address = f"{hall.address}api/puzzles/3/check"
    assert hall.http.post(address, json={}, headers={"origin": "http://evil.example"}).status_code == 403
    assert hall.http.post(address, content="{}").status_code == 400
