"""What agents say of a position: visits, chances to win, expected lines."""

import json
import time

import pytest

from oddville_agents.oddville.search import iteration
from oddville_agents.play import analyse, picture, table
from oddville_env import Game
from oddville_env.core.errors import SettingError
from oddville_env.oddville.moves import words
from support.helpers import many_states, random_game

# Analysis


def test_analysis_has_visits_chances_and_lines_and_marks_cells() -> None:
    game = next(g for g in many_states(500, 2) if any(move.word.startswith("build") for move in g.legal_moves))
    played = next(move.word for move in game.legal_moves if move.word.startswith("build"))
    found = analyse(game, "search:sims=3000", played=played)
    assert [thought.word for thought in found.candidates if thought.played] == [played]
    assert sorted(thought.word for thought in found.candidates) == game.legal_moves.words()
    assert sum(thought.share for thought in found.candidates) == pytest.approx(1)
    assert table(found, "a title").row_count == len(game.legal_moves)
    assert json.loads(json.dumps(found.as_json()))["candidates"][0]["visits"] == found.candidates[0].visits
    drawn = picture(found, game)
    assert "Candidates" in drawn
    assert drawn.count(">played<") == 1
    assert drawn == picture(found, game)


def test_a_decision_with_one_move_can_be_analysed() -> None:
    game = Game(4, 1)
    while len(game.legal_moves) > 1:
        game.push(int(game.mask.argmax()))
    (only,) = analyse(game, "search:sims=500").candidates
    assert only.share == 1
    assert sum(only.values) == pytest.approx(1)


def test_unvisited_move_has_no_chances() -> None:
    found = analyse(random_game(2, 5, 30), "search:sims=3").as_json()["candidates"]
    assert {told["values"] is None for told in found if not told["visits"]} == {True}
    assert all(sum(told["values"]) == pytest.approx(1) for told in found if told["visits"])


@pytest.mark.parametrize("seed", [-1, 0.5])
def test_invalid_seed_is_refused(seed: int) -> None:
    with pytest.raises(SettingError, match="seed must be a whole number of at least 0"):
        analyse(Game(2, 0), "search:sims=10", seed)


def test_greedy_gives_chances_after_every_move_and_plays_the_first() -> None:
    for game in (random_game(3, seed, 40) for seed in range(4)):
        candidates = game.opinion("greedy").candidates
        assert candidates[0].word == game.ask("greedy").word
        assert sorted(candidate.word for candidate in candidates) == game.legal_moves.words()
        assert all(sum(candidate.values) == pytest.approx(1) for candidate in candidates)


def test_default_opinion_is_the_move() -> None:
    game = random_game(2, 5, 30)
    found = game.opinion(lambda observation, mask: int(mask.argmax()))
    assert [(candidate.word, candidate.share) for candidate in found.candidates] == [
        (words(game.box.layout)[int(game.mask.argmax())], 1.0)
    ]
    assert table(found, "a title").row_count == 1
    assert picture(found, game)


def test_loading_code_does_not_count_as_thinking_time(monkeypatch: pytest.MonkeyPatch) -> None:
    grow, loaded = iteration.grow, []

    def load_first(*arguments: object) -> int:
        if not loaded:
            time.sleep(0.5)
            loaded.append(True)
        return int(grow(*arguments))

    monkeypatch.setattr(iteration, "grow", load_first)
    game = Game(2, seed=4)
    assert analyse(game, "search:ms=20").seconds < 0.5
