"""What the server says of positions: hints, analyses, chances and comparisons, as PROTOCOL.md has it."""

from itertools import accumulate

from oddville_agents.judge import choices
from oddville_agents.play import analyse
from oddville_env import Game, OldTown
from oddville_env.oddville.scene import SCENE
from oddville_env.web.messages.analysis import MOST_TURNS
from oddville_env.web.messages.protocol import BRANCHES
from support.helpers import random_game
from support.page.live import Halls, Live, first_words, host, wait_for_turn
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
    assert [(one["parent"], one["seat"], one["visits"]) for one in found["tree"]] == [
        (one.parent, one.seat, one.visits) for one in known
    ]
    for told, branch in zip(found["tree"], known, strict=True):
        here = Game.from_state(game.box, branch.games)
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


def test_chances_are_told_for_every_moment_and_what_turned_them_with_what_would_have_been_better(hall: Live) -> None:
    game = Game(2, 3, moves=words_of("oddville", 2, 3)[:40])  # of agents that make few mistakes
    with hall.enter(hall.upload(game.record()), "host") as (browser,):
        parts = [browser.ask("chances", "chances", agent="search:sims=64")]
        while not parts[-1]["final"]:
            parts.append(browser.until("chances"))
    values = [each for part in parts for each in part["values"]]
    assert [part["from"] for part in parts][1:] == [*accumulate(len(part["values"]) for part in parts)][:-1]
    assert len(values) == len(game.moves) + 1
    assert all(abs(sum(each) - 1) < 0.01 for each in values)
    for turn in sorted(parts[-1]["turns"], key=lambda turn: -turn["move"]):
        game.take_back(turn["move"] - 1)
        assert turn["change"] <= -0.05
        assert turn["better"] is None or turn["better"] in {*game.legal_moves.words()} - {turn["word"]}
    assert any(turn["better"] for turn in parts[-1]["turns"])


def test_two_agents_are_compared_at_every_decision_of_a_game(hall: Live) -> None:
    game = random_game(2, 8)
    with hall.enter(hall.upload(game.record()), "host") as (browser,):
        parts = [browser.ask("compare", "compared", agents=["greedy", "random"])]
        while not parts[-1]["final"]:
            parts.append(browser.until("compared"))
        refused = browser.ask("compare", "error", agents=["greedy", "search:ms=100000000"])
    found = list(choices(game, "greedy", "random"))
    assert [part["decisions"] for part in parts[:2]] == [5, 10]
    assert (parts[-1]["decisions"], parts[-1]["same"]) == (len(found), sum(one.one == one.other for one in found))
    known = {(one.move, one.seat, one.one, one.other) for one in found}
    listed = [tuple(each[name] for name in ("move", "seat", "one", "other")) for each in parts[-1]["differing"]]
    assert (set(listed) <= known, len(listed)) == (True, MOST_TURNS)
    costs, other_costs = ({each[name] for each in parts[-1]["differing"]} for name in ("cost", "other_cost"))
    assert costs != {None} == other_costs
    assert refused["why"] == "no_agent"
