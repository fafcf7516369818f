"""Saved games are on disk before an answer, and after a game: its points, turns and picture, and trying again."""

import json
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from oddville_env.core.errors import RecordError
from oddville_env.core.game.game_type import game_type
from oddville_env.web.sessions.lobby import Lobby
from oddville_env.web.sessions.snapshot import points_over_time
from support.page.live import WAIT_S, Live, Tab
from support.page.stages import made, words_of
from web.test_every_window import USUAL, problems
from web.test_protocol import host

TERMS = {"total": 600, "increment": 5}
REQUEST = {"game": "oddville", "seats": ["human", "human"], "clock": TERMS}
LINE = {"seat": 0, "name": None, "text": "x", "when": 1}
DAMAGES: dict[str, Any] = {
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
    with live.again().enter(made, "host") as (browser,):
        assert browser.state["moves"] == 1


def test_a_game_that_could_not_be_saved_stays_and_says_so(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oddville_env.web.sessions.lobby.FORGOTTEN_AFTER", 0.0)
    monkeypatch.setattr("oddville_env.web.sessions.room.AGAIN_S", 0.3)
    made, folder = live.make("human", "human", seed=6), live.folder
    with live.enter(made, "host") as (browser,):
        live.lobby.folder.path = Path("/proc/none")
        browser.play(browser.words()[0])
    with live.enter(made, "host") as (browser,):
        assert (browser.state["moves"], browser.until("error")["code"]) == (1, "not_saved")
        live.lobby.folder.path = folder
        until = time.monotonic() + WAIT_S
        while live.lobby.rooms[made["id"]].unsaved and time.monotonic() < until:
            time.sleep(0.02)
    live.stop()
    assert len(json.loads((folder / f"{made['id']}.json").read_text())["record"]["moves"]) == 1


def test_a_saved_game_seats_no_agent_that_is_not_offered(live: Live, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    (tmp_path / "evil.py").write_text(f"open({str(mark)!r}, 'w').close()\ndef bot(observation, mask):\n    return 0\n")
    made = live.make("greedy", "human")
    live.stop()
    file = live.folder / f"{made['id']}.json"
    file.write_text(file.read_text().replace('"greedy"', json.dumps(f"{tmp_path}/evil.py:bot")))
    with live.again().enter(made, "host") as (browser,):
        while browser.state["may"]["move"]:
            browser.play(browser.words()[0])
        assert browser.state["seats"][0]["status"] == "failed"
        assert "not offered here" in browser.state["seats"][0]["message"]
        browser.say("seat", seat=0, agent="greedy")
        browser.until("state", reason="move")
    assert not mark.exists()


def duel(live: Live) -> dict[str, Any]:
    """A short game of a person against an agent, to its end."""
    new = live.make("human", "random", seed=3, settings={"max_rounds": 3}, names=["Ann", None])
    session = live.session(new)
    while not session.game.is_over:
        session.push(session.game.legal_moves.words()[-1 if session.game.to_move else 0])
    return new


@pytest.mark.parametrize("game", ["oddville", "oldtown"])
def test_points_are_told_by_source_after_every_move(hall: Live, game: str) -> None:
    new = made(hall, game, "end")
    session = hall.session(new)
    with hall.browser(new["id"], new["keys"]["watch"]) as browser:
        values, score = browser.ask("points", "points")["values"], browser.state["score"]
    assert len(values) == session.moves + 1 == len(words_of(game)) + 1
    assert values[-1] == [[part["points"] for part in seat["sources"]] for seat in score]
    for move in (0, 1, len(values) // 2, len(values) - 1):
        assert [sum(parts) for parts in values[move]] == list(session.at(move).scores)


def test_nobody_waits_for_points_which_agents_threads_count(hall: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    counted, goes_on = [], threading.Event()

    def slow(*asked: Any) -> Any:
        counted.append(threading.current_thread().name)
        goes_on.wait(WAIT_S)
        return points_over_time(*asked)

    monkeypatch.setattr("oddville_env.web.messages.handlers.points_over_time", slow)
    with hall.enter(duel(hall), "host", "watch") as (asker, other):
        for number in range(3):
            asker.say("points", id=number)
        for browser in (asker, other):
            browser.ask("go", "state", move=0)
        goes_on.set()
        assert [asker.until("points")["id"] for _ in range(2)] == [0, 2]  # of what is asked meanwhile the last one
    assert [name.partition("_")[0] for name in counted] == ["analyst"] * 2


def test_after_the_game_one_sees_its_story_and_practises_the_own_mistakes(hall: Live, tab: Tab) -> None:
    new = duel(hall)
    visitor = tab().enter(hall.address, new, new["keys"]["host"])
    page = visitor.page
    page.locator(".points-chart .chart").wait_for()
    page.locator("#points-of").select_option("0")
    assert "Buildings" in page.locator(".points-chart .chart-key").inner_text()
    assert visitor.saved("save-picture").startswith(b"\x89PNG")
    page.locator('[data-key="what-turned"]').click()
    page.locator(".turns li").first.wait_for()
    moves, losses = (page.locator(f".turn-move {part}").all_inner_texts() for part in ("i", "b"))
    entries = hall.session(new).entries
    assert {entries[int(move) - 1]["seat"] for move in moves} == {0}
    assert " ± " in str(losses)
    assert page.locator(f'.move[data-move="{moves[0]}"] .cost').text_content().strip() == losses[0]
    assert problems(visitor, *USUAL) == []
    page.locator(".turn-move").first.click()
    visitor.wait(lambda: visitor.state["shown"] == int(moves[0]) - 1)
    page.locator('[data-key="practise"]').click()
    page.get_by_text(f"({losses[0]}). Find a better move.").wait_for()
    assert visitor.state["moves"] == int(moves[0]) - 1
    assert {seat["kind"] for seat in visitor.state["seats"]} == {"human", "agent"}
    visitor.play(next(move for move in visitor.moves if move["word"] == entries[int(moves[0]) - 1]["word"]))
    page.get_by_text("The same move again. Better: ").wait_for()
    assert (problems(visitor, *USUAL), visitor.axe_faults()) == ([], [])
    page.keyboard.press("j")
    page.get_by_text(f"({losses[1]}). Find a better move.").wait_for()
    page.locator(".among a").click()
    page.locator("#tab-analysis").click()
    page.locator('[data-key="practise"]').wait_for()
    assert page.locator(".turn-move b").all_inner_texts() == losses
