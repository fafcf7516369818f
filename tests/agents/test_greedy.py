"""`greedy`: its weights, what positions are worth to it, the chances that it gives, and how its weights are tuned."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from oddville_agents import make_agent
from oddville_agents.oddville.greedy import GreedyAgent, best_move
from oddville_agents.oddville.value.formula import weights as weight_sets
from oddville_agents.oddville.value.formula.projects import waiting
from oddville_agents.oddville.value.formula.values import relative_value, value_after_move, values
from oddville_agents.oddville.value.formula.weights import WEIGHTS, results_table, weight_set, weights_table
from oddville_agents.play import play
from oddville_agents.tensors import WeightsError
from oddville_env import Game
from oddville_env.core.checked import game_seeds
from oddville_env.envs.live_game import LiveGame
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oddville.rules.state import MOST_HELD
from oddville_env.oddville.settings import make_box
from oddville_training.oddville.tune import duels
from support.helpers import every_number, many_states

README = Path(__file__).resolve().parents[2] / "agents" / "oddville_agents" / "oddville" / "README.md"


@pytest.fixture
def plain() -> dict[str, Any]:
    return weight_sets.as_plain(weight_set("tuned", 2))


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def written(weights: Any, **changed: Any) -> Path:
        path = tmp_path / "mine.json"
        path.write_text(json.dumps({"format": "oddville-weights", "version": 1, "weights": weights} | changed))
        return path

    return written


def chances(game: Game, weights: np.ndarray) -> np.ndarray:
    out = np.full(game.box.players, np.nan)
    values(game.box.record[0], game.state[0], weights[0], out)
    return out


def value_of(game: Game, seat: int, weights: np.ndarray) -> float:
    return float(relative_value(game.box.record[0], game.state[0], seat, weights[0]))


def value_behind(game: Game, move: int, weights: np.ndarray) -> float:
    after, scratch = game.state.copy(), np.zeros(game.mask.size, np.bool_)
    return float(value_after_move(game.box.record[0], after[0], move, game.to_move, weights[0], scratch))


@pytest.mark.parametrize(("name", "printed"), [("weights", weights_table), ("results", results_table)])
def test_readme_has_the_printed_tables(name: str, printed: Callable[[], str]) -> None:
    shown = README.read_text().split(f"<!-- table {name} -->\n")[1].split(f"\n<!-- end {name} -->")[0]
    assert shown == printed(), "run `python -m oddville_agents.oddville.value.formula.weights`"


def test_readme_formula_names_every_weight() -> None:
    text = README.read_text().split("### The weights")[0] + README.read_text().split("### The chances to win")[1]
    spoken_of = {weight.name for weight in WEIGHTS if f"`{weight.name}`" in text}
    assert spoken_of >= {weight.name for weight in WEIGHTS} - {"unplaced", "flip", "certainty"}


def test_weights_survive_json_and_are_read_only_and_others_are_refused(plain: dict[str, Any], tmp_path: Path) -> None:
    assert weight_sets.as_record(json.loads(json.dumps(plain))) == weight_set("tuned", 2)
    with pytest.raises(ValueError, match="read-only"):
        weight_set("simple", 2)["turn"] = 1
    for text, sentence in (("{", "not JSON"), *((other, "no weights of") for other in ("[]", "{}", '{"format": 1}'))):
        (tmp_path / "mine.json").write_text(text)
        with pytest.raises(WeightsError, match=sentence):
            weight_set(str(tmp_path / "mine.json"), 2)


@pytest.mark.parametrize(("change", "sentence"), [
    ({"turn": 1.5}, "turn must be a number from 0.1 to 1, not 1.5"),
    ({"turn": True}, "turn must be a number from 0.1 to 1, not True"),
    ({"rivals": 10**400}, "rivals must be a number from 0 to 1e+09, not "),
    ({"speed": 1}, "weights must name exactly rivals, "),
    ({"wait": {"wood": 1}}, "wait must name exactly wood, clay, stone, crystal"),
    ({"wait": dict.fromkeys(("wood", "clay", "stone", "crystal"), -1)}, "wait.wood must be a number from 0 to"),
    ({"slack": "gone"}, "weights must name exactly"),
    *(({"rivals": f"@{number}"}, "") for number in ("NaN", "Infinity", "1e999", "-1e999")),
])  # fmt: skip
def test_wrong_weight_is_refused_with_file_and_name(
    plain: dict[str, Any], write: Callable[..., Path], change: dict[str, Any], sentence: str
) -> None:
    path = write({name: value for name, value in (plain | change).items() if value != "gone"})
    path.write_text(re.sub('"@([^"]*)"', r"\1", path.read_text()))
    with pytest.raises(WeightsError) as refused:
        weight_set(str(path), 2)
    assert str(refused.value).startswith(f"{path}: {sentence}" if sentence else str(path))


def test_an_agent_plays_with_the_weights_of_its_file(plain: dict[str, Any], write: Callable[..., Path]) -> None:
    live = LiveGame(ODDVILLE, make_box(2))
    lazy = plain | {"card": dict.fromkeys(("1", "2", "3", "4"), -5.0), "end": 0.0, "delay": 9.0}
    agents = [make_agent(f"greedy:weights={write(lazy)}"), GreedyAgent()]
    assert sum(play(live, agents, seed).winner == 0 for seed in range(10)) <= 2


@every_number
def test_duels_are_the_games_that_agents_play(players: int) -> None:
    box, seeds = make_box(players), range(3)
    dealt = np.array([game_seeds(seed)[0] for seed in seeds])
    won, leads = duels(box, weight_set("tuned", players), weight_set("simple", players), dealt)
    live = LiveGame(ODDVILLE, box)
    for seed in seeds:
        for seat in range(players):
            agents = [make_agent("greedy:weights=simple") for _ in range(players)]
            agents[seat] = make_agent("greedy")
            outcome = play(live, agents, seed)
            assert won[seed, seat] == (outcome.winner == seat)
            others = [points for other, points in enumerate(outcome.scores) if other != seat]
            assert leads[seed, seat] == outcome.scores[seat] - max(others)


@every_number
def test_when_the_game_is_over_the_winner_has_won(players: int) -> None:
    live, weights = LiveGame(ODDVILLE, make_box(players)), weight_set("tuned", players)
    for seed in range(20):
        outcome, game = play(live, [GreedyAgent()] * players, seed), live.game
        assert chances(game, weights).tolist() == [float(seat == outcome.winner) for seat in range(players)]
        for seat in range(players):
            assert (value_of(game, seat, weights) > 0) == (seat == outcome.winner)


@every_number
def test_chances_sum_to_one_and_see_nothing_hidden(players: int) -> None:
    rng, weights = np.random.default_rng(players), weight_set("tuned", players)
    for game in many_states(60, players, seed=5):
        found = chances(game, weights)
        assert ((found >= 0) & (found <= 1)).all()
        assert found.sum() == pytest.approx(1)
        other = game.sample_unseen(None, rng)
        assert np.array_equal(chances(other, weights), chances(game, weights))
        assert value_of(other, 0, weights) == value_of(game, 0, weights)


def test_turning_a_coin_over_is_not_the_end_of_the_turn() -> None:
    flips = (game for game in many_states(20_000, 2) if "flip" in game.legal_moves)
    game = next(game for game in flips if game.state[0].holding[game.to_move] == MOST_HELD)
    before = [waiting(game.box.record[0], game.state[0], seat) for seat in range(2)]
    game.push("flip")
    assert "drop:1" in game.legal_moves
    assert [waiting(game.box.record[0], game.state[0], seat) for seat in range(2)] == before


@every_number
def test_the_worth_of_a_move_does_not_depend_on_what_it_reveals(players: int) -> None:
    rng, weights = np.random.default_rng(players), weight_set("tuned", players)
    for game in many_states(40, players, seed=9):
        others = [game, *(game.sample_unseen(None, rng) for _ in range(3))]
        for move in np.flatnonzero(game.mask):
            assert len({value_behind(each, move, weights) for each in others}) == 1, move


def test_best_move_is_the_first_of_the_highest_values() -> None:
    ties = 0
    for name in ("tuned", "simple"):
        weights = weight_set(name, 2)
        for game in many_states(20, seed=2):
            if game.is_over:
                continue
            legal = np.flatnonzero(game.mask)
            worths = [value_behind(game, move, weights) for move in legal]
            chosen = best_move(game.box.record, game.state, 0, game.mask, weights, *GreedyAgent()._scratch_of(game.box))
            assert chosen == legal[np.argmax(worths)]
            ties += worths.count(max(worths)) > 1
    assert ties
