"""EvaluatorSearch finds winning moves, sees nothing hidden, and is deterministic."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from oddville_agents import AgentError, EvaluatorSearch
from oddville_env import Game, OldTown, View
from oddville_env.core.game.game_type import GameType
from oddville_env.oldtown.game_type import OLDTOWN
from support.games import every_type
from support.helpers import random_game


class Even:
    """Equal priors and values; counts the positions of each call."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def evaluate(self, views: Sequence[View]) -> tuple[np.ndarray, np.ndarray]:
        self.asked.append(len(views))
        assert all(view.mask.any() for view in views)
        players = views[0].players
        return np.ones((len(views), len(views[0].mask))), np.full((len(views), players), 1 / players)


class Fixed:
    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def evaluate(self, views: Sequence[View]) -> Any:
        return self.answer


class ByPoints(Even):
    """The seat with more points is likelier to win."""

    def evaluate(self, views: Sequence[View]) -> tuple[np.ndarray, np.ndarray]:
        priors, _ = super().evaluate(views)
        points = np.array([[int(view.state[0].score[seat]) for seat in range(view.players)] for view in views])
        chances = np.exp(points / 4)
        return priors, chances / chances.sum(1, keepdims=True)


def late(game_type: GameType, seed: int, left: int) -> Any:
    """A game of random moves, stopped some decisions before its end."""
    game = random_game(2, seed, make=game_type.game)
    for _ in range(left):
        game.pop()
    return game


def ends(game: Any) -> dict[int, float]:
    """The moves that end the game, and the mover's share of the win."""
    found = {}
    for action in np.flatnonzero(game.mask).tolist():
        other = game.copy()
        other.push(action)
        if other.is_over:
            found[action] = other.outcome.win_share(game.to_move)
    return found


@every_type
def test_winning_move_is_found_and_losing_move_avoided(game_type: GameType) -> None:
    wins = losses = 0
    for seed in range(100):
        game = late(game_type, seed, 1)
        over, moves = ends(game), int(game.mask.sum())
        if len(over) == moves or set(over.values()) not in ({0.0}, {1.0}):
            continue
        best = EvaluatorSearch(Even(), sims=30 * moves).opinion(game.view()).candidates[0]
        if 1.0 in over.values():
            wins += 1
            assert best.action in over or best.values[game.to_move] > 0.8
        else:
            losses += 1
            assert best.action not in over or best.values[game.to_move] < 0.2
        if wins and losses:
            break
    assert wins
    assert losses


@every_type
def test_equal_seeds_and_equal_views_give_equal_moves(game_type: GameType) -> None:
    for seed in range(3):
        game = late(game_type, seed, 12)
        twin = game.sample_unseen(game.to_move, np.random.default_rng(seed))
        found = {
            tuple(agent.opinion(each.view()).candidates)
            for each in (game, game, twin)
            for agent in [EvaluatorSearch(ByPoints() if game_type is OLDTOWN else Even(), sims=60, batch=7)]
        }
        assert len(found) == 1


@every_type
def test_leaves_are_evaluated_in_batches_and_every_iteration_is_counted(game_type: GameType) -> None:
    for batch in (1, 16):
        evaluator = Even()
        opinion = EvaluatorSearch(evaluator, sims=50, batch=batch).opinion(game_type.game(2, seed=3).view())
        assert opinion.iterations == sum(each.visits for each in opinion.candidates) == 50
        assert (evaluator.asked[0], max(evaluator.asked)) == (1, batch)
        for each in opinion.candidates:
            assert not each.visits or sum(each.values) == pytest.approx(1)


def test_search_by_points_beats_random() -> None:
    won = 0.0
    for seed in range(4):
        game, rng, agent = OldTown(2, seed=seed), np.random.default_rng(seed), EvaluatorSearch(ByPoints(), sims=40)
        while not game.is_over:
            view = game.view()
            game.push(int(agent.act(view) if view.seat == seed % 2 else rng.choice(view.actions)))
        won += game.outcome.win_share(seed % 2)
    assert won >= 3


@pytest.mark.parametrize(("answer", "sentence"), [
    (None, "priors and values, not None"),
    ((np.ones((1, 3)), np.ones((1, 2))), "priors must be finite numbers of shape"),
    ((np.ones((1, 472)), np.ones(1)), "values must be finite numbers of shape"),
    ((np.full((1, 472), -1.0), np.ones((1, 2))), "priors must not be below 0"),
    (([[1.0, 2.0], [1.0]], np.ones((1, 2))), "priors must be finite numbers of shape .*inhomogeneous"),
    (("x" * 300_000, np.ones((1, 2))), "priors must be finite numbers of shape .* not of dtype"),
    ((np.ones((1, 472)), {"mine": 0.5}), "values must be finite numbers of shape .* not of dtype object"),
])  # fmt: skip
def test_malformed_answer_of_an_evaluator_is_refused_in_one_sentence(answer: Any, sentence: str) -> None:
    with pytest.raises(AgentError, match=sentence) as refused:
        EvaluatorSearch(Fixed(answer)).act(Game(2, seed=1).view())
    assert len(str(refused.value)) < 400


def test_tensor_that_needs_a_gradient_is_refused_in_one_sentence() -> None:
    torch = pytest.importorskip("torch")
    answer = torch.ones(1, 472, requires_grad=True), torch.ones(1, 2)
    with pytest.raises(AgentError, match=r"priors must be finite numbers of shape .*detach"):
        EvaluatorSearch(Fixed(answer)).act(Game(2, seed=1).view())
    EvaluatorSearch(Fixed((torch.ones(1, 472), torch.ones(1, 2))), sims=1).act(Game(2, seed=1).view())


@pytest.mark.parametrize("evaluator", [None, 5, "greedy", Even, lambda views: None])
def test_evaluator_without_the_method_is_refused_when_the_agent_is_made(evaluator: Any) -> None:
    with pytest.raises(AgentError, match=r"^an evaluator is an object with a method evaluate\(views\), not "):
        EvaluatorSearch(evaluator)


def test_zero_priors_visit_all_moves() -> None:
    class Nothing(Even):
        def evaluate(self, views: Sequence[View]) -> tuple[np.ndarray, np.ndarray]:
            priors, values = super().evaluate(views)
            return 0 * priors, values

    game = Game(2, seed=1)
    shares = [each.share for each in EvaluatorSearch(Nothing(), sims=200).opinion(game.view()).candidates]
    assert min(shares) > 0
