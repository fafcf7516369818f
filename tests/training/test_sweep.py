"""Sweeps of settings: trials in order, early stops, resuming, and refusals of files."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

from oddville_agents import AgentError
from oddville_env.cli.app import make_app
from oddville_env.oddville.game_type import ODDVILLE
from oddville_training.learning import sweep as module
from oddville_training.learning.config import TrainConfig, TrainError
from oddville_training.learning.sweep import Sweep, run_sweep, table
from oddville_training.learning.train import Trained, Update

GIVEN = {
    "settings": {"steps": 1000, "opponents": ["random"]},
    "search": {"learning_rate": {"low": 1e-4, "high": 1e-2, "log": True}, "envs": [8, 16]},
    "trials": 12,
}


@pytest.fixture
def training(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Runs that take no time: a high learning rate wins more. `interrupts` is the trial that Ctrl-C ends."""
    known = SimpleNamespace(interrupts=None, rates=[], looks=[])

    def run(config: TrainConfig, folder: Path, progress: bool, callback: Any) -> Trained:
        if known.interrupts == int(folder.name):
            return Trained(folder, True)
        known.rates.append(config.learning_rate)
        known.looks.append(0)
        for share in (0.2, 0.5, 0.7, 1.0):
            if callback(Update(100, {}, None, share)) is False:
                break
        return Trained(folder, False)

    def wins(sweep: Sweep, config: TrainConfig, update: Update) -> float:
        known.looks[-1] += 1
        return config.learning_rate * 50

    monkeypatch.setattr(module, "run", run)
    monkeypatch.setattr(module, "_wins", wins)
    return known


def test_trials_are_stopped_early_and_ranked(training: SimpleNamespace, tmp_path: Path) -> None:
    study = run_sweep(Sweep(game=ODDVILLE, evaluations=2, **GIVEN), tmp_path, progress=False)
    stopped = [trial.number for trial in study.trials if trial.state.name == "PRUNED"]
    assert stopped
    assert [training.looks[number] for number in range(12)] == [1 if number in stopped else 2 for number in range(12)]
    assert study.best_trial.params["learning_rate"] == max(training.rates)
    shown = table(study)
    assert next(iter(shown.columns[0].cells)) == str(study.best_trial.number)
    assert list(shown.columns[-1].cells)[-len(stopped) :] == ["stopped early"] * len(stopped)
    picture = (tmp_path / "sweep.svg").read_text()
    assert picture.startswith("<svg")
    assert "learning_rate" in picture


def test_resumed_sweep_tries_the_same_settings(training: SimpleNamespace, tmp_path: Path) -> None:
    sweep = Sweep(game=ODDVILLE, **GIVEN)
    run_sweep(sweep, tmp_path / "whole", progress=False)
    whole, training.rates = training.rates, []
    training.interrupts = 4
    run_sweep(sweep, tmp_path / "parts", progress=False)
    assert len(training.rates) == 4
    training.interrupts = None
    run_sweep(sweep, tmp_path / "parts", resume=True, progress=False)
    assert training.rates == whole


def test_sweep_trains_and_evaluates(tmp_path: Path) -> None:
    (tmp_path / "sweep.toml").write_text("""
trials = 1
against = ["random"]
games = 2
evaluations = 1
[settings]
steps = 128
envs = 4
rollout = 16
batch = 32
taught = 0
opponents = ["random"]
[settings.network]
cell = 4
card = 4
hidden = 8
[search]
entropy = {low = 0.0, high = 0.1}
""")
    words = ["sweep", "--config", str(tmp_path / "sweep.toml"), "--folder", str(tmp_path / "run")]
    result = CliRunner().invoke(make_app(ODDVILLE), words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    assert "entropy" in result.output
    assert (tmp_path / "run/trials/0000/model.safetensors").exists()


def test_folder_holds_one_sweep(training: SimpleNamespace, tmp_path: Path) -> None:
    with pytest.raises(TrainError, match="holds no sweep to resume"):
        run_sweep(Sweep(game=ODDVILLE, **GIVEN), tmp_path, resume=True, progress=False)
    run_sweep(Sweep(game=ODDVILLE, **{**GIVEN, "trials": 1}), tmp_path, progress=False)
    with pytest.raises(TrainError, match="already holds a sweep: resume it"):
        run_sweep(Sweep(game=ODDVILLE, **GIVEN), tmp_path, progress=False)
    with pytest.raises(TrainError, match="was begun with another games: name another folder"):
        run_sweep(Sweep(game=ODDVILLE, games=3, **GIVEN), tmp_path, resume=True, progress=False)
    (tmp_path / "sweep.db").write_bytes(b"no database at all" * 100)
    with pytest.raises(TrainError, match=r"sweep\.db holds no sweep"):
        run_sweep(Sweep(game=ODDVILLE, **GIVEN), tmp_path, resume=True, progress=False)


@pytest.mark.parametrize(("text", "sentence"), [
    ("trial = 3", "there is no setting 'trial', expected some of search, settings, trials"),
    ("[settings]\nsteps = 9", "search is missing|search must be"),
    ("[search]\n[settings]\nsteps = 9", "search must name 1 to 6 settings, not 0"),
    ("[settings]\nsteps = 9\n[search]\nrate = [1]", "there is no setting 'rate'"),
    ("[settings]\nsteps = 9\nrate = 1\n[search]\nenvs = [8]", "there is no setting 'rate'"),
    ("[settings]\nsteps = 9\n[search]\nenvs = 8", "search must give envs a list of values, or low and high"),
    ("[settings]\nsteps = 9\n[search]\nenvs = {low = 8}", "search must give envs a list of values"),
    ("[settings]\nsteps = 9\n[search]\nenvs = {low = 8, high = 4}", "search gives envs no range"),
    ("[settings]\nsteps = 9\n[search]\nenvs = {low = 0, high = 4}", "envs must be a whole number from 1 to"),
    ("[settings]\nsteps = 9\n[search]\nclip = {low = nan, high = 1}", "low must be a number from"),
    ("[search]\nenvs = [8]\n[settings]\n", "settings must limit each trial, by minutes or steps"),
])  # fmt: skip
def test_wrong_files_are_refused(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "sweep.toml").write_text(text)
    with pytest.raises(TrainError, match=sentence) as refused:
        Sweep.read(tmp_path / "sweep.toml", ODDVILLE)
    assert "sweep.toml: " in str(refused.value)


def test_file_names_no_code(tmp_path: Path) -> None:
    (tmp_path / "sweep.toml").write_text('against = ["./mine.py:Bot"]\n[settings]\nsteps = 9\n[search]\nenvs = [8]')
    with pytest.raises(AgentError, match="which has code of its own"):
        Sweep.read(tmp_path / "sweep.toml", ODDVILLE)
