"""Stable-Baselines3: the project's network in its own policies, and what the import says without it."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="learning needs the extra train")

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported

from oddville_agents import make_agent
from oddville_env import Game, OddVilleSeatVectorEnv, OddVilleVecEnv, OldTown, OldTownVecEnv, SettingError
from oddville_training.oddville.extractor import OddVilleExtractor
from oddville_training.oldtown.extractor import OldTownExtractor
from support.environments import GAMES

ONE_LINE = {"features_extractor_class": OddVilleExtractor, "net_arch": []}

NETWORKS = {
    "oddville": (OddVilleVecEnv, OddVilleExtractor, 128, Game, "ids", "encoding features"),
    "oldtown": (OldTownVecEnv, OldTownExtractor, 18 * 32 + 128, OldTown, "memoryless", "OldTownExtractor reads"),
}


@pytest.mark.parametrize("name", NETWORKS)
def test_one_line_brings_the_network_to_stable_baselines(tmp_path: Path, name: str) -> None:
    vec_env, extractor, features, game, foreign, sentence = NETWORKS[name]
    env, own = vec_env(GAMES[name].seats(4, "random")), {"features_extractor_class": extractor, "net_arch": []}
    learner = MaskablePPO("MlpPolicy", env, policy_kwargs=own, n_steps=8, batch_size=16, n_epochs=1, device="cpu")
    before = {name: weight.clone() for name, weight in learner.policy.named_parameters()}
    learner.learn(64)
    assert all(not weight.equal(before[name]) for name, weight in learner.policy.named_parameters())
    assert learner.policy.features_extractor.features_dim == features
    assert np.array_equal(env.states(), env.envs.states())
    learner.save(tmp_path / "model.zip")
    with pytest.warns(UserWarning, match="run any code"):
        agent = make_agent(str(tmp_path / "model.zip"), name)
    assert game(2, seed=1).ask(agent) in game(2, seed=1).legal_moves
    other = vec_env(GAMES[name].seats(2, "random", encoding=foreign))
    with pytest.raises(SettingError, match=sentence):
        MaskablePPO("MlpPolicy", other, policy_kwargs=own, n_steps=4, batch_size=8, device="cpu")


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
    assert is_masking_supported(env)
    env.seed(3)
    assert env.reset().shape == (2, *env.observation_space.shape)
    _, told = vectors[1].reset(seed=3)
    dones = np.zeros(2, bool)
    while not dones.any():
        actions = told["action_mask"].argmax(1)
        assert (get_action_masks(env) == told["action_mask"]).all()
        _, _, dones, infos = env.step(actions)
        *_, told = vectors[1].step(actions)
    (table, *_) = np.flatnonzero(dones)
    assert (infos[table]["terminal_observation"] == told["final_obs"][table]).all()
    assert "TimeLimit.truncated" not in infos[table]


def test_without_stable_baselines_the_import_says_what_to_install() -> None:
    code = "import sys; sys.modules['stable_baselines3'] = None; from oddville_env import OddVilleVecEnv"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError: oddville_env.envs.sb3 needs the extra train: pip install torch==2.13.0")
    assert "oddville-env[train]" in last
