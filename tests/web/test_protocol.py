"""What the server says and does, as PROTOCOL.md has it."""

import dataclasses
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from oddville_env import Game
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.web.messages.state_writer import StateWriter
from support.helpers import random_game
from support.page.live import Browser, Live, first_words, host, wait_for_turn


def test_the_first_state_tells_the_whole_table(hall: Live) -> None:
    settings: dict[str, Any] = {"table": [9, 5], "max_rounds": 12}
    with host(hall, "human", "human", seed=5, settings=settings) as browser:
        state, game = browser.state, Game(2, 5, **settings)
        assert [browser.hello[name] for name in ("settings", "role", "mine")] == [settings, "host", [0, 1]]
        assert (state["position"], sorted(browser.words())) == (game.position(), game.legal_moves.words())
        assert [offer["card"] for offer in state["table"]["row"]] == game.position()["row"]
        assert {offer["drawing"] for offer in state["table"]["row"]} <= state["drawings"].keys()
        assert len(state["table"]["cards"]) == 64


def test_a_whole_game_against_an_agent_is_the_game_of_its_words(hall: Live) -> None:
    with host(hall, "human", "greedy", seed=3) as browser:
        browser.say("pace", seconds=0)
        while not browser.state["over"]:
            wait_for_turn(browser)
            if browser.state["may"]["move"]:
                browser.play(browser.words()[-1])
        states = [message for message in browser.heard if message["type"] == "state" and message["reason"] == "move"]
        assert [state["moves"] for state in states] == list(range(states[0]["moves"], states[-1]["moves"] + 1))
        game = Game(2, 3, moves=[state["word"] for state in states])
        assert game.is_over
        assert browser.state["outcome"]["scores"] == list(game.outcome.scores)
        assert browser.state["position"] == game.position()


def test_a_state_brings_only_drawings_that_were_not_sent_before(hall: Live) -> None:
    with host(hall, "human", "human", seed=1) as browser:
        first_words(browser, 20)
        states = [message for message in browser.heard if message["type"] == "state"]
        names = [name for state in states for name in state["drawings"]]
        assert len(names) == len(set(names))
        assert all("cards" not in state["table"] for state in states[1:])


def test_an_illegal_a_stale_and_a_foreign_move_change_nothing(hall: Live) -> None:
    with hall.enter(hall.make("human", "human", seed=2), 0, 1) as browsers:
        turn, other = sorted(browsers, key=lambda browser: not browser.state["may"]["move"])
        word = turn.words()[0]
        assert other.words() == []
        refused = other.ask("move", "error", word=word, at=0, id=1)
        sentence = {**dict.fromkeys(("code", "why"), "not_your_turn"), "values": {}, "message": "it is not your turn"}
        assert refused == {"type": "error", "id": 1, **sentence}
        for wrong, at, code in (("build:1:0,1", 0, "illegal"), ("nonsense", 0, "illegal"), (word, 7, "stale")):
            assert turn.ask("move", "error", word=wrong, at=at)["code"] == code
        assert (turn.play(word)["moves"], other.until("state", moves=1)["word"]) == (1, word)


def test_two_browsers_of_one_seat_and_a_spectator_see_every_move(hall: Live) -> None:
    with hall.enter(hall.make("human", "human", seed=2), "host", "host", "watch") as (one, two, watcher):
        first_words(one, 12)
        for browser in (two, watcher):
            browser.until("state", moves=12)
            moves = [m["moves"] for m in browser.heard if m["type"] == "state" and m["reason"] == "move"]
            assert moves == list(range(1, 13))
        assert (watcher.hello["mine"], watcher.hello["links"], watcher.state["legal"]) == ([], None, [])
        assert watcher.state["position"] == one.state["position"]
        assert watcher.ask("move", "error", word=one.words()[0], at=12)["code"] == "not_your_turn"


def test_undo_goes_back_to_the_last_own_decision(hall: Live) -> None:
    with host(hall, "human", "greedy", seed=9) as browser:
        browser.say("pace", seconds=0)
        first_words(browser, 3)
        wait_for_turn(browser)
        own = [entry["move"] for entry in browser.entries if entry["seat"] == 0][-1]
        browser.ask("go", "state", move=browser.state["moves"] - 1)  # looks at a moment that is taken back
        browser.say("undo")
        state = browser.until("state", reason="undo")
        assert state["moves"] == len(state["list"]["entries"]) == own - 1
        assert (state["list"]["from"], state["may"]["move"]) == (0, True)
        first_words(browser, 2)
        assert browser.state["newest"]


def test_one_may_look_at_any_moment_and_come_back(hall: Live) -> None:
    with host(hall, "human", "human", seed=4) as browser:
        first_words(browser, 10)
        entries, state = browser.entries, browser.ask("go", "state", move=4)
        game = Game(2, 4, moves=[entry["word"] for entry in entries[:4]])
        assert (state["shown"], state["moves"], state["newest"]) == (4, 10, False)
        assert (state["position"], state["legal"]) == (game.position(), [])
        forward = browser.ask("go", "state", move=5)
        assert forward["word"] == entries[4]["word"]
        assert forward["events"]
        assert browser.ask("go", "error", move=99)["code"] == "no_such_move"
        assert browser.ask("go", "state", move=None)["newest"]


def test_a_seat_is_left_taken_by_an_agent_and_taken_back(hall: Live) -> None:
    with hall.enter(hall.make("human", "human", seed=4), "host", 1) as (host, guest):
        guest.say("leave")
        host.wait(lambda state: state["seats"][1]["status"] == "left")
        host.say("seat", seat=0, agent="greedy")
        host.say("seat", seat=1, agent="random")
        host.play_out()
        assert host.state["seats"][1]["agent"] == "random"
        host.say("seat", seat=1, agent=None)
        host.wait(lambda state: state["seats"][1]["kind"] == "human")


def test_only_offered_agents_are_seated(hall: Live) -> None:
    with host(hall, "human", "human") as browser:
        for spec in ("os:system", "./mine.py:Bot", "search:ms=100000000", "greedy:weights=/etc/passwd"):
            assert browser.ask("seat", "error", seat=1, agent=spec)["code"] == "bad_request"
            assert browser.ask("analyse", "error", agent=spec)["code"] == "bad_request"
            assert browser.ask("compare", "error", agents=["greedy", spec])["code"] == "bad_request"


def test_agents_wait_while_paused_and_move_step_by_step(hall: Live) -> None:
    with host(hall, "random", "random", seed=4) as browser:
        browser.say("pause", paused=True)
        moves = browser.until("state", paused=True)["moves"]
        browser.say("step")
        assert browser.until("state", reason="move")["moves"] == moves + 1
        browser.ask("ping", "pong")
        assert browser.state["moves"] == moves + 1
        browser.say("pause", paused=False)
        browser.play_out()


def test_who_cannot_be_told_what_there_is_does_not_stay(hall: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    made = hall.make("human", "human")
    monkeypatch.setattr(StateWriter, "state", lambda *_: 1 // 0)
    with pytest.raises(ConnectionClosed), hall.enter(made, "host"):
        pass
    assert not hall.lobby.rooms[made["id"]].watchers


def test_a_record_is_replayed_to_its_end_and_played_on(hall: Live) -> None:
    game = random_game(2, 8)
    with hall.enter(hall.upload(game.record()), "host") as (browser,):
        assert (browser.hello["replay"], browser.state["seats"]) == (True, [])
        assert not browser.state["may"]["chat"]
        assert not browser.state["may"]["rematch"]
        state = browser.ask("go", "state", move=0)
        for number, move in enumerate(game.moves, 1):
            assert state["played_next"] == move.word
            assert state["played_next"] in browser.words()
            state = browser.ask("go", "state", move=number)
        assert state["outcome"]["ranks"] == list(game.outcome.ranks)
        new = browser.ask("play_on", "made", move=10, seats=["human", "greedy"])["game"]
    with hall.enter(new, "host") as (browser,):
        assert [entry["word"] for entry in browser.state["list"]["entries"]][:10] == [m.word for m in game.moves[:10]]


def test_a_record_is_kept_for_the_end_while_a_person_plays(hall: Live) -> None:
    made = hall.make("human", "greedy", seed=2)
    assert hall.get(f"api/games/{made['id']}/record", key=made["keys"]["host"]).status_code == 409
    made = hall.make("random", "greedy", seed=2)
    with hall.enter(made, "host") as (browser,):
        browser.play_out()
    answer = hall.get(f"api/games/{made['id']}/record", key=made["keys"]["watch"])
    assert "attachment" in answer.headers["content-disposition"]
    assert Game.from_record(answer.json()).is_over
    assert hall.upload(answer.json())["id"] != made["id"]


def test_records_of_a_file_are_listed_and_opened(tmp_path: Path) -> None:
    games, file = [random_game(players, players) for players in (2, 3)], tmp_path / "games.jsonl"
    file.write_text("".join(json.dumps(game.record()) + "\n" for game in games) + "not a record\n")
    live = Live(tmp_path / "saved", records=file).start()
    listed = live.get("api/records").json()
    assert [len(record["scores"] or ()) for record in listed] == [2, 3, 0]
    assert live.get("api/info").json()["records"] == 3
    made = live.http.post(f"{live.address}api/games", json={"game": "oddville", "record": 1}).json()
    with live.browser(made["id"], made["keys"]["watch"]) as browser:
        assert browser.state["over"]
        assert browser.state["moves"] == len(games[1].moves)
    for number in (2, 3):
        answer = live.http.post(f"{live.address}api/games", json={"game": "oddville", "record": number})
        assert answer.status_code == 400
    live.stop()


@contextmanager
def playing(folder: Path, answer: str, other: str) -> Iterator[tuple[str, Browser]]:
    """A game between an agent whose code does one thing and another seat: its spec, and the host's browser."""
    (folder / "own.py").write_text(f"def bot(observation, mask):\n    {answer}\n")
    spec = f"{folder / 'own.py'}:bot"
    live = Live(folder / "games", offered=[spec]).start()
    made = live.make(spec, other, seed=1)
    with live.browser(made["id"], made["keys"]["host"]) as browser:
        browser.say("pace", seconds=0)
        yield spec, browser
    live.stop()


def test_an_agent_that_fails_is_reported_and_replaced(tmp_path: Path) -> None:
    with playing(tmp_path, "raise RuntimeError('no idea')", "human") as (spec, browser):
        while browser.state["seats"][0]["status"] != "failed":
            if browser.state["may"]["move"]:
                browser.play(browser.words()[0])
            else:
                browser.hear()
        assert "no idea" in browser.state["seats"][0]["message"]
        assert browser.ask("analyse", "error", agent=spec)["code"] == "not_allowed"
        moves = browser.state["moves"]
        browser.say("seat", seat=0, agent="greedy")
        wait_for_turn(browser)
        assert browser.state["moves"] > moves


def test_an_agent_with_code_of_its_own_plays_from_a_sandbox(tmp_path: Path) -> None:
    with playing(tmp_path, "return int(mask.nonzero()[0][0])", "random") as (_, browser):
        browser.wait(lambda state: state["moves"] >= 6)
        assert all(not seat["message"] for seat in browser.state["seats"])


def test_game_without_a_table_of_its_own_is_played_by_picture_and_words(tmp_path: Path) -> None:
    live = Live(tmp_path, games=[dataclasses.replace(ODDVILLE, scene=None, sources=())]).start()
    with host(live, "human", "human", seed=1) as browser:
        assert (browser.state["table"], browser.state["drawings"]) == (None, {})
        assert browser.state["picture"].startswith("<svg")
        assert {move["text"] for group in browser.state["legal"] for move in group["moves"]} == set(browser.words())
        browser.play(browser.words()[0])
    live.stop()
