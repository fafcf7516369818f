"""Weights of heuristics: fits and tuning of both games."""

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from oddville_agents.oddville.value.formula.weights import WEIGHTS, how_made, weight_set
from oddville_agents.oldtown.heuristic.features import FEATURES, NUMBERS
from oddville_env.core.errors import SettingError
from oddville_env.oddville.settings import make_box
from oddville_env.oldtown.settings import make_box as make_oldtown_box
from oddville_training.oddville.forecast import FinishedPositions, fit, log_loss, play_games
from oddville_training.oldtown.puzzles import START, learn, make_lessons
from oddville_training.oldtown.puzzles import log_loss as puzzle_loss
from oddville_training.oldtown.regress import LeastSquares, regress


@pytest.fixture(scope="module")
def positions() -> FinishedPositions:
    return play_games(make_box(2), 60, 8, "simple", 3, progress=False)


def test_the_games_are_those_of_the_seed_and_the_log_loss_is_that_of_the_winners(positions: FinishedPositions) -> None:
    box, again = make_box(2), play_games(make_box(2), 60, 8, "simple", 3, progress=False)
    assert all((one == other).all() for one, other in zip(positions, again, strict=True))
    assert set(positions.games.tolist()) == set(range(60))
    assert set(positions.winners.tolist()) == {0, 1}
    known = (np.ones(len(positions.states)), weight_set("tuned", 2), np.zeros(4))
    loss, other = (log_loss(box.record, positions.states, won, *known) for won in (again.winners, 1 - again.winners))
    assert loss < np.log(2) < other


@pytest.mark.parametrize("name", ["simple", "tuned"])
def test_a_fit_foresees_winners_better_and_keeps_to_the_bounds(name: str, positions: FinishedPositions) -> None:
    start = weight_set(name, 2)
    found, again = (fit(make_box(2), positions, start, 3, progress=False) for _ in range(2))
    assert found.after < found.before
    assert found.even == pytest.approx(np.log(2))
    assert found.weights.tobytes() == again.weights.tobytes()
    for weight in WEIGHTS:
        assert (found.weights[weight.name] >= weight.low).all()
        assert (found.weights[weight.name] <= weight.high).all()
    for same in ("schemes", "hurry", "win", "flip"):  # chances do not depend on them
        assert found.weights[same] == start[same]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_shipped_weights_tell_how_they_were_made(players: int) -> None:
    made = how_made("search", players)
    assert made["players"] == players
    assert made["chances"]["log_loss"] < made["chances"]["log_loss_before"] < made["chances"]["even_log_loss"]


def test_the_program_writes_weights_that_search_plays_with(tmp_path: Path) -> None:
    import typer

    from oddville_agents import make_agent
    from oddville_training.oddville.forecast import command

    app = typer.Typer()
    app.command()(command)
    out = tmp_path / "mine.json"
    result = CliRunner().invoke(app, ["--out", str(out), "--games", "6", "--sims", "4", "--rounds", "1"])
    assert result.exit_code == 0, result.output
    assert how_made(str(out), 2)["games"] == 6
    make_agent(f"search:sims=4,weights={out}")


def test_an_interrupt_before_there_is_enough_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("oddville_training.oddville.forecast.play", interrupted)
    with pytest.raises(SettingError, match="a fit needs 2 finished games at least, there are 0"):
        play_games(make_box(2), 60, 8, "simple", 3, progress=False)


def test_a_fit_finds_the_weights_that_made_the_leads() -> None:
    rng, fit = np.random.default_rng(1), LeastSquares()
    rows, true = rng.normal(size=(5000, 2, NUMBERS)), rng.normal(size=(2, NUMBERS))
    rows[:, :, 5] = 0.0
    true[:, 5] = 0.0
    fit.add(rows, (rows * true).sum((1, 2)))
    weights = fit.weights()
    assert np.allclose([weights["late"][0], weights["early"][0]], true, atol=0.02)


def test_equal_seeds_give_equal_weights_and_a_lead_counts() -> None:
    box, names = make_oldtown_box(2), [feature.name for feature in FEATURES]
    one, fit = regress(box, 60, 2, seed=1, progress=False)
    other, _ = regress(box, 60, 2, seed=1, progress=False)
    assert (one == other).all()
    assert fit.positions > 60 * 2 * 20
    assert one["late"][0, names.index("lead")] + one["late"][0, names.index("ahead")] > 0.5


def test_neurons_that_learn_keep_to_the_range_and_play_as_the_record_says() -> None:
    torch = pytest.importorskip("torch")
    from oddville_training.oldtown.neurons import HeuristicNetwork, train

    weights, losses = train(make_oldtown_box(2), 4, 40, 2, seed=1, progress=False)
    assert len(losses) == 2
    assert losses[-1] < 0.7
    assert weights["neurons"][0] == 4
    rng = np.random.default_rng(2)
    seen, left = rng.normal(size=(50, NUMBERS)), rng.uniform(size=50)
    network = HeuristicNetwork(weights, np.ones(NUMBERS), 4)
    record = weights[0]
    plain = seen @ record["late"] + left * (seen @ record["early"])
    inputs = np.column_stack([seen, left])
    drive = inputs @ record["inner"][:4].T + record["bias"][:4]
    expected = plain + np.maximum(drive, 0) @ record["outer"][:4]
    found = network(torch.tensor(seen).float(), torch.tensor(left).float()).detach().numpy()
    assert np.allclose(found, expected, atol=1e-2)


def test_the_teacher_of_puzzles_gets_better_and_equal_seeds_teach_the_same() -> None:
    lessons, box = make_lessons(12, seed=9), make_oldtown_box(2).record
    assert all(
        lessons.sets[row, building, lot]
        for row in range(len(lessons.solutions))
        for lot, building in enumerate(lessons.solutions[row])
    )
    weights, loss = learn(lessons, 15, progress=False)
    assert loss < puzzle_loss(box, np.array(START), *lessons)
    again, _ = learn(make_lessons(12, seed=9), 15, progress=False)
    assert (weights == again).all()
