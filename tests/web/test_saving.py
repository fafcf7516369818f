"""Saved games: a move is on disk before it is answered, and a damaged file is refused."""

import json
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from oddville_env.core.errors import RecordError
from oddville_env.core.game.game_type import game_type
from oddville_env.web.sessions.lobby import Lobby
from support.page.live import WAIT_S, Live
from web.test_protocol import host

TERMS = {"total": 600, "increment": 5}
REQUEST = {"game": "oddville", "seats": ["human", "human"], "clock": TERMS}
LINE = {"seat": 0, "name": None, "text": "x", "when": 1}
DAMAGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "a chair less": lambda saved: saved["chairs"].pop(),
    "a key less": lambda saved: saved["seats"].pop(),
    "half a letter as a key": lambda saved: saved.update(host="\ud800"),
    "wins below zero": lambda saved: saved["chairs"][0].update(wins=-1),
    "a view of no seat": lambda saved: saved.update(view=2),
    "no view": lambda saved: saved.pop("view"),
    "too many lines": lambda saved: saved["chat"].update(lines=[LINE] * 101),
    "a rematch of one": lambda saved: saved.update(rematch={"id": "x", "host": "a", "watch": "b", "seats": ["c"]}),
    "no number as time": lambda saved: saved["clock"].update(left=[600, float("nan")]),
    "two marks for no move": lambda saved: saved["clock"].update(marks=[[600, 600], [600, 600]]),
    "a mark of one seat": lambda saved: saved["clock"].update(marks=[[600]]),
    "a late seat of no game": lambda saved: saved["clock"].update(ended=[2]),
}


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    lobby = Lobby([game_type("oddville")], tmp_path, ["random"])
    ident, folder = lobby.make_now(REQUEST).id, lobby.folder
    assert folder.read(ident).seats[0].is_human
    file = tmp_path / f"{ident}.newest"
    whole = file.read_text()
    for name, damage in DAMAGES.items():
        saved = json.loads(whole)
        damage(saved)
        file.write_text(json.dumps(saved))
        file.replace(file.with_suffix(".json"))
        with pytest.raises(RecordError):
            pytest.fail(f"{name}: {folder.read(ident)}")


def test_a_move_is_saved_before_it_is_answered(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    kept, folder = [], live.lobby.folder
    keep = folder.keep

    def slowly(ident: str, text: str) -> None:
        time.sleep(0.2)
        keep(ident, text)
        kept.append(len(json.loads(text)["record"]["moves"]))

    with host(live, "human", "human", seed=6) as browser:
        monkeypatch.setattr(folder, "keep", slowly)
        for moves in (1, 2, 3):
            browser.play(browser.words()[0])
            assert kept[-1] == moves


def test_slow_disk_does_not_delay_moves(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    synced, folder = threading.Event(), live.lobby.folder
    settle = folder.settle

    def slowly(ident: str, text: str) -> None:
        synced.wait(2 * WAIT_S)
        settle(ident, text)

    monkeypatch.setattr(folder, "settle", slowly)
    for seed in range(8):
        with host(live, "human", "human", seed=seed) as browser:
            browser.play(browser.words()[0])
    synced.set()


def test_a_game_is_whole_though_its_newest_file_is_broken(live: Live) -> None:
    made = live.make("human", "human", seed=6)
    with live.enter(made, "host") as (browser,):
        browser.play(browser.words()[0])
    live.stop()
    assert (live.folder / f"{made['id']}.json").is_file()
    (live.folder / f"{made['id']}.newest").write_text('{"format": "odd')
    again = live.again()
    with again.enter(made, "host") as (browser,):
        assert browser.state["moves"] == 1
    again.stop()


def test_a_game_that_could_not_be_saved_stays_and_says_so(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oddville_env.web.sessions.lobby.FORGOTTEN_AFTER", 0.0)
    monkeypatch.setattr("oddville_env.web.sessions.room.AGAIN_S", 0.3)
    made, folder = live.make("human", "human", seed=6), live.folder
    with live.enter(made, "host") as (browser,):
        live.lobby.folder.path = Path("/proc/none")
        browser.play(browser.words()[0])
    with live.enter(made, "host") as (browser,):
        assert browser.state["moves"] == 1
        assert browser.until("error")["code"] == "not_saved"
        live.lobby.folder.path = folder
        until = time.monotonic() + WAIT_S
        while live.lobby.rooms[made["id"]].unsaved and time.monotonic() < until:
            time.sleep(0.02)
    live.stop()
    saved = json.loads((folder / f"{made['id']}.json").read_text())
    assert len(saved["record"]["moves"]) == 1


def test_a_saved_game_seats_no_agent_that_is_not_offered(live: Live, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    (tmp_path / "evil.py").write_text(f"open({str(mark)!r}, 'w').close()\ndef bot(observation, mask):\n    return 0\n")
    made = live.make("greedy", "human")
    live.stop()
    file = live.folder / f"{made['id']}.json"
    file.write_text(file.read_text().replace('"greedy"', json.dumps(f"{tmp_path}/evil.py:bot")))
    again = live.again()
    with again.enter(made, "host") as (browser,):
        while browser.state["may"]["move"]:
            browser.play(browser.words()[0])
        assert browser.state["seats"][0]["status"] == "failed"
        assert "not offered here" in browser.state["seats"][0]["message"]
        browser.say("seat", seat=0, agent="greedy")
        browser.until("state", reason="move")
    assert not mark.exists()
    again.stop()
