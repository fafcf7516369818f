"""What self-play learns from: positions, rows, choices, and fits of networks of any width."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from oddville_agents.oddville.value import network as oddville_networks
from oddville_agents.oddville.value.evaluator import make_evaluator
from oddville_agents.oddville.value.formula.weights import weight_set
from oddville_agents.oddville.value.network import ARCHITECTURES, LEARNED, USUAL, Architecture
from oddville_agents.oldtown.heuristic.choice import weight_set as oldtown_weights
from oddville_agents.oldtown.value import network as networks
from oddville_env.core.checked import game_seeds
from oddville_env.oddville.settings import make_box
from oddville_env.oldtown.settings import make_box as make_oldtown_box
from oddville_training.oddville.selfplay import fits as learning
from oddville_training.oddville.selfplay import stages
from oddville_training.oddville.selfplay.fits import judged, new_network, tensors_of
from oddville_training.oddville.selfplay.games import GREEDY, NEWEST, Deals, Noting, play_games
from oddville_training.oddville.selfplay.parts import elo, play_part
from oddville_training.oddville.selfplay.plan import SEARCH, VALUE, Plan
from oddville_training.oddville.selfplay.positions import load, make_positions, save, trimmed
from oddville_training.oldtown.selfplay import games as oldtown
from oddville_training.oldtown.selfplay import stages as fits
from oddville_training.oldtown.selfplay.plan import Plan as OldTownPlan
from oddville_training.oldtown.selfplay.stages import calibration, td_targets
from oddville_training.selfplay.plan import Part, PlanError, Stage
from oddville_training.selfplay.run import FitParams
from support.training.small_selfplay import TINY, noted
from support.value_twins import corrections, odds_of

WIDE, NARROW = ARCHITECTURES[USUAL], Architecture(8, 4)


def test_searches_say_how_good_every_seat_and_move_is_and_positions_are_read_as_written(tmp_path: Path) -> None:
    box = make_box(3)
    positions = noted(box, 3, sims=8)
    assert positions.values[:, :3].sum(1) == pytest.approx(np.ones(len(positions.values)), abs=1e-5)
    visited = positions.visits > 0
    assert positions.behind[visited].sum(1) == pytest.approx(np.ones(visited.sum()), abs=1e-5)
    assert set(positions.winners.tolist()) <= {0, 1, 2}
    save(tmp_path / "games.npz", positions)
    again = load(tmp_path / "games.npz", box)
    assert all((one == other).all() for one, other in zip(positions, again, strict=True))


@pytest.mark.parametrize("kind", [SEARCH, VALUE])
def test_a_plan_says_how_far_its_searches_play_on(kind: str) -> None:
    """The games are those of one look: only what the searches say of them differs."""
    plan = replace(TINY.only(2), search_games=(2,), value_games=(2,))
    at_once, later = (
        play_part(replace(plan, turns=turns), Stage(0, kind, kind), Part(2, 0, 0, 2), (tensors_of_nothing(),))
        for turns in (0, 2)
    )
    assert (at_once.states == later.states).all()
    assert at_once.values[:, :2] != pytest.approx(later.values[:, :2])
    assert later.values[:, :2].sum(1) == pytest.approx(np.ones(len(later.values)), abs=1e-5)


def test_only_decisions_of_the_network_that_learns_are_noted() -> None:
    box, games = make_box(2), 8
    network = make_evaluator(weight_set("search", 2), tensors_of_nothing())
    seats = np.full((games, 2), GREEDY, np.int8)
    seats[:, 1] = NEWEST
    positions = make_positions(box, 400 * games)
    deals = Deals(game_seeds(1, games), seats, np.zeros(games), 0)
    winners = play_games(box, weight_set("tuned", 2), network, deals, Noting(), positions)
    found = trimmed(positions)
    assert (len(winners), set(found.states["to_move"].tolist())) == (games, {1})
    assert found.values[:, :2].sum(1) == pytest.approx(np.ones(len(found.values)), abs=1e-5)


def tensors_of_nothing() -> dict[str, np.ndarray]:
    some = learning.make_rows(make_box(2), weight_set("search", 2), noted(make_box(2), 2), 0.85)
    return tensors_of(new_network(some.own, some.shared, ARCHITECTURES[USUAL], 0))


def test_targets_look_back_from_the_end_of_the_game() -> None:
    positions = trimmed(make_positions(make_box(2), 3))._replace(
        states=np.zeros(3, make_box(2).games),
        winners=np.array([1, 1, 0], np.int8),
        games=np.array([0, 0, 1], np.int32),
        strays=np.array([False, False, True]),
        values=np.array([[0.4, 0.6, 0, 0], [0, 0, 0, 0], [0.2, 0.8, 0, 0]], np.float32),
    )
    now, then = np.zeros((2, 3, 2), np.float32)
    learning.look_back(positions, 0.5, now, then)
    assert then == pytest.approx(np.array([[0, 1], [0, 1], [1, 0]]))
    assert now == pytest.approx(np.array([[0.2, 0.8], [0, 1], [0.2, 0.8]]))


def test_a_network_comes_nearer_to_results_and_to_the_search_whose_choices_are_joined_move_by_move() -> None:
    box, formula = make_box(2), weight_set("search", 2)
    of_search = learning.make_choices(box, formula, noted(box, 60, sims=8))
    for table, size in ((of_search, 64), (learning.make_rows(box, formula, noted(box, 200), 0.85), 256)):
        network = new_network(of_search.own, of_search.shared, ARCHITECTURES[USUAL], 0)
        before = judged(network, table, 1024)
        *_, done = learning.fit(network, [table], FitParams(2, size, 1e-3), 0)
        assert done == 1
        assert judged(network, table, 1024) < before
    both, moves = learning.joined([of_search, of_search]), 2 * len(of_search.movers)
    assert both.starts[-1] == len(both.visits) == 2 * len(of_search.visits)
    assert np.add.reduceat(both.visits, both.starts[:-1]) == pytest.approx(np.ones(moves), abs=1e-5)


def test_a_search_that_was_too_sure_is_believed_less() -> None:
    """Half of what it says in log odds is what the winners bear out; games with stray moves are not asked."""
    rng = np.random.default_rng(0)
    truth = rng.uniform(0.05, 0.95, 4000)
    said = truth**2 / (truth**2 + (1 - truth) ** 2)
    empty = trimmed(make_positions(make_box(2), 4000, edges=1))
    searched = empty._replace(
        winners=(rng.random(4000) > truth).astype(np.int8),
        games=np.arange(4000, dtype=np.int32),
        strays=np.arange(4000) >= 3000,
        values=np.stack([said, 1 - said], 1).astype(np.float32),
        behind=np.array([[0.8, 0.2], [0, 0]], np.float32),
    )
    searched.winners[3000:] = 0
    (believed,) = learning.calibrated([searched], 2)
    assert believed.values[:, 0] == pytest.approx(truth, abs=0.03)
    assert believed.behind[0] == pytest.approx([2 / 3, 1 / 3], abs=0.03)
    assert not believed.behind[1].any()


@pytest.mark.parametrize("players", [2, 4])
def test_ratings_find_the_strengths_that_wins_come_from(players: int) -> None:
    strengths = {"greedy": 0.0, "a": 1.0, "b": 1.8}

    def wins(one: str, other: str) -> dict[str, float]:
        lead = strengths[one] - strengths[other]
        return {"games": 1000, "won": 1 / (1 + (players - 1) * np.exp(-lead))}

    pairs = [("a", "greedy"), ("b", "greedy"), ("b", "a")]
    found = elo([(one, other, players, wins(one, other)) for one, other in pairs])
    for name, strength in strengths.items():
        assert found[name] == pytest.approx(400 / np.log(10) * strength, abs=2)


def inputs(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Of 20 tables with 3 players."""
    rng = np.random.default_rng(seed)
    sizes = (20, 3, oddville_networks.OWN_SIZE), (20, oddville_networks.SHARED_SIZE)
    own, shared = (rng.normal(size=size).astype(np.float32) for size in sizes)
    return own, shared


def network(architecture: Architecture) -> learning.CorrectionNetwork:
    """One that corrects something."""
    made = new_network(*inputs(0), architecture, 0)
    torch.nn.init.normal_(made.third.weight)
    return made


@pytest.mark.parametrize("architecture", [WIDE, NARROW])
def test_learner_says_what_plain_numpy_says_and_keeps_its_tensors_when_taken_over(architecture: Architecture) -> None:
    learner, (own, shared) = network(architecture), inputs(1)
    tensors = tensors_of(learner)
    assert {name: tensor.shape for name, tensor in tensors.items()} == architecture.tensors
    with torch.inference_mode():
        said = learner(torch.from_numpy(own), torch.from_numpy(shared)).numpy()
    for table in range(len(own)):
        assert said[table] == pytest.approx(corrections(tensors, own[table], shared[table]), abs=1e-4)
    other = new_network(*inputs(2), architecture, 2)
    learning.take_over(other, tensors)
    for name, tensor in tensors.items():
        assert tensors_of(other)[name] == pytest.approx(tensor, rel=1e-5)


def test_games_against_the_network_in_the_package_which_is_small_are_those_of_any_width() -> None:
    assert LEARNED.stat().st_size < 5_000_000
    plan = Plan(rounds=1, games=(6,), rival="learned")
    narrow, rival, stage = tensors_of(network(NARROW)), oddville_networks.read_network(LEARNED), plan.stages()[1]
    (part,) = plan.parts(stage)
    wide = oddville_networks.widened(narrow, WIDE)
    one, other = (play_part(plan, stage, part, (each, rival)) for each in (narrow, wide))
    assert len(one.moves)
    assert all(np.array_equal(*arrays) for arrays in zip(one, other, strict=True))


def test_run_does_not_begin_with_another_architecture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stages, "network_of", lambda name: tensors_of(network(NARROW)))
    with pytest.raises(PlanError, match="start must name a network of the architecture 64-32: mine differs"):
        stages.learn(tmp_path / "run", replace(Plan(), start="mine"), resume=False)
    assert not (tmp_path / "run").exists()


def test_a_reliability_table_says_what_was_won_where_a_chance_was_said() -> None:
    said, wins = np.array([0.22, 0.28, 0.71, 0.75, 1.0]), np.array([0.0, 0.5, 1.0, 0.0, 1.0])
    found = calibration(said, wins)
    assert found["table"] == [
        {"rows": 2, "said": pytest.approx(0.25), "won": 0.25},
        {"rows": 2, "said": pytest.approx(0.73), "won": 0.5},
        {"rows": 1, "said": 1.0, "won": 1.0},
    ]
    assert (found["error"], found["even_log_loss"]) == (pytest.approx(2 / 5 * 0.23), pytest.approx(np.log(2)))
    assert calibration(said[:1], wins[:1])["log_loss"] == pytest.approx(-np.log(0.78))


def test_games_that_cannot_be_are_told_with_their_file(tmp_path: Path) -> None:
    path = tmp_path / "games.npz"
    for name, value in {"seats": 7, "wins": np.nan, "games": -1}.items():
        played = oldtown.play_part(OldTownPlan(), Stage(0, "warm", "warm"), Part(2, 0, 0, 2), ())
        getattr(played, name)[0] = value
        oldtown.save(path, played)
        with pytest.raises(PlanError, match=rf"games\.npz.*{name}"):
            oldtown.load(path)


def test_targets_of_old_town_look_back_for_each_seat() -> None:
    """Seat 0 sees rows 0, 2 and 3 of a game that it won; seat 1 sees row 1; the last row is of another game."""
    noted = oldtown.Noted(
        np.zeros((5, 1)), np.array([0, 1, 0, 0, 0]), np.array([7, 7, 7, 7, 8]), np.array([1.0, 0, 1, 1, 0])
    )
    found, last = np.array([0.1, 0.2, 0.4, 0.6, 0.8]), 0.5 * 1.0 + 0.5 * 0.6
    assert td_targets(noted, found, 0.5).tolist() == pytest.approx([0.5 * last + 0.5 * 0.4, 0, last, 1, 0])
    assert td_targets(noted, found, 1.0).tolist() == noted.wins.tolist()


def test_games_do_not_depend_on_those_before_and_strays_are_legal() -> None:
    box, seeds = make_oldtown_box(3), game_seeds(5, 6)
    deals = oldtown.Deals(seeds, np.full((6, 3), oldtown.HEURISTIC, np.int8), np.resize([0.0, 0.5], 6), 0, 0.5)
    noted, wins = oldtown.play_games(box, oldtown_weights("tuned", 3), oldtown.evaluator_of(), deals)
    assert wins.sum(1) == pytest.approx(np.ones(6))
    assert np.isfinite(noted.seen).all()
    one = deals._replace(seeds=seeds[3:4], policies=deals.policies[3:4], strays=deals.strays[3:4])
    alone, won = oldtown.play_games(box, oldtown_weights("tuned", 3), oldtown.evaluator_of(), one)
    assert np.array_equal(alone.seen, noted.seen[noted.games == 3])
    assert np.array_equal(won[0], wins[3])


def test_torch_and_the_twin_say_the_same_and_tensors_are_taken_over() -> None:
    rng = np.random.default_rng(0)
    seen = rng.normal(size=(40, networks.TENSORS["plain"][0])).astype(np.float16)
    network = fits.new_network(seen, 1)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.copy_(torch.from_numpy(rng.normal(0, 0.2, parameter.shape)))
    tensors = fits.tensors_of(network)
    assert {name: tensor.shape for name, tensor in tensors.items()} == networks.TENSORS
    odds = np.array([odds_of(tensors, row.astype(np.float32)) for row in seen])
    assert fits.chances(network, seen) == pytest.approx(1 / (1 + np.exp(-odds)), abs=1e-4)
    other = fits.new_network(seen * np.float16(2), 2)
    fits.take_over(other, tensors)
    assert fits.chances(other, seen) == pytest.approx(fits.chances(network, seen), abs=1e-4)


def test_fewer_rows_than_a_batch_leave_the_network_as_it_is() -> None:
    seen = np.ones((3, networks.SIZE), np.float16)
    network = fits.new_network(seen, 0)
    before = fits.tensors_of(network)
    fits.fit(network, seen, np.ones(3, np.float32), np.arange(1, 4), FitParams(batch=64), 0)
    assert all(np.array_equal(tensor, before[name]) for name, tensor in fits.tensors_of(network).items())
