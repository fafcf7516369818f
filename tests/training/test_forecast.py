"""Fitting search's weights: the same for equal seeds, better on games held back, within bounds."""

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from oddville_agents.oddville.value.formula.weights import WEIGHTS, how_made, weight_set
from oddville_env.core.errors import SettingError
from oddville_env.oddville.settings import make_box
from oddville_training.oddville.forecast import FinishedPositions, fit, log_loss, play_games


@pytest.fixture(scope="module")
def positions() -> FinishedPositions:
    return play_games(make_box(2), 60, 8, "simple", 3, progress=False)


def test_the_games_are_those_of_the_seed(positions: FinishedPositions) -> None:
    again = play_games(make_box(2), 60, 8, "simple", 3, progress=False)
    assert all((one == other).all() for one, other in zip(positions, again, strict=True))
    assert set(positions.games.tolist()) == set(range(60))
    assert set(positions.winners.tolist()) == {0, 1}


def test_a_fit_foresees_winners_better(positions: FinishedPositions) -> None:
    found = fit(make_box(2), positions, weight_set("simple", 2), 3, progress=False)
    assert found.after < found.before
    assert found.even == pytest.approx(np.log(2))
    again = fit(make_box(2), positions, weight_set("simple", 2), 3, progress=False)
    assert found.weights.tobytes() == again.weights.tobytes()


def test_weights_stay_in_their_bounds_and_those_that_do_not_matter_as_they_are(positions: FinishedPositions) -> None:
    start = weight_set("tuned", 2)
    found = fit(make_box(2), positions, start, 4, progress=False)
    for weight in WEIGHTS:
        assert (found.weights[weight.name] >= weight.low).all()
        assert (found.weights[weight.name] <= weight.high).all()
    for name in ("schemes", "hurry", "win", "flip"):
        assert found.weights[name] == start[name]


def test_the_log_loss_is_that_of_the_winners_chances(positions: FinishedPositions) -> None:
    states, winners = positions.states, positions.winners
    counts, chances = np.ones(len(states)), np.zeros(4)
    loss = log_loss(make_box(2).record, states, winners, counts, weight_set("tuned", 2), chances)
    other = log_loss(make_box(2).record, states, 1 - winners, counts, weight_set("tuned", 2), chances)
    assert loss < np.log(2) < other


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
