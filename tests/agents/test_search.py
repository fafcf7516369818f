"""`search`: what it may know, how it counts and plays on, when it stops, and whether it finds what a solver finds."""

import copy
import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import pytest

from oddville_agents import AgentFaultError, make_agent
from oddville_agents.oddville.search import iteration, tree
from oddville_agents.oddville.search.agent import ENOUGH, WIDE, SearchAgent
from oddville_agents.oddville.value.evaluator import make_evaluator
from oddville_agents.oddville.value.formula.weights import weight_set
from oddville_agents.oddville.value.network import network_of
from oddville_agents.play import analyse
from oddville_env import Game
from oddville_env.core.compiled.arrays import copied
from oddville_env.oddville.cards import base_cards
from oddville_env.oddville.moves import words
from oddville_env.oddville.rules import hidden
from support.helpers import every_number, many_states, random_game
from support.scenario import play

FILES = [Path(__file__).parent / "data" / name for name in ("endings.jsonl", "gambles.jsonl")]
ENDINGS, GAMBLES = ([json.loads(line) for line in file.read_text().splitlines()] for file in FILES)


def sure_ending(index: int) -> tuple[Game, set[str]]:
    """A position of the last round in which all that comes is known, and the words that surely win."""
    game = Game.from_record(ENDINGS[index]["game"])
    game.state["card_seen"], game.state["unseen"], game.state["character_seen"] = 1, 0, 1
    return game, set(ENDINGS[index]["best"])


def gamble(index: int) -> tuple[Game, dict[str, float]]:
    """A position of the last round in which little is unknown, and the chance to win behind each word.

    No seat has seen the deck's two top cards and the last coin of the seat to move. The points of the characters
    differ widely, so that a reshuffle often decides a game.
    """
    base = base_cards()
    game = Game.from_record(GAMBLES[index]["game"], replace(base, points=np.array([0, 9, 18] * 4, base.points.dtype)))
    game.state["card_seen"], game.state["unseen"], game.state["character_seen"] = 1, 0, 1
    one = game.state[0]
    coins = one.coin[one.to_move, : one.coins[one.to_move]]
    one.card_seen[[*one.deck[[one.deck_top, (one.deck_top + 1) % len(one.deck)]], *coins[-1:]]] = 0
    return game, GAMBLES[index]["chances"]


def test_endings_and_gambles_are_those_that_a_solver_of_all_moves_and_orders_judged() -> None:
    assert [crc32(file.read_bytes()) for file in FILES] == [0x4AD87893, 0xBEA7940E]  # solver: commit 84d70147


def canonical(game: Game) -> np.ndarray:
    """The position [1] without hidden information."""
    state = copied(game.state)
    hidden.canonicalize_hidden(game.box.record[0], state[0])
    return state


def choice(agent: SearchAgent, game: Game, seed: int = 0) -> int:
    """Its move in a game that has just begun for it."""
    agent.reset(game.to_move, game.players, seed)
    return agent.act(game.view())


@every_number
def test_canonical_order_changes_nothing_visible_and_tells_public_positions_apart(players: int) -> None:
    for game in many_states(40, players):
        other = Game.from_state(game.box, canonical(game))
        assert other.position() == game.position()
        assert (other.legal_moves.words(), other.problems()) == (game.legal_moves.words(), [])
    games = [random_game(2, seed, 30) for seed in range(20)]
    assert len({canonical(game).tobytes() for game in games}) == len(games)


@pytest.mark.rule("K3")
@every_number
def test_move_reveals_something_exactly_when_its_outcome_depends_on_hidden_cards(players: int) -> None:
    rng, told = np.random.default_rng(2), 0
    for game in many_states(15, players):
        for move in game.legal_moves:
            outcomes = []
            for world in [game.sample_unseen(None, rng) for _ in range(4)]:
                before = world.state.copy()
                world.push(move)
                revealed = bool(hidden.is_revealing(before[0], world.state[0]))
                told += revealed
                outcomes.append(canonical(world).tobytes())
            assert revealed or len(set(outcomes)) == 1, move
    assert told


@pytest.mark.parametrize(("sims", "turns"), [(600, 0), (60, 4)])
def test_equal_seeds_give_equal_searches_with_and_without_threads(sims: int, turns: int) -> None:
    game = random_game(2, 5, 30)
    for threads in (1, 2):
        one, other = (SearchAgent(sims=sims, turns=turns, threads=threads) for _ in range(2))
        assert choice(one, game, seed=4) == choice(other, game, seed=4)
        assert one.candidates() == other.candidates()


@every_number
def test_visits_add_up_and_chances_sum_to_one(players: int) -> None:
    game, agent = random_game(players, 6, 30), SearchAgent(sims=500)
    choice(agent, game)
    found = agent.candidates()
    assert sum(candidate.visits for candidate in found) == tree_visits(agent) - 1
    assert sorted(candidate.action for candidate in found) == np.flatnonzero(game.mask).tolist()
    for candidate in found:
        if candidate.visits:
            assert (sum(candidate.values), candidate.line[0]) == (pytest.approx(1), candidate.action)


def tree_visits(agent: SearchAgent) -> int:
    return int(agent._trees[0].nodes[agent._roots[0]].visits)


@every_number
def test_tree_tells_each_move_behind_the_one_before_it(players: int) -> None:
    game = random_game(players, 3, 40)
    found = analyse(game, "search:sims=4000", branches=60)
    assert len(found.tree) == 60
    root = [branch for branch in found.tree if branch.parent is None]
    candidates = {game.action(one.word): one for one in found.candidates}
    assert [candidates[one.action][1:4:2] for one in root] == [(one.visits, one.values) for one in root]
    assert {one.visits for one in root} >= {one.visits for one in found.candidates[:WIDE]}
    for index, branch in enumerate(found.tree):
        here = Game.from_state(game.box, branch.games)
        assert here.mask[branch.action]
        assert here.to_move == branch.seat
        assert branch.parent is None or branch.parent < index
        behind = [each.visits for each in found.tree if each.parent == index]
        assert behind == sorted(behind, reverse=True)
        assert len(behind) <= WIDE
    assert found.tree[len(root)].parent == 0
    assert sum(one.prior for one in root) <= 1 + 1e-9
    whole = analyse(game, "search:sims=200", branches=500).tree
    assert all(whole[one.parent].visits >= ENOUGH for one in whole if one.parent is not None)
    assert analyse(game, "search:sims=400").tree == analyse(game, "greedy", branches=60).tree == ()


class Broken(SearchAgent):
    tree: Any = None


def test_fault_of_a_tree_is_a_sentence() -> None:
    sentence = "agent 'search': raised: TypeError: 'NoneType' object is not callable when it was asked for an analysis"
    with pytest.raises(AgentFaultError, match=sentence):
        analyse(Game(2, seed=1), Broken(sims=10), branches=1)


def test_agent_has_no_tree_before_its_first_opinion_of_a_game_and_keeps_it_for_the_next_move() -> None:
    agent = SearchAgent(sims=40)
    assert agent.tree(8) == ()
    agent.opinion(Game(2, seed=1).view())
    assert len(agent.tree(3)) == 3
    agent.reset(0, 2, 0)
    assert agent.tree(8) == ()
    game, agent = random_game(2, 5, 30), SearchAgent(sims=2000)
    game.push(choice(agent, game))
    iterations = agent.search(game.view().box, game.state, 0)
    assert tree_visits(agent) > iterations + 100


def test_transpositions_share_a_node() -> None:
    games = ((game, [w for w in game.legal_moves.words() if w.startswith("bonus:")]) for game in many_states(5000, 2))
    game, (first, second, *_) = next((game, words) for game, words in games if len(words) > 1)
    one, nodes, evaluator = tree.make_tree(game.box, 64), set(), make_evaluator(weight_set("tuned", 2))
    for line in ((first, second), (second, first)):
        clean, more = copied(play(game.copy(), *line).state), (evaluator, np.uint64(0), 0, 0, 0)
        nodes.add(iteration.grow(game.box.record, one, tree.NOWHERE, clean, 0, *more))
    assert len(nodes) == 1


@pytest.mark.parametrize(("sims", "turns"), [(5000, 0), (300, 2)])
def test_a_full_tree_still_gives_a_move(sims: int, turns: int) -> None:
    game, agent = random_game(2, 5, 30), SearchAgent(sims=sims, turns=turns)
    choice(agent, game)
    agent._trees = [tree.make_tree(game.box, 50)]
    assert game.mask[agent.act(game.view())]
    assert agent._trees[0].used[0] <= 50


def test_full_tree_still_improves_values_of_moves() -> None:
    game, agent = random_game(2, 5, 30), SearchAgent(sims=8_000)
    choice(agent, game)
    roomy = agent.candidates()
    agent._trees = [tree.make_tree(game.box, 500)]
    iterations, found = agent.search(game.box, game.state, 0), agent.candidates()
    assert sum(candidate.visits for candidate in found) == iterations
    assert found[0].values[0] == pytest.approx(roomy[0].values[0], abs=0.1)


@pytest.mark.parametrize(
    "spec", ["search:sims=1", "search:sims=2,threads=2", "search:sims=1,turns=3", "search:ms=0.001"]
)
def test_shortest_search_gives_a_legal_move(spec: str) -> None:
    agent = make_agent(spec)
    for game in many_states(3, 3):
        assert game.mask[agent.act(game.view())]
        assert len(analyse(game, spec).candidates) == len(game.legal_moves)


def tree_after(game: Game, turns: int, values: np.ndarray, seed: int = 0) -> tree.Tree:
    """A tree that imagines this position, whose values are these, after it has looked further."""
    one = tree.make_tree(game.box, 64)
    one.after[:], one.values[: game.players] = canonical(game), values
    evaluator = make_evaluator(weight_set("search", game.players), network_of("learned"))
    iteration.look_further(game.box.record, one, evaluator, np.uint64(seed), turns)
    return one


def played_on(game: Game, turns: int, seed: int = 0) -> tuple[Game, np.ndarray]:
    """The position that a tree's scratch holds after playing on from this one, and its values there."""
    one = tree_after(game, turns, np.zeros(game.players), seed)
    return Game.from_state(game.box, one.after.copy()), one.later[: game.players].copy()


def looked_further(game: Game, turns: int, values: np.ndarray) -> np.ndarray:
    """What becomes of values of this position."""
    return tree_after(game, turns, values).values[: game.players].copy()


@every_number
def test_rollout_lasts_the_given_number_of_turns_or_to_the_end_of_the_game(players: int) -> None:
    for game in many_states(20, players):
        if game.is_over or not game.state["rounds"][0]:  # seats choose their first cards anticlockwise [S6]
            continue
        before = int(game.state["active"][0])
        for turns in range(1, players + 1):
            then, values = played_on(game, turns)
            assert values.sum() == pytest.approx(1)
            assert then.is_over or int(then.state["active"][0]) == (before + turns) % players
    end, values = played_on(random_game(players, 6, 30), 100)
    assert end.is_over
    assert (values.argmax(), values.max()) == (end.outcome.winner, 1)


def test_rollout_samples_hidden_cards() -> None:
    game = random_game(4, 6, 30)
    assert len({tuple(played_on(game, 8, seed)[1]) for seed in range(8)}) > 1


@every_number
def test_value_is_the_mean_of_now_and_later_and_a_finished_game_has_no_later(players: int) -> None:
    game = random_game(players, 6, 30)
    _, later = played_on(game, players)
    now = np.linspace(0, 1, players)
    assert looked_further(game, players, now) == pytest.approx((now + later) / 2)
    assert looked_further(game, 0, now).tolist() == now.tolist()
    assert looked_further(random_game(2, 6), 4, np.array([0.25, 0.75])).tolist() == [0.25, 0.75]


@pytest.mark.parametrize(("spec", "turns"), [
    ("search", 4),
    ("search:ms=5", 4),
    ("search:ms=5,turns=0", 0),
    ("search:ms=5,value=formula", 0),
    ("search:sims=5", 0),
    ("search:sims=5,turns=3", 3),
])  # fmt: skip
def test_default_of_turns_depends_on_clock_and_network(spec: str, turns: int) -> None:
    game, agent = random_game(2, 5, 30), make_agent(spec)
    for one in (agent, copy.deepcopy(agent)):
        assert isinstance(one, SearchAgent)
        choice(one, game)
        assert one._turns == turns


@pytest.mark.parametrize("players", [2, 4])
def test_search_stops_on_time(players: int) -> None:
    agent = SearchAgent(ms=60)
    choice(agent, random_game(players, 5, 30))
    worked = []
    for game in many_states(7, players):
        start = time.process_time()  # what other programs take of the clock is not its work
        choice(agent, game)
        worked.append(time.process_time() - start)
    assert np.median(worked) < 0.08


def test_single_legal_move_is_played_at_once() -> None:
    game = random_game(2, 5, 30)
    only = np.zeros_like(game.mask)
    only[np.flatnonzero(game.mask)[-1]] = True
    view = game.view()
    view.mask = only
    agent, start = SearchAgent(ms=10_000), time.perf_counter()
    assert agent.act(view) == only.argmax()
    assert time.perf_counter() - start < 1


@pytest.mark.parametrize("index", range(len(ENDINGS)))
def test_search_finds_a_sure_win(index: int) -> None:
    game, best = sure_ending(index)
    assert words(game.box.layout)[choice(SearchAgent(sims=8_000), game)] in best


@pytest.mark.parametrize("index", range(len(GAMBLES)))
def test_search_values_match_exact_expectations(index: int) -> None:
    (game, chances), agent = gamble(index), SearchAgent(sims=25_000)
    choice(agent, game)
    best = agent.candidates()[0]
    assert chances[words(game.box.layout)[best.action]] == pytest.approx(max(chances.values()), abs=0.02)
    assert best.values[game.to_move] == pytest.approx(max(chances.values()), abs=0.05)
