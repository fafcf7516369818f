"""Stable-Baselines3: the project's network in its own policies, and what the import says without it."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="learning needs the extra train")

from sb3_contrib import MaskablePPO

from oddville_agents import make_agent
from oddville_env import (
    OddVilleSeatVectorEnv,
    OddVilleVecEnv,
    OldTown,
    OldTownSeatVectorEnv,
    OldTownVecEnv,
    SettingError,
)
from oddville_env.envs.live_game import LiveGame
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oddville.settings import make_box
from oddville_training.oddville.extractor import OddVilleExtractor
from oddville_training.oldtown.extractor import OldTownExtractor

ONE_LINE = {"features_extractor_class": OddVilleExtractor, "net_arch": []}


def test_vec_env_has_the_states_of_its_games() -> None:
    env = OldTownVecEnv(OldTownSeatVectorEnv(3, "random"))
    env.seed(1)
    env.reset()
    assert np.array_equal(env.states(), env.envs.states())


def test_one_line_brings_the_network_to_stable_baselines(tmp_path: Path) -> None:
    env = OddVilleVecEnv(OddVilleSeatVectorEnv(4, "random"))
    learner = MaskablePPO("MlpPolicy", env, policy_kwargs=ONE_LINE, n_steps=8, batch_size=16, n_epochs=1, device="cpu")
    before = {name: weight.clone() for name, weight in learner.policy.named_parameters()}
    learner.learn(64)
    changed = {name for name, weight in learner.policy.named_parameters() if not weight.equal(before[name])}
    assert changed == set(before)
    assert learner.policy.features_extractor.features_dim == 128
    learner.save(tmp_path / "model.zip")
    with pytest.warns(UserWarning, match="run any code"):
        agent = make_agent(str(tmp_path / "model.zip"))
    live = LiveGame(ODDVILLE, make_box(2))
    live.deal(0)
    assert live.mask[agent.act(live.view())]


def test_the_extractor_for_another_table_is_given_its_encoder() -> None:
    vector = OddVilleSeatVectorEnv(2, "random", table=(7, 5))
    env = OddVilleVecEnv(vector)
    options = {"n_steps": 4, "batch_size": 8, "n_epochs": 1, "device": "cpu"}
    with pytest.raises(SettingError, match="the environment's encoder in features_extractor_kwargs"):
        MaskablePPO("MlpPolicy", env, policy_kwargs=ONE_LINE, **options)
    own = ONE_LINE | {"features_extractor_kwargs": {"encoder": vector.encoder}}
    MaskablePPO("MlpPolicy", env, policy_kwargs=own, **options).learn(8)


def test_the_last_observation_of_a_game_is_told_when_the_next_one_has_begun() -> None:
    vectors = [OddVilleSeatVectorEnv(2, "random", max_rounds=9) for _ in range(2)]
    env = OddVilleVecEnv(vectors[0])
    env.seed(3)
    env.reset()
    _, told = vectors[1].reset(seed=3)
    dones = np.zeros(2, bool)
    while not dones.any():
        actions = told["action_mask"].argmax(1)
        _, _, dones, infos = env.step(actions)
        *_, told = vectors[1].step(actions)
    (table, *_) = np.flatnonzero(dones)
    assert (infos[table]["terminal_observation"] == told["final_obs"][table]).all()


def test_the_extractor_reads_no_other_encoding() -> None:
    env = OddVilleVecEnv(OddVilleSeatVectorEnv(2, "random", encoding="ids"))
    with pytest.raises(SettingError, match="encoding features"):
        MaskablePPO("MlpPolicy", env, policy_kwargs=ONE_LINE, n_steps=4, batch_size=8, device="cpu")


def test_old_towns_network_comes_to_stable_baselines_in_one_line_too(tmp_path: Path) -> None:
    env = OldTownVecEnv(OldTownSeatVectorEnv(4, "random"))
    own = {"features_extractor_class": OldTownExtractor, "net_arch": []}
    learner = MaskablePPO("MlpPolicy", env, policy_kwargs=own, n_steps=8, batch_size=16, n_epochs=1, device="cpu")
    before = {name: weight.clone() for name, weight in learner.policy.named_parameters()}
    learner.learn(64)
    assert all(not weight.equal(before[name]) for name, weight in learner.policy.named_parameters())
    assert learner.policy.features_extractor.features_dim == 18 * 32 + 128
    learner.save(tmp_path / "model.zip")
    with pytest.warns(UserWarning, match="run any code"):
        agent = make_agent(str(tmp_path / "model.zip"), "oldtown")
    assert OldTown(2, seed=1).ask(agent) in OldTown(2, seed=1).legal_moves
    other = OldTownVecEnv(OldTownSeatVectorEnv(2, "random", encoding="memoryless"))
    with pytest.raises(SettingError, match="OldTownExtractor reads"):
        MaskablePPO("MlpPolicy", other, policy_kwargs=own, n_steps=4, batch_size=8, device="cpu")


def test_without_stable_baselines_the_import_says_what_to_install() -> None:
    code = "import sys; sys.modules['stable_baselines3'] = None; from oddville_env import OddVilleVecEnv"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError: oddville_env.envs.sb3 needs the extra train: pip install torch==2.13.0")
    assert "oddville-env[train]" in last
