"""`oddville play` as a process: it tells its address, serves, ends in peace, and comes back."""

import ipaddress
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from websockets.sync.client import connect

from oddville_env.core.disk.locks import alone_in
from oddville_env.core.errors import GameError
from oddville_env.web import addresses
from support.page.live import WAIT_S, Browser, Live

ADDRESS = re.compile(r"open (http://\S+)")


def started(folder: Path, *words: str) -> subprocess.Popen[str]:
    """A server in a process of its own."""
    command = [sys.executable, "-m", "oddville_env", "play", "--folder", str(folder), "--port", "0", *words]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={**os.environ, "COLUMNS": "40"})


@contextmanager
def running(folder: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server in a process of its own, and the address that it tells."""
    with started(folder, *words) as process:
        assert process.stderr is not None
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
def entered(address: str, ident: str, key: str) -> Iterator[Browser]:
    base = address.split("#")[0].replace("http", "ws")
    with connect(f"{base}api/games/{ident}/play?key={key}", max_size=None) as socket:
        yield Browser(socket)


def test_a_server_comes_back_with_every_answered_move_however_it_ended(tmp_path: Path) -> None:
    """Told to end, and killed after it has come back; the last one is there to be looked at."""
    folder, game, moves = tmp_path / "games", None, 0
    for more, end in ((6, signal.SIGTERM), (7, signal.SIGKILL), (0, signal.SIGKILL)):
        with running(folder, *([] if game else ["--seats", "human,human", "--seed", "4"])) as (process, address):
            assert address.startswith("http://127.0.0.1:")
            game = game or re.search(r"#game=([\w-]+)&key=([\w-]+)$", address)
            assert game
            with entered(address, *game.groups()) as browser:
                assert browser.state["moves"] == len(browser.state["list"]["entries"]) == moves
                for _ in range(more):
                    browser.play(browser.words()[0])
                moves += more
                with pytest.raises(GameError, match="another process"), alone_in(folder, GameError):
                    pass  # a second server would be told so
                os.kill(process.pid, end)
                process.wait(WAIT_S)
    assert folder.stat().st_mode & 0o077 == 0  # keys lie in it


def test_what_has_to_be_compiled_is_compiled_while_the_server_answers(tmp_path: Path) -> None:
    with running(tmp_path, "--seats", "human,greedy", "--seed", "4") as (_, address):
        base, _, entry = address.partition("#")
        first = httpx.get(f"{base}api/ready", timeout=WAIT_S).json()
        assert first["of"] > 3
        found = re.search(r"game=([\w-]+)&key=([\w-]+)$", entry)
        assert found
        with entered(base, *found.groups()) as browser:
            assert browser.state["seats"]
        until = time.monotonic() + WAIT_S
        while (now := httpx.get(f"{base}api/ready", timeout=WAIT_S).json())["done"] < now["of"]:
            assert time.monotonic() < until
            time.sleep(0.2)
        assert now["of"] == first["of"]


def test_a_second_server_on_a_folder_says_so_and_ends(tmp_path: Path) -> None:
    with alone_in(tmp_path, GameError), started(tmp_path) as second:
        try:
            _, said = second.communicate(timeout=WAIT_S)
        finally:
            second.kill()
    assert second.returncode != 0
    assert re.sub(r"\s+", " ", said).count("another process is at work in") == 1
    assert "Traceback" not in said


def test_a_server_for_others_has_a_token_in_its_address_and_one_that_can_be_opened(tmp_path: Path) -> None:
    with running(tmp_path, "--host", "0.0.0.0") as (_, address):
        assert re.fullmatch(r"http://[\d.]+:\d+/[\w-]{24}/", address)
        assert "0.0.0.0" not in address
        assert httpx.get(f"{address}api/info", timeout=WAIT_S).status_code == 200
        assert httpx.get(re.sub(r"/[\w-]{24}/", "/", address), timeout=WAIT_S).status_code == 404


def test_the_system_holds_no_small_message_back(live: Live) -> None:
    made = live.make("human", "human")
    with live.browser(made["id"], made["keys"]["host"]):
        opened = [one.transport.get_extra_info("socket") for one in live._server.server_state.connections]
        assert opened
        assert all(each.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) for each in opened)


def test_every_interface_is_told_as_addresses_that_can_be_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    for host in ("0.0.0.0", "::"):
        for name in addresses.hosts(host):
            assert not ipaddress.ip_address(name).is_unspecified
    monkeypatch.setattr(addresses, "_own", lambda: ["192.168.1.7", "fd00::7"])
    assert addresses.hosts("0.0.0.0") == ["192.168.1.7"]
    assert addresses.hosts("::") == ["192.168.1.7", "fd00::7"]
    assert addresses.hosts("game.local") == ["game.local"]
    monkeypatch.setattr(addresses, "_own", list)
    assert addresses.hosts("0.0.0.0") == ["127.0.0.1"]
    assert addresses.url("fd00::7", 8000, "token/") == "http://[fd00::7]:8000/token/"


def test_an_address_is_drawn_for_a_phone(live: Live) -> None:
    assert addresses.qr_lines("http://192.168.1.7:8000/").count("\n") > 10
    answer = live.get("api/qr.svg", text="http://192.168.1.7:8000/#game=a&key=b")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.text.lstrip().startswith("<?xml")
    for text in ("", "x" * 401):
        assert live.get("api/qr.svg", text=text).status_code == 400
