"""Expert iteration: a tiny run from nothing, the same for equal seeds, gone on with where it was stopped."""

from pathlib import Path

import numpy as np
import pytest
from oddville_training.learning.expert_iteration import distill
from oddville_training.learning.expert_iteration.fit import Fit, new_network, take_over, tensors_of
from oddville_training.learning.expert_iteration.positions import Positions, joined, load, make_positions, save, trimmed
from oddville_training.learning.expert_iteration.rows import look_back, make_rows
from oddville_training.learning.expert_iteration.run import Plan, RoundError, learn
from oddville_training.learning.expert_iteration.search_games import Play, play_search
from oddville_training.learning.expert_iteration.teach import Lessons, teach

from oddville_agents import make_agent
from oddville_agents.oddville.greedy.weights import weight_set
from oddville_agents.oddville.search.iteration import Settings
from oddville_agents.oddville.value.evaluator import make_evaluator
from oddville_agents.oddville.value.files import read_network
from oddville_env.core.seeds import game_seeds
from oddville_env.oddville.rules.box import Box
from oddville_env.oddville.settings import make_box

TINY = Plan(greedy_games=40, quick_rounds=1, quick_games=20, rounds=1, games=21, sims=8, rows=400, epochs=1)


def searched(box: Box, games: int = 21) -> Positions:
    """Games of a search that knows nothing but the formula."""
    positions = make_positions(box, 400 * games)
    formula = make_evaluator(weight_set("search", box.players))
    play_search(box, formula, formula, game_seeds(1, games), 0, positions, Play(sims=8), Settings())
    return trimmed(positions)


def test_a_run_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    newest = learn(tmp_path, TINY, progress=False)
    before = newest.read_bytes()
    (newest.parent / "report.json").unlink()
    newest.unlink()
    assert learn(tmp_path, TINY, progress=False).read_bytes() == before
    assert make_agent(f"search:sims=5,value={newest.parent}") is not None


def test_a_student_is_taught_by_what_a_run_found(tmp_path: Path) -> None:
    newest = learn(tmp_path / "run", TINY, progress=False)
    lessons = Lessons(rounds=1, games=21, sims=8, choices=200, epochs=1)
    student = teach(tmp_path / "lessons", newest.parent, lessons, progress=False)
    assert make_agent(f"oddville_agents.oddville.champion.agent:ChampionAgent:networks={student.parent}") is not None
    assert teach(tmp_path / "lessons", newest.parent, lessons, progress=False) == student


def test_a_folder_of_another_run_is_refused(tmp_path: Path) -> None:
    learn(tmp_path, Plan(**{**vars(TINY), "rounds": 0}), progress=False)
    with pytest.raises(RoundError, match="seed"):
        learn(tmp_path, Plan(**{**vars(TINY), "seed": 1}), progress=False)


def test_positions_are_read_as_they_were_written(tmp_path: Path) -> None:
    box = make_box(3)
    positions = searched(box, 3)
    save(tmp_path / "games.npz", positions)
    again = load(tmp_path / "games.npz", box)
    assert all((one == other).all() for one, other in zip(positions, again, strict=True))
    twice = joined([positions, positions])
    assert len(twice.states) == 2 * len(positions.states)
    assert len(twice.actions) == twice.edges[-1]


def test_searches_say_how_good_every_seat_and_move_is() -> None:
    positions = searched(make_box(3), 3)
    assert positions.values[:, :3].sum(1) == pytest.approx(np.ones(len(positions.values)), abs=1e-5)
    visited = positions.visits > 0
    assert positions.behind[visited].sum(1) == pytest.approx(np.ones(visited.sum()), abs=1e-5)
    assert set(positions.winners.tolist()) <= {0, 1, 2}


def test_targets_look_back_from_the_end_of_the_game() -> None:
    positions = trimmed(make_positions(make_box(2), 3))._replace(
        states=np.zeros(3, make_box(2).games),
        winners=np.array([1, 1, 0], np.int8),
        games=np.array([0, 0, 1], np.int32),
        strays=np.array([False, False, True]),
        values=np.array([[0.4, 0.6, 0, 0], [0, 0, 0, 0], [0.2, 0.8, 0, 0]], np.float32),
    )
    now, then = np.zeros((2, 3, 2), np.float32)
    look_back(positions, 0.5, now, then)
    assert then == pytest.approx(np.array([[0, 1], [0, 1], [1, 0]]))
    assert now == pytest.approx(np.array([[0.2, 0.8], [0, 1], [0.2, 0.8]]))


def test_a_network_keeps_its_tensors_when_it_is_taken_over() -> None:
    box = make_box(2)
    rows = make_rows(box, weight_set("search", 2), searched(box, 3), 0.85, 2, 500, np.random.default_rng(0))
    network, other = new_network(rows.own, rows.shared, 1), new_network(rows.own, rows.shared, 2)
    take_over(other, tensors_of(network))
    for name, tensor in tensors_of(network).items():
        assert tensors_of(other)[name] == pytest.approx(tensor, rel=1e-5)


def test_a_student_comes_nearer_to_the_search() -> None:
    box = make_box(2)
    rng, weights, positions = np.random.default_rng(0), weight_set("search", 2), searched(box)
    choices = distill.make_choices(box, weights, positions, 1500, rng)
    student = distill.Student(new_network(choices.own, choices.shared, 0))
    back = np.flatnonzero(choices.games % 20 == 0)
    before, _ = distill.judged(student, choices, back)
    *_, (_, after, _) = distill.fit(student, choices, Fit(epochs=3, batch=64), 0)
    assert after < before


def test_networks_in_the_package_can_be_read() -> None:
    for path in Path(__file__).parents[2].glob("agents/oddville_agents/oddville/*/networks/*.safetensors"):
        assert read_network(path)
