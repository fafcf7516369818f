"""Weights of heuristics of both games: fits, tuning and how they were made."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import typer
from typer.testing import CliRunner

import oddville_training.oddville.tune as tuning
from oddville_agents import make_agent
from oddville_agents.oddville.value.formula.weights import WEIGHTS, bounds, how_made, weight_set
from oddville_agents.oldtown.heuristic.choice import how_made as oldtown_how_made
from oddville_agents.oldtown.heuristic.features import FEATURES, NUMBERS
from oddville_agents.play import play
from oddville_env.core.checked import game_seeds
from oddville_env.core.errors import SettingError
from oddville_env.envs.live_game import LiveGame
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oddville.settings import make_box
from oddville_env.oldtown.settings import make_box as make_oldtown_box
from oddville_training.oddville import forecast
from oddville_training.oddville.forecast import FinishedPositions, fit, log_loss, play_games
from oddville_training.oddville.tune import fit_chances, record_positions
from oddville_training.oldtown.neurons import HeuristicNetwork, train
from oddville_training.oldtown.puzzles import START, learn, make_lessons
from oddville_training.oldtown.puzzles import log_loss as puzzle_loss
from oddville_training.oldtown.regress import LeastSquares, regress
from oddville_training.program import run
from support.helpers import every_number

GAMES = 30


@every_number
def test_every_weight_set_says_how_it_was_made(players: int) -> None:
    tuned, search = how_made("tuned", players), how_made("search", players)
    assert tuned["games"] > tuned["steps"] > 0
    assert tuned["against_simple"]["low"] < tuned["against_simple"]["won"] < tuned["against_simple"]["high"]
    assert tuned["against_simple"]["games"] >= 2000
    assert search["chances"]["log_loss"] < search["chances"]["log_loss_before"] < search["chances"]["even_log_loss"]
    of_oldtown: list[Any] = [oldtown_how_made(name, players) for name in ("tuned", "champion")]
    assert all(made["against_greedy"]["wins"] > 1 / players for made in of_oldtown)
    assert {made["players"] for made in (tuned, search, *of_oldtown)} == {players}


@every_number
def test_chances_predict_better_than_equal_ones(players: int) -> None:
    weights = weight_set("tuned", players)
    points, courses, turns, winners = record_positions(make_box(players), weights, game_seeds(11, 60), 60 * 300)
    early, late = weights["certainty"][0]
    odds = points * (late + (early - late) * courses[:, None]) + weights["tempo"] * (1 - courses[:, None]) * turns
    found = np.exp(odds - odds.max(1, keepdims=True))
    found /= found.sum(1, keepdims=True)
    assert -np.log(found[np.arange(len(winners)), winners]).mean() < 0.95 * np.log(players)


def test_a_fit_finds_the_chances_that_made_the_winners() -> None:
    rng = np.random.default_rng(0)
    points, courses, turns = rng.normal(30, 8, (40_000, 3)), rng.random(40_000), rng.random((40_000, 3))
    late = 1 - courses[:, None]
    odds = points * (0.05 * (1 - late) + 0.3 * late) + 0.4 * late * turns
    weights, figures = fit_chances(points, courses, turns, (odds + rng.gumbel(size=odds.shape)).argmax(1))
    assert weights[:2] == pytest.approx((0.05, 0.3), abs=0.02)
    assert weights[2] == pytest.approx(0.4, abs=0.15)
    assert figures["log_loss"] < figures["even_log_loss"] == pytest.approx(np.log(3))
    assert figures["brier"] < figures["even_brier"] == pytest.approx(2 / 3)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    few = {"GAMES_PER_STEP": 8, "CHALLENGE_DEALS": 4, "CHALLENGES": 2, "EVALUATION_DEALS": 8, "CALIBRATION_DEALS": 20}
    for name, value in few.items():
        monkeypatch.setattr(tuning, name, value)


@pytest.mark.usefixtures("small")
def test_tuning_follows_from_its_seed_and_keeps_to_the_bounds() -> None:
    box, start = make_box(3), weight_set("simple", 3)
    one, again, other = (tuning.tune(box, start, 4, seed, progress=False) for seed in (1, 1, 2))
    for found in (one.best, other.best):
        assert ((bounds("low") <= found.view(np.float64)) & (found.view(np.float64) <= bounds("high"))).all()
    assert one.best.tobytes() == again.best.tobytes()
    assert one.games == again.games > 0
    assert one.best.tobytes() != other.best.tobytes() or one.best.tobytes() == start.tobytes()


@pytest.mark.usefixtures("small")
def test_a_candidate_takes_the_place_of_the_best_only_if_it_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    start = weight_set("simple", 2)

    def losing(box: Any, one: np.ndarray, other: np.ndarray, deals: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.zeros((len(deals), 2), np.bool_), np.full((len(deals), 2), -9)

    monkeypatch.setattr(tuning, "duels", losing)
    assert tuning.tune(make_box(2), start, 4, 0, progress=False).best is start
    monkeypatch.setattr(tuning, "duels", lambda *told: tuple(~each for each in losing(*told)))
    assert tuning.tune(make_box(2), start, 4, 0, progress=False).best is not start


@pytest.mark.usefixtures("small")
def test_an_interrupt_keeps_the_best_so_far(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    played = 0

    def impatient(*told: Any) -> tuple[np.ndarray, np.ndarray]:
        nonlocal played
        played += 1
        if played > 4:
            raise KeyboardInterrupt
        return np.ones((4, 2), np.bool_), np.ones((4, 2), np.int64)

    monkeypatch.setattr(tuning, "duels", impatient)
    found = tuning.tune(make_box(2), weight_set("simple", 2), 4, 0)
    assert (found.steps, found.best is weight_set("simple", 2)) == (3, False)
    assert "Stopped after 3 of 4 steps" in capsys.readouterr().err


def written(command: Any, out: Path, players: int, words: str) -> dict[str, Any]:
    """How the weights were made that a program has written."""
    app = typer.Typer()
    app.command()(command)
    done = CliRunner().invoke(app, ["--out", str(out), *words.split()])
    assert done.exit_code == 0, done.output
    return how_made(str(out), players)


@pytest.mark.usefixtures("small")
def test_the_program_writes_weights_that_greedy_plays_with(tmp_path: Path) -> None:
    out = tmp_path / "new" / "mine.json"
    made = written(tuning.command, out, 3, "--steps 2 --players 3")
    agent = make_agent(f"greedy:weights={out}")
    assert play(LiveGame(ODDVILLE, make_box(3)), [agent] * 3, 0).trigger is not None
    assert (made["steps"], made["start"], made["seed"], made["players"]) == (2, "simple", 0, 3)


@pytest.mark.parametrize(("words", "sentence"), [
    ("--players 5", "players must be a whole number from 2 to 4, not 5"),
    ("--steps 0", "steps must be a whole number of at least 1, not 0"),
    ("--seed -1", "seed must be a whole number of at least 0"),
    ("--start best", "there are no weights 'best'"),
])  # fmt: skip
def test_wrong_option_ends_the_program_with_a_sentence(
    words: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setattr("sys.argv", ["tune", "--out", str(tmp_path / "mine.json"), *words.split()])
    with pytest.raises(SystemExit) as ended:
        run(tuning.command)
    assert ended.value.code == 1
    assert sentence in capsys.readouterr().err
    assert not (tmp_path / "mine.json").exists()


@pytest.fixture(scope="module")
def positions() -> FinishedPositions:
    return play_games(make_box(2), GAMES, 8, "simple", 3, progress=False)


def test_the_games_are_those_of_the_seed_and_the_log_loss_is_that_of_the_winners(positions: FinishedPositions) -> None:
    box, again = make_box(2), play_games(make_box(2), GAMES, 8, "simple", 3, progress=False)
    assert all((one == other).all() for one, other in zip(positions, again, strict=True))
    assert (set(positions.games.tolist()), set(positions.winners.tolist())) == (set(range(GAMES)), {0, 1})
    known = (np.ones(len(positions.states)), weight_set("tuned", 2), np.zeros(4))
    loss, other = (log_loss(box.record, positions.states, won, *known) for won in (again.winners, 1 - again.winners))
    assert loss < np.log(2) < other


@pytest.mark.parametrize("name", ["simple", "tuned"])
def test_a_fit_foresees_winners_better_and_keeps_to_the_bounds(name: str, positions: FinishedPositions) -> None:
    start = weight_set(name, 2)
    found, again = (fit(make_box(2), positions, start, 3, progress=False) for _ in range(2))
    assert found.after < found.before
    assert (found.even, found.weights.tobytes()) == (pytest.approx(np.log(2)), again.weights.tobytes())
    for weight in WEIGHTS:
        assert (found.weights[weight.name] >= weight.low).all()
        assert (found.weights[weight.name] <= weight.high).all()
    for same in ("schemes", "hurry", "win", "flip"):  # chances do not depend on them
        assert found.weights[same] == start[same]


def test_the_program_writes_weights_that_search_plays_with(tmp_path: Path) -> None:
    out = tmp_path / "mine.json"
    assert written(forecast.command, out, 2, "--games 6 --sims 4 --rounds 1")["games"] == 6
    make_agent(f"search:sims=4,weights={out}")


def test_an_interrupt_before_there_is_enough_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("oddville_training.oddville.forecast.play", interrupted)
    with pytest.raises(SettingError, match="a fit needs 2 finished games at least, there are 0"):
        play_games(make_box(2), 60, 8, "simple", 3, progress=False)


def test_a_fit_finds_the_weights_that_made_the_leads_the_same_for_equal_seeds() -> None:
    rng, fit = np.random.default_rng(1), LeastSquares()
    rows, true = rng.normal(size=(5000, 2, NUMBERS)), rng.normal(size=(2, NUMBERS))
    rows[:, :, 5] = 0.0
    true[:, 5] = 0.0
    fit.add(rows, (rows * true).sum((1, 2)))
    weights = fit.weights()
    assert np.allclose([weights["late"][0], weights["early"][0]], true, atol=0.02)
    box, names = make_oldtown_box(2), [feature.name for feature in FEATURES]
    one, fit = regress(box, GAMES, 2, seed=1, progress=False)
    other, _ = regress(box, GAMES, 2, seed=1, progress=False)
    assert (one == other).all()
    assert fit.positions > GAMES * 2 * 20
    assert one["late"][0, names.index("lead")] + one["late"][0, names.index("ahead")] > 0.5


def test_neurons_that_learn_keep_to_the_range_and_play_as_the_record_says() -> None:
    weights, losses = train(make_oldtown_box(2), 4, 40, 2, seed=1, progress=False)
    assert len(losses) == 2
    assert losses[-1] < 0.7
    assert weights["neurons"][0] == 4
    rng = np.random.default_rng(2)
    seen, left = rng.normal(size=(50, NUMBERS)), rng.uniform(size=50)
    network, record = HeuristicNetwork(weights, np.ones(NUMBERS), 4), weights[0]
    plain = seen @ record["late"] + left * (seen @ record["early"])
    drive = np.column_stack([seen, left]) @ record["inner"][:4].T + record["bias"][:4]
    expected = plain + np.maximum(drive, 0) @ record["outer"][:4]
    found = network(torch.tensor(seen).float(), torch.tensor(left).float()).detach().numpy()
    assert np.allclose(found, expected, atol=1e-2)


def test_the_teacher_of_puzzles_gets_better_and_equal_seeds_teach_the_same() -> None:
    lessons, box = make_lessons(12, seed=9), make_oldtown_box(2).record
    rows, lots = np.indices(lessons.solutions.shape)
    assert lessons.sets[rows, lessons.solutions, lots].all()
    weights, loss = learn(lessons, 15, progress=False)
    assert loss < puzzle_loss(box, np.array(START), *lessons)
    again, _ = learn(make_lessons(12, seed=9), 15, progress=False)
    assert (weights == again).all()
