"""Runs that are interrupted, damaged or untrusted."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="training needs the extra train")

import torch
from safetensors.torch import load_file, save_file

from oddville_agents import AgentError
from oddville_agents.policies.models import ModelError
from oddville_agents.spec import check_spec_from_file
from oddville_env.core.errors import GameError
from oddville_training.learning.config import TrainConfig, TrainError
from oddville_training.learning.learner import network_of
from oddville_training.learning.meter import GameStatistics, ProgressMeter
from oddville_training.learning.run_folder import saved_config
from oddville_training.learning.train import run as run_training
from oddville_training.learning.train import train
from support.training.small_runs import TINY, rewrite, rewrite_config

LAST = "0000000128"
OWN_CODE = ("evil.py:Bot", "os:system:command=touch touched", "./model.zip", "evil.py:Bot:weights=x.safetensors")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tiny run, not to be changed."""
    folder = tmp_path_factory.mktemp("runs") / "tiny"
    train(TINY, folder, progress=False)
    return folder


# Untrusted runs


@pytest.mark.parametrize("spec", OWN_CODE)
def test_a_run_whose_opponents_have_code_of_their_own_is_resumed_only_if_they_are_named_again(
    copy: Path, spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evil.py").write_text("open('touched', 'w')\nBot = lambda: None\n")
    rewrite_config(copy / "checkpoints" / LAST / "model.safetensors", opponents=[spec])
    with pytest.raises(AgentError, match="on the command line") as error:
        saved_config(copy)
    assert "model.json" in str(error.value)
    assert saved_config(copy, [spec]).opponents == (spec,)
    with pytest.raises(TrainError, match="was trained against"):
        saved_config(copy, ["random"])
    assert not (tmp_path / "touched").exists()


@pytest.mark.parametrize("spec", ["random", "greedy:weights=simple", "search:sims=5", "runs/a/model.safetensors"])
def test_files_may_name_built_in_agents_and_models_of_weights(spec: str) -> None:
    assert check_spec_from_file(spec, Path("file.json")) == spec


@pytest.mark.parametrize("spec", [*OWN_CODE, "", None, 5, ["random"], "mine:Bot", "x" * 10**5])
def test_files_may_name_nothing_else(spec: object) -> None:
    with pytest.raises(AgentError, match=r"file\.json") as error:
        check_spec_from_file(spec, Path("file.json"))
    assert len(str(error.value)) < 500


# Runs that are broken off


def copy_of_weights(folder: Path) -> bytes:
    return (folder / "model.safetensors").read_bytes()


class Stop(BaseException):
    """A run that is killed."""


def killed_at(steps: int, config: TrainConfig, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that is killed after so many steps, without a word."""

    def show(meter: object, done: int, *_: object) -> None:
        if done == steps:
            raise Stop

    with monkeypatch.context() as patch:
        patch.setattr(ProgressMeter, "show", show)
        with pytest.raises(Stop):
            train(config, folder, progress=False)


def test_an_empty_folder_of_checkpoints_is_no_run(tmp_path: Path) -> None:
    (tmp_path / "checkpoints" / ".unfinished").mkdir(parents=True)
    with pytest.raises(TrainError, match="begin the run without resume"):
        train(TINY, tmp_path, resume=True, progress=False)
    with pytest.raises(TrainError, match="begin the run without resume"):
        saved_config(tmp_path)
    assert train(replace(TINY, steps=64), tmp_path, progress=False).exists()


def test_killed_run_resumes_to_the_same_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = replace(TINY, checkpoint=128, steps=384, opponents=("random", "greedy:weights=simple"))
    means: dict[str, list[object]] = {"whole": [], "killed": []}
    name = "whole"
    take = GameStatistics.means

    def note(games: GameStatistics) -> object:
        means[name].append((games.num_timesteps, take(games)))
        return take(games)

    monkeypatch.setattr(GameStatistics, "means", note)
    train(config, tmp_path / "whole", progress=False)
    name = "killed"
    killed_at(192, config, tmp_path / "killed", monkeypatch)
    assert train(saved_config(tmp_path / "killed"), tmp_path / "killed", resume=True, progress=False)
    assert copy_of_weights(tmp_path / "killed") == copy_of_weights(tmp_path / "whole")
    after = [each for each in means["killed"][3:] if each[0] > 128]
    assert after == [each for each in means["whole"] if each[0] > 128]


def test_saving_where_a_checkpoint_stands_already_never_takes_it_away(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, **_: object) -> None:
        assert path.name == ".unfinished"

    monkeypatch.setattr(shutil, "rmtree", refuse)
    train(TINY, copy, resume=True, progress=False)
    assert (copy / "checkpoints" / LAST / "model.safetensors").exists()


def test_ctrl_c_is_returned_to_the_caller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import signal

    assert not run_training(TINY, tmp_path / "whole", progress=False).interrupted
    monkeypatch.setattr(ProgressMeter, "show", lambda *_: signal.raise_signal(signal.SIGINT))
    assert run_training(replace(TINY, steps=None), tmp_path / "run", progress=False).interrupted


def test_weights_that_are_no_numbers_end_a_run_and_are_not_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sb3_contrib import MaskablePPO

    def diverge(learner: MaskablePPO) -> None:
        network_of(learner).value.weight.data.fill_(np.nan)

    monkeypatch.setattr(MaskablePPO, "train", diverge)
    with pytest.raises(TrainError, match="diverged after 64 steps"):
        train(TINY, tmp_path / "run", progress=False)
    assert not list(tmp_path.rglob("model.*"))


# Damaged runs


WRONG_SETTINGS: dict[str, list[object]] = {
    "seed": ["0", -1, 2**32, True],
    "clip": ["0.2", -1, None],
    "scale": [[], 0],
    "gamma": [1.5],
    "cards": [5],
    "players": [2.0, 5],
    "table": [[17], "17"],
    "envs": [10**12],
    "rollout": [2**20],
    "opponents": ["random", [], [5], ["random"] * 5],
    "network": [{"card": -1, "cell": 4, "hidden": 8}, {"deep": 3}, 7],
    "reward": ["money", ["margin"]],
    "shaping": [1],
    "threads": [100_000],
    "minutes": [-3],
    "steps": [0],
    "lives": [3],
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, each in WRONG_SETTINGS.items() for value in each])
def test_a_setting_that_is_none_is_told_in_a_sentence_with_its_file(copy: Path, name: str, value: object) -> None:
    rewrite_config(copy / "checkpoints" / LAST / "model.safetensors", **{name: value})
    with pytest.raises(TrainError, match=f"model.json: .*{'card|deep|network' if name == 'network' else name}"):
        saved_config(copy)


@pytest.mark.parametrize("number", ["NaN", "1e999"])
@pytest.mark.parametrize("name", ["clip", "minutes"])
def test_a_setting_is_a_finite_number(copy: Path, name: str, number: str) -> None:
    model = copy / "checkpoints" / LAST / "model.safetensors"
    rewrite_config(model, **{name: "@"})
    path = model.with_suffix(".json")
    path.write_text(path.read_text().replace('"@"', number))
    with pytest.raises(GameError, match=r"model\.json"):
        saved_config(copy)


@pytest.mark.parametrize("config", [None, 5, [], {}, "all"])
def test_a_model_without_settings_cannot_be_resumed(copy: Path, config: object) -> None:
    rewrite(copy / "checkpoints" / LAST / "model.safetensors", config=config)
    with pytest.raises(TrainError, match="no settings"):
        saved_config(copy)


@pytest.mark.parametrize("count", [-5, 1.5, True])
@pytest.mark.parametrize("name", ["steps", "updates"])
def test_counts_that_are_none_are_refused(copy: Path, name: str, count: object) -> None:
    rewrite(copy / "checkpoints" / LAST / "model.safetensors", **{name: count})
    with pytest.raises(ModelError, match=f"is damaged: {name}"):
        train(TINY, copy, resume=True, progress=False)


def damage(path: Path, change: Callable[[torch.Tensor], torch.Tensor]) -> None:
    """Change the first of the tensors in a file that has more than one number."""
    tensors = load_file(path)
    name = next(name for name, tensor in sorted(tensors.items()) if tensor.numel() > 1)
    save_file(tensors | {name: change(tensors[name]).contiguous()}, path)


WRONG = {
    "NaN": lambda tensor: tensor * np.nan,
    "infinite": lambda tensor: tensor + np.inf,
    "float32 numbers, not int64": lambda tensor: tensor.long(),
    "float32 numbers, not bool": lambda tensor: tensor.bool(),
    "float32 numbers, not complex64": lambda tensor: tensor.to(torch.complex64),
    "float32 numbers, not float64": lambda tensor: tensor.double(),
    "should be": lambda tensor: tensor.flatten()[:1],
}


@pytest.mark.parametrize("message", WRONG)
@pytest.mark.parametrize("name", ["model.safetensors", "optimizer.safetensors", "games.safetensors"])
def test_tensors_that_are_no_numbers_are_refused(copy: Path, name: str, message: str) -> None:
    path = copy / "checkpoints" / LAST / name
    if name == "games.safetensors":
        save_file({"random": torch.ones(4, 4)}, path)
    damage(path, WRONG[message])
    with pytest.raises(ModelError, match=message) as error:
        train(replace(TINY, steps=256), copy, resume=True, progress=False)
    assert str(path) in str(error.value)


def test_an_optimizer_with_negative_means_of_squares_is_refused(copy: Path) -> None:
    path = copy / "checkpoints" / LAST / "optimizer.safetensors"
    tensors = load_file(path)
    name = next(name for name in tensors if name.startswith("exp_avg_sq"))
    save_file(tensors | {name: tensors[name] - 1}, path)
    with pytest.raises(ModelError, match="must not be below 0"):
        train(replace(TINY, steps=256), copy, resume=True, progress=False)
