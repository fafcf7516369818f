"""The facts of 1.0.0 hold, and runs that 1.0.0 stored are read and resumed."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from frozen.ask import DATA, MODEL, digest, program, stored_run
from frozen.freeze import EXTRAS, FACTS

STORED = json.loads((DATA / "facts.json").read_text())


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test works in a folder of its own."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", FACTS)
@pytest.mark.filterwarnings("ignore")
def test_fact_is_unchanged(name: str) -> None:
    if extra := EXTRAS.get(name.split()[-1]):
        pytest.importorskip(extra)
    found, stored = json.loads(json.dumps(FACTS[name]())), STORED[name]
    if name.endswith("training"):
        forget_other_machines(found, stored)
    assert found == stored


def forget_other_machines(found: dict[str, dict[str, object]], stored: dict[str, dict[str, object]]) -> None:
    """Weights are compared where they were trained on such a machine, by the same torch."""
    for run, told in found.items():
        if told["weights"].keys() != stored[run]["weights"].keys():
            told.pop("weights")
            stored[run] = {key: value for key, value in stored[run].items() if key != "weights"}


def test_every_stored_fact_is_tested() -> None:
    assert list(STORED) == list(FACTS)


@pytest.fixture
def run() -> Path:
    """A training run that 1.0.0 stored after 128 steps."""
    pytest.importorskip("sb3_contrib")
    stored_run(Path("run"))
    return Path("run")


def test_stored_run_that_has_reached_its_end_keeps_its_network_and_is_resumed(run: Path) -> None:
    program("oddville", "train", "--folder", run, "--resume", "--steps", 128)
    assert (run / MODEL.name).read_bytes() == MODEL.read_bytes()
    program("oddville", "train", "--folder", run, "--resume", "--steps", 192)
    assert json.loads((run / "model.json").read_text())["steps"] == 192
    assert (run / "checkpoints/0000000192/optimizer.safetensors").exists()


def test_installed_program_plays_the_stored_games() -> None:
    """The program beside Python, in a process of its own."""
    command = [Path(sys.executable).with_name("oddville"), "simulate", "--agents", "random,random", "--games", "10"]
    subprocess.run([*command, "--seed", "3", "--out", "played.jsonl"], check=True, capture_output=True)
    assert digest(Path("played.jsonl")) == STORED["oddville agents"]["random,random"][1]
