"""`casual` and the levels: errs the less the lower its temperature is, and small errors before large ones."""

from typing import Any

import numpy as np
import pytest

from oddville_agents import make_agent
from oddville_agents.play import opinion_of
from oddville_agents.roster import LEVELS, roster_of
from oddville_env.core.game.game_type import game_type
from oddville_env.core.parts.played_game import PlayedGame
from oddville_training.tournament.evaluate import evaluate

MOVES = 9


def middle(name: str) -> PlayedGame[Any]:
    """A game in which there is something to choose."""
    game = game_type(name).game(2, 5)
    while len(game.moves) < MOVES or game.mask.sum() < 3:
        game.push(game.legal_moves.words()[-1])
    return game


each_game = pytest.mark.parametrize("name", ["oddville", "oldtown"])


@each_game
def test_better_moves_are_more_likely(name: str) -> None:
    game = middle(name)
    mind = "greedy" if name == "oddville" else "heuristic"
    _, found = opinion_of(make_agent(mind, name), game.view(), 0)
    _, casual = opinion_of(make_agent("casual:temperature=0.5", name), game.view(), 0)
    shares = [candidate.share for candidate in casual.candidates]
    assert casual.candidates[0].action == found.candidates[0].action
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) == pytest.approx(1)
    assert 0 < shares[-1] < shares[0] < 1


@each_game
@pytest.mark.parametrize("temperature", ["0.0000001", "1e-310"])
def test_low_temperature_plays_the_best_move(name: str, temperature: str) -> None:
    game = middle(name)
    _, cold = opinion_of(make_agent(f"casual:temperature={temperature}", name), game.view(), 0)
    assert cold.candidates[0].share == pytest.approx(1)
    assert np.isfinite([candidate.share for candidate in cold.candidates]).all()


@each_game
def test_there_is_an_agent_for_every_level_and_an_easy_one_beats_a_beginner(name: str) -> None:
    levels = roster_of(name).levels
    assert len(levels) == len(LEVELS)
    assert all(make_agent(spec, name).name for spec in levels)
    (found,) = evaluate(make_agent(levels[1], name), [levels[0]], 40, game=game_type(name), progress=False).against
    assert found.wins > 0.6
