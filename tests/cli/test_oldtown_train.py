"""`oldtown train`, `imitate` and `benchmark`: Old Town learns by the commands that OddVille has."""

import json
import shutil
import sys
from pathlib import Path

import polars as pl
import pytest

pytest.importorskip("sb3_contrib", reason="training needs the extra train")

from frozen.ask import MODEL, stored_run
from oddville_agents.roster import Roster
from oddville_env.cli import oldtown
from oddville_env.oldtown.game_type import OLDTOWN
from oddville_training.tournament.suite import suite_of
from support.program import Run, Said
from support.town import random_game

SMALL = ("--against", "random", "--envs", 2, "--steps", 128)
PROGRAM = ("oldtown", oldtown)


def fails(said: Said, sentence: str) -> None:
    """It ended with one sentence about what was wrong."""
    assert said.code == 1
    assert sentence in " ".join(said.err.split())
    assert len(said.err.strip().splitlines()) == 1
    assert "Traceback" not in said.err


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a short run, not to be changed."""
    folder = tmp_path_factory.mktemp("trained")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(sys, "argv", ["oldtown", "train", "--folder", "run", *map(str, SMALL), "--players", "3"])
        with pytest.raises(SystemExit) as ended:
            oldtown()
    assert not ended.value.code
    return folder / "run"


def test_a_trained_model_is_an_agent_of_every_command(run: Run, trained: Path) -> None:
    model = trained / "model.safetensors"
    assert run("evaluate", model, "--against", "random", "--games", 4).code == 0
    assert run("simulate", "--agents", f"{model},random", "--games", 2, "--out", "games.jsonl").code == 0
    assert run("watch", "--agents", f"{model},{model}:sample=true", "--delay", 0).code == 0
    Path("mine.jsonl").write_text(json.dumps(random_game(2, 1).record()) + "\n")
    assert run("analyse", "mine.jsonl", "--move", 20, "--agent", model).code == 0
    words = ("tournament", model, "random", "--blocks", 2, "--workers", 1, "--out", "cup")
    said = run(*words)
    assert said.code == 0, said.err
    assert pl.read_parquet("cup/results.parquet")["failure"].is_null().all()


def test_a_run_is_gone_on_with_and_evaluated(run: Run, trained: Path) -> None:
    shutil.copytree(trained, "run")
    fails(run("train", "--folder", "run", "--resume", "--steps", 256, "--players", 2), "its players is 3, not 2")
    fails(run("train", "--folder", "run", "--resume", "--steps", 256, "--lone-confirm"), "its lone_confirm is False")
    said = run("train", "--folder", "run", "--resume", "--steps", 256, "--players", 3)
    assert said.code == 0, said.err
    assert "the model is run/model.safetensors" in said.out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--players", 5), "players must be a whole number from 2 to 4, not 5"),
        (("--against", "greedy:weights=simple"), "it takes other options"),
        (("--deck", "nowhere.json"), "nowhere.json"),
        (("--init", MODEL), "expected format 'oldtown-model', version 1"),
        (("--resume",), "holds no checkpoint to go on from"),
    ],
)
def test_what_no_run_can_have_ends_in_a_sentence_and_makes_no_folder(
    run: Run, words: tuple[object, ...], sentence: str
) -> None:
    fails(run("train", "--folder", "run", *words), sentence)
    assert not Path("run").exists()


def test_run_of_the_other_game_is_not_resumed(run: Run) -> None:
    stored_run(Path("run"))
    fails(run("train", "--folder", "run", "--resume"), "expected format 'oldtown-model', version 1")


def test_a_policy_is_imitated_and_training_goes_on_from_it(run: Run) -> None:
    words = ("imitate", "heuristic", "--games", 4, "--players", 3, "--workers", 1, "--out", "data", "--fit")
    said = run(*words)
    assert said.code == 0, said.err
    assert "the model is data/model.safetensors" in said.out
    begun = ("train", "--folder", "run", "--init", "data/model.safetensors", "--players", 3, "--lone-confirm")
    said = run(*begun, *SMALL)
    assert said.code == 0, said.err
    shutil.copy("run/checkpoints/0000000128/model.json", "about.json")
    about = json.loads(Path("about.json").read_text())
    assert (about["format"], about["config"]["lone_confirm"]) == ("oldtown-model", True)


def test_a_value_learns_by_self_play_and_is_evaluated(run: Run) -> None:
    Path("small.toml").write_text(
        "players = [3]\nwarm_games = [24]\nrounds = 1\ngames = [6]\nbatch = 64\nevaluation = 12\n"
    )
    words = ("selfplay", "--folder", "run", "--config", "small.toml", "--seed", 2, "--workers", 1)
    said = run(*words)
    assert said.code == 0, said.err
    assert "the model is champion:network=run/network.safetensors" in said.out
    fails(run(*words), "already holds a run")
    assert run("selfplay", "--folder", "run", "--resume").code == 0
    assert run("evaluate", "champion:network=run/network.safetensors", "--against", "random", "--games", 3).code == 0


def test_a_game_without_a_value_of_its_own_says_so(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oddville_agents.roster_of", lambda _: Roster())
    fails(run("selfplay", "--folder", "run"), "Old Town has no self-play: `oldtown train` trains a policy")


def test_an_agent_is_held_against_the_suite(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    suite = suite_of(OLDTOWN)
    small = suite._replace(players=(2,), anchors=tuple(anchor._replace(blocks=1) for anchor in suite.anchors[:2]))
    monkeypatch.setattr("oddville_training.tournament.suite.suite_of", lambda *_: small)
    said = run("benchmark", "greedy", "--workers", 1)
    assert said.code == 0, said.err
    assert said.out.startswith("| `greedy` 1 | v1 | ")
    assert "| heuristic, 2 | champion, 2 |" in said.err
