"""Settings of a run from a TOML file, and a callback that watches a run."""

import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from oddville_agents import AgentError
from oddville_agents.oddville.policy import Sizes
from oddville_agents.oldtown.policy_model import Sizes as OldTownSizes
from oddville_agents.roster import roster_of
from oddville_env.cli import main
from oddville_env.core.errors import GameError
from oddville_env.core.game.game_type import GameType
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oldtown.game_type import OLDTOWN
from oddville_training.learning.config import TrainConfig, TrainError
from oddville_training.learning.train import Update, train
from support.training.small_runs import TINY, said

EVERY: dict[str, Any] = {
    "players": 3, "opponents": ["random", "greedy"], "reward": "outcome", "teacher": "greedy", "taught": 0,
    "minutes": 2.5, "steps": 128, "checkpoint": 64, "seed": 7, "envs": 4, "rollout": 16, "batch": 32, "epochs": 1,
    "learning_rate": 1e-3, "gamma": 0.99, "gae_lambda": 0.8, "entropy": 0.0, "clip": 0.1, "scale": 1, "shaping": False,
    "architecture": "projects", "threads": 1, "window": 10, "max_rounds": 50,
}  # fmt: skip


def written(folder: Path, text: str) -> Path:
    path = folder / "ppo.toml"
    path.write_text(text)
    return path


def every_setting(**changed: Any) -> str:
    lines = [f"{name} = {json.dumps(value)}" for name, value in (EVERY | changed).items()]
    return "\n".join([*lines, "network = {cell = 4, card = 4, hidden = 8}"])


def test_a_file_may_hold_every_setting_and_what_is_given_stands_instead(tmp_path: Path) -> None:
    config = TrainConfig.read(written(tmp_path, every_setting()))
    assert {each.name for each in fields(TrainConfig)} - {"game", "settings", "network"} <= EVERY.keys()
    assert (config.players, config.opponents, config.minutes) == (3, ("random", "greedy"), 2.5)
    assert (config.network, config.settings["max_rounds"]) == (Sizes(cell=4, card=4, hidden=8), 50)
    assert config == TrainConfig.from_json(config.as_json(), ODDVILLE)
    config = TrainConfig.read(written(tmp_path, "envs = 8\nseed = 3"), OLDTOWN, {"seed": 4, "opponents": ("random",)})
    assert (config.game, config.envs, config.seed, config.opponents) == (OLDTOWN, 8, 4, ("random",))
    assert (config.settings, config.network) == ({"lone_confirm": False, "deck": None}, OldTownSizes())
    assert TrainConfig(game=OLDTOWN).opponents == roster_of("oldtown").trained_against
    path = written(tmp_path, "opponents = ['./mine.py:Mine']")
    with pytest.raises(AgentError, match="code of its own"):
        TrainConfig.read(path)
    assert TrainConfig.read(path, given={"opponents": ("./mine.py:Mine",)}).opponents == ("./mine.py:Mine",)


@pytest.mark.parametrize(("text", "sentence"), [
    ("speed = 3", r"ppo.toml: there is no setting 'speed', expected some of architecture, batch, "),
    ("game = 'oldtown'", "there is no setting 'game'"),
    ("learning_rate = nan", "learning_rate must be a number above 0"),
    ("network = {depth = 3}", r"ppo.toml: network holds no sizes of the architecture projects"),
    ("lone_confirm = true", "there is no setting 'lone_confirm'"),
    ("envs = ", "ppo.toml is not a TOML file"),
])  # fmt: skip
def test_what_is_no_setting_is_told_in_a_sentence(text: str, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(TrainError, match=sentence):
        TrainConfig.read(written(tmp_path, text))


@pytest.mark.parametrize(("game", "given", "sentence"), [
    (OLDTOWN, {"lone_confirm": 1}, "lone_confirm must be True or False"),
    (OLDTOWN, {"deck": "nowhere.json"}, "nowhere.json"),
    (OLDTOWN, {"network": {"building": 0, "hidden": 8}}, "building must be"),
    (OLDTOWN, {"table": (17, 9)}, "there is no setting 'table', expected some of "),
    (ODDVILLE, {"opponents": ()}, "opponents"),
    (ODDVILLE, {"architecture": "x" * 300_000}, "architecture must be one of projects"),
])  # fmt: skip
def test_setting_that_its_game_does_not_have_is_refused(game: GameType, given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(GameError, match=sentence) as refused:
        TrainConfig.of(game, given)
    assert len(str(refused.value)) < 500


def test_the_program_takes_a_file_and_what_is_typed_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path, folder = written(tmp_path, every_setting(players=2)), tmp_path / "run"
    words = ["oddville", "train", "--config", str(path), "--folder", str(folder), "--against", "random"]
    monkeypatch.setattr("sys.argv", [*words, "--seed", "8"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert not ended.value.code, capsys.readouterr().err
    config = said(folder / "model.safetensors")["config"]
    assert (config["seed"], config["opponents"], config["learning_rate"]) == (8, ["random"], 1e-3)
    monkeypatch.setattr("sys.argv", [*words, "--resume"])
    with pytest.raises(SystemExit):
        main()
    assert "--config cannot be combined with --resume" in " ".join(capsys.readouterr().err.split())


def test_a_callback_is_told_of_every_update_and_may_end_the_run(tmp_path: Path) -> None:
    told: list[Update] = []

    def watch(update: Update) -> bool:
        told.append(update)
        return len(told) < 2

    model = train(replace(TINY, steps=1024), tmp_path / "run", progress=False, callback=watch)
    assert ([update.steps for update in told], said(model)["steps"]) == ([64, 128], 128)
    assert told[0].games.keys() <= {"random"}
    assert told[0].learner is told[1].learner
