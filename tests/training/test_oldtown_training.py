"""Old Town is trained and imitated by the same trainer: runs, resuming, rewards."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="training needs the extra train")

from frozen.ask import stored_run
from oddville_agents.oddville.policy import Sizes as OddVilleSizes
from oddville_agents.oldtown.policy_model import Sizes
from oddville_agents.policies.models import ModelError
from oddville_agents.roster import roster_of
from oddville_env.oldtown.game_type import OLDTOWN
from oddville_env.oldtown.observation import make_encoder
from oddville_env.oldtown.settings import make_box
from oddville_training.learning.config import TrainConfig, TrainError
from oddville_training.learning.environments import make_environments
from oddville_training.learning.meter import ProgressMeter, _facts_of_game
from oddville_training.learning.run_folder import saved_config
from oddville_training.learning.train import train
from oddville_training.tournament.evaluate import evaluate
from support.training.small_runs import rewrite_config, said

TINY = TrainConfig(
    taught=0,
    game=OLDTOWN, opponents=("random",), envs=4, rollout=16, batch=32, epochs=1, steps=128, checkpoint=64,
    network=Sizes(4, 8),
)  # fmt: skip
FRESH = Path("checkpoints") / "0000000128"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tiny run, not to be changed."""
    folder = tmp_path_factory.mktemp("runs") / "tiny"
    train(TINY, folder, progress=False)
    return folder


class Stop(BaseException):
    """A run that is killed."""


# Runs


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_run_leaves_a_model_that_plays_with_any_number_of_players(tmp_path: Path, players: int) -> None:
    model = train(replace(TINY, players=players, steps=64), tmp_path / "run", progress=False)
    for seats in (2, 4):
        (found,) = evaluate(str(model), ["random"], seats, seats, game=OLDTOWN, progress=False).against
        assert found.games == seats


def test_a_model_says_all_that_is_needed_to_build_it_again(run: Path) -> None:
    box, about = make_box(2), said(run / "model.safetensors")
    assert (about["format"], about["players"], about["architecture"]) == ("oldtown-model", 2, "buildings")
    assert (about["layout_digest"], about["cards_digest"]) == (box.layout.digest, box.deck.digest)
    assert about["network"] == {"building": 4, "hidden": 8}
    assert saved_config(run, game=OLDTOWN) == TINY


def test_defaults_are_those_of_the_game() -> None:
    config = TrainConfig(game=OLDTOWN)
    assert config.opponents == roster_of("oldtown").trained_against
    assert config.settings == {"lone_confirm": False, "deck": None}
    assert config.network == Sizes()


def test_settings_of_the_game_are_kept_with_the_run(tmp_path: Path) -> None:
    config = replace(TINY, steps=64, settings={"lone_confirm": True})
    train(config, tmp_path / "run", progress=False)
    found = saved_config(tmp_path / "run", game=OLDTOWN)
    assert found.settings["lone_confirm"] is True
    assert found.played.lone_confirm


def test_killed_run_resumes_to_the_same_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = replace(TINY, checkpoint=128, steps=256, opponents=("random", "greedy"))
    train(config, tmp_path / "whole", progress=False)

    def show(meter: object, done: int, *_: object) -> None:
        if done == 192:
            raise Stop

    with monkeypatch.context() as patch:
        patch.setattr(ProgressMeter, "show", show)
        with pytest.raises(Stop):
            train(config, tmp_path / "killed", progress=False)
    train(saved_config(tmp_path / "killed", game=OLDTOWN), tmp_path / "killed", resume=True, progress=False)
    weights = [(tmp_path / name / "model.safetensors").read_bytes() for name in ("whole", "killed")]
    assert weights[0] == weights[1]


# What does not fit


def test_run_of_the_other_game_is_not_resumed(run: Path, tmp_path: Path) -> None:
    stored_run(tmp_path / "theirs")
    with pytest.raises(ModelError, match="expected format 'oldtown-model', version 1"):
        saved_config(tmp_path / "theirs", game=OLDTOWN)
    with pytest.raises(ModelError, match="expected format 'oddville-model', version 1"):
        saved_config(run)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"players": 5}, "players must be a whole number from 2 to 4"),
        ({"lone_confirm": 1}, "lone_confirm must be True or False"),
        ({"game": "oddville"}, "game"),
        ({"network": {"building": 0, "hidden": 8}}, "building must be"),
        ({"deck": "nowhere.json"}, "nowhere.json"),
    ],
)
def test_a_setting_that_is_none_is_told_in_a_sentence_with_its_file(
    copy: Path, change: dict[str, object], sentence: str
) -> None:
    rewrite_config(copy / FRESH / "model.safetensors", **change)
    with pytest.raises(TrainError, match=rf"model\.json: .*{sentence}"):
        saved_config(copy, game=OLDTOWN)


def test_a_config_refuses_what_the_game_does_not_know() -> None:
    with pytest.raises(TrainError, match="Old Town has no setting 'table', expected some of lone_confirm, deck"):
        TrainConfig(game=OLDTOWN, settings={"table": (17, 9)})
    with pytest.raises(TrainError, match="network must be of the class Sizes"):
        TrainConfig(game=OLDTOWN, network=OddVilleSizes())


# What the learner is paid for


@pytest.mark.parametrize("players", [2, 3])
def test_shaping_adds_up_to_the_margin_and_the_lead_at_the_beginning(players: int) -> None:
    config = replace(TINY, players=players, envs=1, gamma=1.0)
    environments = make_environments(config, make_encoder(make_box(players), "features"))
    environments.seed(5)
    environments.reset()
    rewards, done = [], False
    while not done:
        (mask,) = environments.env_method("action_masks")
        _, (reward,), (done,), (info,) = environments.step(np.array([mask.argmax()]))
        rewards.append(reward)
    mine, others = info["scores"][info["seat"]], np.delete(info["scores"], info["seat"])
    assert sum(rewards) == pytest.approx(config.scale * (mine - others.mean()), abs=1e-4)
    assert np.count_nonzero(rewards) > 3


def test_winners_share_a_win() -> None:
    won = [_facts_of_game({"scores": [9, 9, 4], "ranks": [1, 1, 3], "seat": seat}, 5)[0] for seat in range(3)]
    assert won == [0.5, 0.5, 0.0]
