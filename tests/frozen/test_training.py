"""Models and training runs of 0.1.0 are read, and gone on with."""

import json
import shutil
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from frozen.doors import DATA, Fact, done
from frozen.games import moves, observations
from oddville_env import base_cards

DIGESTS = ("layout_digest", "observation_digest", "cards_digest")
USUAL_THEN = {"architecture": "sparse-city", "taught": 0, "learning_rate": 1e-3}
"""Settings whose usual values have changed on purpose."""
LAST = Path("checkpoints") / "0000000128"


def weights_of(path: Path) -> dict[str, list[Any]]:
    """Names, shapes and dtypes of the tensors in a file."""
    numpy_files = import_module("safetensors.numpy")
    return {name: [list(each.shape), str(each.dtype)] for name, each in sorted(numpy_files.load_file(path).items())}


@pytest.fixture
def training(tmp_path: Path) -> Path:
    """A copy of a training run of 0.1.0, with a network smaller than the program makes."""
    pytest.importorskip("sb3_contrib")
    return Path(shutil.copytree(DATA / "training", tmp_path / "training"))


def test_a_run_that_has_reached_its_end_is_written_as_it_was_read(training: Path) -> None:
    before = {path: path.read_bytes() for path in training.rglob("*.safetensors")}
    about = json.loads((training / "model.json").read_text())
    done("train", "--folder", training, "--resume", "--steps", 128)
    assert {path: path.read_bytes() for path in training.rglob("*.safetensors")} == before
    again = json.loads((training / "model.json").read_text())
    for told in (about, again):
        told["libraries"] = list(told["libraries"])
    assert shared(again, about) == about


def test_a_run_goes_on(training: Path) -> None:
    done("train", "--folder", training, "--resume", "--steps", 192)
    about = json.loads((training / "model.json").read_text())
    assert about["steps"] == 192
    for name in ("model.safetensors", "optimizer.safetensors"):
        assert weights_of(training / "checkpoints" / "0000000192" / name) == weights_of(training / LAST / name)


def shared(new: Any, old: Any) -> Any:
    """Of what is there now, what was there before: formats may grow by fields and files, and lose none."""
    if isinstance(old, dict):
        return {name: shared(new.get(name), value) for name, value in old.items()}
    return [each for each in new if each in old] if isinstance(old, list) and isinstance(new, list) else new


def trained() -> Fact:
    """The files of a short run: names and shapes of the weights, and what the description says."""
    asked = {"envs": 4, "steps": 256, "opponents": ("random", "greedy"), "players": 3}
    config = import_module("oddville_training.learning.config").TrainConfig(**asked, **USUAL_THEN)
    import_module("oddville_training.learning.train").train(config, "fresh", progress=False)
    about = json.loads(Path("fresh/model.json").read_text())
    about["libraries"] = list(about["libraries"])
    files = sorted(str(path.relative_to("fresh")) for path in Path("fresh").rglob("*") if path.is_file())
    return {
        "files": [file for file in files if not file.startswith("tensorboard")],
        "about": about,
        "model": weights_of(Path("fresh/model.safetensors")),
        "optimizer": weights_of(Path("fresh/checkpoints/0000000256/optimizer.safetensors")),
    }


def test_a_new_model_has_the_fields_and_weights_that_it_had() -> None:
    pytest.importorskip("sb3_contrib")
    frozen = json.loads((DATA / "trained.json").read_text())
    assert shared(trained(), frozen) == frozen


def test_a_model_stores_the_digests_that_0_1_0_computes() -> None:
    about = json.loads((DATA / "training" / "model.json").read_text())
    label = "17x9"
    digests = [moves()[label]["layout"], observations()[f"{label}, features"]["digest"], base_cards().digest]
    assert [about[name] for name in DIGESTS] == digests
