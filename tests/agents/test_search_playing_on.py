"""Positions that `search` plays on before it counts their values."""

import copy

import numpy as np
import pytest

from oddville_agents import make_agent
from oddville_agents.oddville.search import iteration, tree
from oddville_agents.oddville.search.agent import SearchAgent
from oddville_agents.oddville.value.evaluator import make_evaluator
from oddville_agents.oddville.value.formula.weights import weight_set
from oddville_agents.oddville.value.network import network_of
from oddville_env import Game
from support.helpers import many_states, random_game
from support.searches import canonical, choice

every_number = pytest.mark.parametrize("players", [2, 3, 4])


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
def test_rollout_lasts_the_given_number_of_turns(players: int) -> None:
    for game in many_states(20, players):
        if game.is_over or not game.state["rounds"][0]:  # seats choose their first cards anticlockwise [S6]
            continue
        before = int(game.state["active"][0])
        for turns in range(1, players + 1):
            then, values = played_on(game, turns)
            assert values.sum() == pytest.approx(1)
            assert then.is_over or int(then.state["active"][0]) == (before + turns) % players


@every_number
def test_long_rollout_ends_with_the_game(players: int) -> None:
    game = random_game(players, 6, 30)
    end, values = played_on(game, 100)
    assert end.is_over
    assert values.argmax() == end.outcome.winner
    assert values.max() == 1


def test_rollout_samples_hidden_cards() -> None:
    game = random_game(4, 6, 30)
    assert len({tuple(played_on(game, 8, seed)[1]) for seed in range(8)}) > 1


@every_number
def test_value_is_the_mean_of_now_and_later(players: int) -> None:
    game = random_game(players, 6, 30)
    _, later = played_on(game, players)
    now = np.linspace(0, 1, players)
    assert looked_further(game, players, now) == pytest.approx((now + later) / 2)
    assert looked_further(game, 0, now).tolist() == now.tolist()


def test_finished_game_has_no_rollout() -> None:
    game = random_game(2, 6, 30)
    while not game.is_over:
        game.push(int(game.mask.argmax()))
    assert looked_further(game, 4, np.array([0.25, 0.75])).tolist() == [0.25, 0.75]


@pytest.mark.parametrize(
    ("spec", "turns"),
    [
        ("search", 4),
        ("search:ms=5", 4),
        ("search:ms=5,turns=0", 0),
        ("search:ms=5,value=formula", 0),
        ("search:sims=5", 0),
        ("search:sims=5,turns=3", 3),
    ],
)
def test_default_of_turns_depends_on_clock_and_network(spec: str, turns: int) -> None:
    game = random_game(2, 5, 30)
    agent = make_agent(spec)
    for one in (agent, copy.deepcopy(agent)):
        assert isinstance(one, SearchAgent)
        choice(one, game)
        assert one._params.turns == turns
