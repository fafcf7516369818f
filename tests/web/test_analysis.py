"""What the server says of positions: hints, analyses, chances and comparisons, as PROTOCOL.md has it."""

import queue
import threading
import time
from itertools import accumulate
from typing import Any

import pytest

import oddville_agents
from oddville_agents.judge import choices, verdicts
from oddville_agents.play import analyse
from oddville_env import Game, OldTown
from oddville_env.core.game.game_type import game_type
from oddville_env.oddville.scene import SCENE
from oddville_env.web.messages.analysis import MOST_DIFFERING
from oddville_env.web.messages.protocol import BRANCHES
from support.helpers import random_game
from support.page.live import WAIT_S, Halls, Live, first_words, host, wait_for_turn
from support.page.stages import words_of


def test_a_hint_and_an_analysis_name_legal_moves(hall: Live) -> None:
    with host(hall, "human", "greedy", seed=6) as browser:
        first_words(browser, 2)
        wait_for_turn(browser)
        words, hint = set(browser.words()), browser.ask("hint", "analysis", id=3)
        assert (hint["purpose"], hint["id"], hint["final"]) == ("hint", 3, True)
        assert hint["candidates"][0]["word"] in words
        found = browser.ask("analyse", "analysis", agent="search:sims=64")
        assert {candidate["word"] for candidate in found["candidates"]} == words
        assert abs(sum(candidate["share"] for candidate in found["candidates"]) - 1) < 0.01
        assert (bool(found["heat"]), found["seat"]) == (True, 0)


def test_tree_of_a_search_is_told_where_there_is_one(hall: Live) -> None:
    spec, game = "search:sims=64", random_game(3, 5, moves=60)
    with hall.enter(hall.upload(game.record()), "host") as (browser,):
        found = browser.ask("analyse", "analysis", agent=spec, move=50)
    game.take_back(50)
    known = analyse(game, spec, branches=BRANCHES).tree
    assert 8 < len(found["tree"]) <= BRANCHES
    for told, branch in zip(found["tree"], known, strict=True):
        here = Game.from_state(game.box, branch.games)
        assert (told["parent"], told["seat"], told["visits"]) == (branch.parent, branch.seat, branch.visits)
        assert told["spot"] == SCENE.move(told["word"], here.position())["path"][-1]
        assert told["word"] in here.legal_moves.words()
        assert told["value"] == round(branch.values[branch.seat], 4)
        if told["word"].startswith("buy"):
            assert told["drawing"] == f"building-{here.position()['row'][int(told['word'][-1]) - 1]}"
    with hall.enter(hall.upload(random_game(2, 5, moves=60, make=OldTown).record(), "oldtown"), "host") as (browser,):
        found = browser.ask("analyse", "analysis", agent=spec, move=0)
    assert (found["tree"], found["iterations"] > 0, bool(found["candidates"])) == ([], True, True)


def test_line_of_a_search_is_played_in_a_game_where_agents_may_be_asked(hall: Live) -> None:
    game, seats = random_game(2, 8, moves=40), ["human", "human"]
    record = game.record()
    game.take_back(30)
    line = [str(next(iter(game.legal_moves)))]
    game.push(line[0])
    with hall.enter(hall.upload(record), "host") as (browser,):
        made = browser.ask("play_on", "made", move=30, seats=seats, line=line)["game"]
        refused = browser.ask("play_on", "error", move=30, seats=seats, line=[*line, "buy:9:9"])
        assert (refused["why"], refused["values"]) == ("line_ends", {"n": 2})
        assert browser.ask("play_on", "error", move=30, seats=seats, line=line * 41)["code"] == "bad_message"
    with hall.enter(made, "host") as (browser,):
        assert [entry["word"] for entry in browser.state["list"]["entries"]] == game.record()["moves"]
        assert browser.state["position"] == game.position()
        assert browser.ask("analyse", "analysis", agent="search:sims=64")["seat"] == game.to_move
        assert browser.ask("play_on", "error", move=30, seats=seats, line=line)["why"] == "play_on_later"


def test_a_slow_agent_gives_a_first_answer_early(halls: Halls) -> None:
    spec = "search:ms=800"
    with host(halls("oddville", offered=[spec]), "human", "greedy", seed=6) as browser:
        wait_for_turn(browser)
        first, final = browser.ask("analyse", "analysis", agent=spec), browser.until("analysis")
        assert [(found["final"], found["agent"]) for found in (first, final)] == [(False, spec), (True, spec)]
        assert first["seconds"] < final["seconds"]


def rounded(part: float | None) -> float | None:
    return None if part is None else round(part, 4)


@pytest.mark.parametrize("name", ["oddville", "oldtown"])
def test_chances_and_mistakes_of_all_moves_are_those_of_the_judge(hall: Live, name: str) -> None:
    spec, game = "search:sims=64", game_type(name).game(2, 3, moves=words_of(name, 2, 3)[:40])
    with hall.enter(hall.upload(game.record(), name), "host") as (browser,):
        browser.say("chances", agent=spec)
        turns = browser.until("chances", final=True)["turns"]
        parts = [message for message in browser.heard if message["type"] == "chances"]
    found, values = list(verdicts(game, spec)), [each for part in parts for each in part["values"]]
    assert [part["from"] for part in parts][1:] == [*accumulate(len(part["values"]) for part in parts)][:-1]
    own = [each and each[one.seat] for each, one in zip(values[:-1], found, strict=True)]
    assert own == [rounded(one.before) for one in found]
    assert {each and round(sum(each), 2) for each in values} == ({1, None} if name == "oldtown" else {1})
    mistakes = [
        {"move": move, "seat": one.seat, "word": one.word, "change": -round(one.loss, 4),
         "standard_error": rounded(one.standard_error), "better": None if one.best == one.word else one.best}
        for move, one in enumerate(found, 1) if one.loss is not None and one.loss >= 0.05
    ]  # fmt: skip
    assert turns == sorted(mistakes, key=lambda turn: float(str(turn["change"])))
    assert any(turn["standard_error"] for turn in mistakes)


def test_two_agents_are_compared_at_every_decision_of_a_game(hall: Live) -> None:
    game = random_game(2, 8)
    with hall.enter(hall.upload(game.record()), "host") as (browser,):
        browser.say("compare", agents=["greedy", "random"])
        last = browser.until("compared", final=True)
    found = list(choices(game, "greedy", "random"))
    assert (last["decisions"], last["same"]) == (len(found), sum(one.one == one.other for one in found))
    most = sorted((each for each in found if each.one != each.other), key=lambda each: -each.difference)
    assert [tuple(each.values()) for each in last["differing"]] == [
        (each.move, each.seat, each.one, each.other, rounded(each.cost), None) for each in most[:MOST_DIFFERING]
    ]


def test_question_ends_when_another_is_asked_or_its_browser_leaves(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, released = queue.Queue[str](), threading.Event()

    def held(game: Any, spec: str, *more: Any) -> Any:
        asked.put(spec)
        assert released.wait(WAIT_S)
        return analyse(game, spec, *more)

    monkeypatch.setattr(oddville_agents, "analyse", held)
    made = live.upload(random_game(2, 8).record())
    with live.enter(made, "host") as (browser,):
        for kind, agents in (("compare", {"agents": ["greedy", "random"]}), ("chances", {"agent": "greedy"})):
            browser.say(kind, **agents)
            assert asked.get(timeout=WAIT_S) == "greedy"
    until = time.monotonic() + WAIT_S
    while live.lobby.rooms[made["id"]].watchers and time.monotonic() < until:
        time.sleep(0.01)
    released.set()
    live.lobby.thinking._analysts.shutdown()
    assert asked.empty()
