"""After a game: where the points came from, what turned it, a picture, and trying again: server and page."""

import threading
from pathlib import Path
from typing import Any

import pytest

from oddville_env.web.sessions.snapshot import points_over_time
from support.page.live import WAIT_S, Live, Tab
from support.page.stages import made, words_of
from web.test_every_window import problems

GAMES = ("oddville", "oldtown")


def duel(live: Live) -> dict[str, Any]:
    """A short game of a person against an agent, to its end."""
    new = live.make("human", "random", seed=3, settings={"max_rounds": 3}, names=["Ann", None])
    session = live.session(new)
    while not session.game.is_over:
        session.push(session.game.legal_moves.words()[-1 if session.game.to_move else 0])
    return new


@pytest.mark.parametrize("game", GAMES)
def test_points_are_told_by_source_after_every_move(hall: Live, game: str) -> None:
    new = made(hall, game, "end")
    session = hall.session(new)
    with hall.browser(new["id"], new["keys"]["watch"]) as browser:
        values = browser.ask("points", "points")["values"]
        score = browser.state["score"]
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


def test_what_turned_the_game_is_told_with_what_would_have_been_better(hall: Live) -> None:
    new = duel(hall)
    session = hall.session(new)
    with hall.browser(new["id"], new["keys"]["host"]) as browser:
        part = browser.ask("chances", "chances", agent="search:sims=64")
        while not part["final"]:
            part = browser.until("chances")
    assert part["turns"]
    for turn in part["turns"]:
        assert turn["better"] != turn["word"]
        assert turn["better"] is None or turn["better"] in session.at(turn["move"] - 1).legal_moves.words()


def test_after_the_game_one_sees_its_story_and_tries_again(hall: Live, tab: Tab) -> None:
    new = duel(hall)
    visitor = tab().enter(hall.address, new, new["keys"]["host"])
    visitor.page.locator(".points-chart .chart").wait_for()
    visitor.page.locator("#points-of").select_option("0")
    assert "Buildings" in visitor.page.locator(".points-chart .chart-key").inner_text()
    with visitor.page.expect_download() as download:
        visitor.page.locator('[data-key="save-picture"]').click()
    assert Path(download.value.path()).read_bytes().startswith(b"\x89PNG")
    visitor.page.locator('[data-key="what-turned"]').click()
    visitor.page.locator(".turns li").first.wait_for()
    assert visitor.page.locator(".turns li").count() <= 3
    for size in ((320, 640), (1000, 700), (1366, 768)):
        assert problems(visitor, *size) == []
    visitor.page.locator(".turn-move").first.click()
    visitor.wait(lambda: visitor.state["shown"] < visitor.state["moves"])
    shown = visitor.state["shown"]
    visitor.page.locator(".turns .button").first.click()
    visitor.wait(lambda: visitor.page.url.find(new["id"]) < 0 and visitor.state["practice"])
    assert visitor.state["moves"] >= shown
    assert {seat["kind"] for seat in visitor.state["seats"]} == {"human", "agent"}
