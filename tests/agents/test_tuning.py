"""Tuning of greedy's weights, and the fit of its chances to results."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import oddville_training.oddville.tune as tuning
from oddville_agents import make_agent
from oddville_agents.oddville.value.formula.weights import bounds, how_made, weight_set
from oddville_agents.play import play
from oddville_env.core.game.seeds import game_seeds
from oddville_env.envs.live_game import LiveGame
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oddville.settings import make_box
from oddville_training.oddville.duels import record_positions
from oddville_training.oddville.tune import fit_chances
from oddville_training.program import run

every_number = pytest.mark.parametrize("players", [2, 3, 4])


@every_number
def test_chances_predict_better_than_equal_ones(players: int) -> None:
    weights = weight_set("tuned", players)
    points, courses, turns, winners = record_positions(make_box(players), weights, game_seeds(11, 60), 60 * 300)
    early, late = weights["certainty"][0]
    odds = points * (late + (early - late) * courses[:, None]) + weights["tempo"] * (1 - courses[:, None]) * turns
    found = np.exp(odds - odds.max(1, keepdims=True))
    found /= found.sum(1, keepdims=True)
    assert -np.log(found[np.arange(len(winners)), winners]).mean() < 0.95 * np.log(players)


# Tuning


def test_a_fit_finds_the_chances_that_made_the_winners() -> None:
    rng = np.random.default_rng(0)
    points, courses, turns = rng.normal(30, 8, (40_000, 3)), rng.random(40_000), rng.random((40_000, 3))
    late = 1 - courses[:, None]
    odds = points * (0.05 * (1 - late) + 0.3 * late) + 0.4 * late * turns
    winners = (odds + rng.gumbel(size=odds.shape)).argmax(1)
    fit = fit_chances(points, courses, turns, winners)
    assert (fit.early, fit.late) == pytest.approx((0.05, 0.3), abs=0.02)
    assert fit.tempo == pytest.approx(0.4, abs=0.15)
    assert fit.log_loss < fit.even_log_loss == pytest.approx(np.log(3))
    assert fit.brier < fit.even_brier == pytest.approx(2 / 3)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few games."""
    for name, value in {
        "GAMES_PER_STEP": 8,
        "CHALLENGE_DEALS": 4,
        "CHALLENGES": 2,
        "EVALUATION_DEALS": 8,
        "CALIBRATION_DEALS": 20,
    }.items():
        monkeypatch.setattr(tuning, name, value)


@every_number
@pytest.mark.usefixtures("small")
def test_tuning_follows_from_its_seed(players: int) -> None:
    box, start = make_box(players), weight_set("simple", players)
    one, again, other = (tuning.tune(box, start, 4, seed, progress=False) for seed in (1, 1, 2))
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


@pytest.mark.usefixtures("small")
def test_tuned_weights_stay_within_their_bounds() -> None:
    low, high = bounds("low"), bounds("high")
    found = tuning.tune(make_box(2), weight_set("simple", 2), 6, 3, progress=False).best.view(np.float64)
    assert ((low <= found) & (found <= high)).all()


@pytest.mark.usefixtures("small")
def test_the_program_writes_weights_that_greedy_plays_with(tmp_path: Path) -> None:
    app = tuning.typer.Typer()
    app.command()(tuning.command)
    done = CliRunner().invoke(app, ["--out", str(tmp_path / "new" / "mine.json"), "--steps", "2", "--players", "3"])
    assert done.exit_code == 0, done.output
    agent = make_agent(f"greedy:weights={tmp_path / 'new' / 'mine.json'}")
    assert play(LiveGame(ODDVILLE, make_box(3)), [agent] * 3, 0).trigger is not None
    made = how_made(str(tmp_path / "new" / "mine.json"), 3)
    assert (made["steps"], made["start"], made["seed"], made["players"]) == (2, "simple", 0, 3)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("--players 5", "players must be a whole number from 2 to 4, not 5"),
        ("--steps 0", "steps must be a whole number of at least 1, not 0"),
        ("--seed -1", "seed must be a whole number of at least 0"),
        ("--start best", "there are no weights 'best'"),
    ],
)
def test_wrong_option_ends_the_program_with_a_sentence(
    words: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setattr("sys.argv", ["tune", "--out", str(tmp_path / "mine.json"), *words.split()])
    with pytest.raises(SystemExit) as ended:
        run(tuning.command)
    assert ended.value.code == 1
    assert sentence in capsys.readouterr().err
    assert not (tmp_path / "mine.json").exists()
