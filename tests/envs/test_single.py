"""Gymnasium's environment: one learning seat against opponents."""

import warnings
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

from oddville_agents import AgentError, make_agent
from oddville_env import Game, OddVilleEnv, SettingError
from oddville_env.envs.rewards import REWARDS
from support.environments import every_encoding, every_number
from support.helpers import random_move, told

ID = "oddville_env:OddVille-v0"


# Gymnasium


@every_encoding
def test_gymnasiums_check_env_passes(encoding: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*(different from the unwrapped|render modes).*")
        check_env(OddVilleEnv(encoding=encoding), skip_render_check=True)


def test_a_game_that_was_lost_by_an_illegal_id_is_over_until_reset() -> None:
    env = OddVilleEnv("random")
    _, info = env.reset(seed=1)
    illegal, legal = (int(np.flatnonzero(mask)[0]) for mask in (info["action_mask"] == 0, info["action_mask"]))
    *_, terminated, _, _ = env.step(illegal)
    assert terminated
    with pytest.raises(ResetNeeded):
        env.step(legal)


def test_stable_baselines_check_env_passes() -> None:
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        checker.check_env(OddVilleEnv("random"))


def test_gymnasium_makes_the_environment_by_its_name() -> None:
    env = gymnasium.make(ID, players=3, opponents=["random", "greedy"], seat=1, encoding="ids", reward="rank")

    seen, info = env.reset(seed=2)

    assert env.observation_space.contains(seen)
    assert env.action_space.n == len(info["action_mask"])
    assert env.unwrapped.seat == 1
    assert env.unwrapped.live.to_move == 1
    env.close()


def test_gymnasium_makes_many_at_once() -> None:
    envs = gymnasium.make_vec(ID, num_envs=3, vectorization_mode="sync", opponents="random")

    seen, info = envs.reset(seed=[1, 2, 3])

    assert seen.shape == (3, envs.single_observation_space.shape[0])
    assert info["action_mask"].shape == (3, envs.single_action_space.n)
    envs.close()


@pytest.mark.skipif(not hasattr(pettingzoo, "make"), reason="PettingZoo has a registry from 1.26 on")
def test_pettingzoo_makes_the_environment_by_its_name() -> None:
    env = pettingzoo.make("aec", "oddville_v0", players=3)

    env.reset(seed=1)

    assert env.possible_agents == ["player_0", "player_1", "player_2"]


def run_single(env: OddVilleEnv, seed: int = 0) -> tuple[float, bool, bool, dict[str, Any]]:
    """Play a game of random moves; what the last step said."""
    rng = np.random.default_rng(seed)
    seen, info = env.reset(seed=seed)
    while True:
        assert env.observation_space.contains(seen)
        assert np.array_equal(info["action_mask"], env.action_masks())
        assert (info["action_mask"].dtype, env.action_masks().dtype) == (np.int8, np.bool_)
        assert env.live.to_move == env.seat
        seen, reward, terminated, truncated, info = env.step(random_move(env.live, rng))
        if terminated or truncated:
            assert env.observation_space.contains(seen)
            assert not info["action_mask"].any()
            return reward, terminated, truncated, info
        assert reward == 0


def by_first_move(observation: np.ndarray, mask: np.ndarray) -> int:
    """A function as an agent."""
    assert observation.dtype == np.uint8
    assert mask.dtype == np.bool_
    return int(mask.argmax())


@every_number
@pytest.mark.parametrize("reward", REWARDS)
def test_a_single_game_ends_with_the_seats_reward_and_all_scores(players: int, reward: str) -> None:
    env = OddVilleEnv("greedy", players, reward=reward)

    paid, terminated, truncated, info = run_single(env, 3)

    outcome = env.game.outcome
    assert outcome is not None
    assert paid == pytest.approx(REWARDS[reward](outcome.scores, outcome.ranks)[env.seat])
    assert (terminated, truncated) == (True, False)
    assert (info["scores"], info["ranks"], info["seat"]) == (outcome.scores, outcome.ranks, env.seat)
    assert Game.from_record(env.game.record()).record() == env.game.record()


def test_a_single_game_at_the_limit_of_rounds_is_truncated() -> None:
    assert run_single(OddVilleEnv("random", max_rounds=2))[1:3] == (False, True)


@pytest.mark.parametrize(
    "opponents",
    ["random", by_first_move, ["greedy", "random"], ["random", by_first_move], ("greedy", make_agent("random"))],
    ids=["name", "function", "names", "mixed", "agent"],
)
def test_opponents_are_one_agent_for_all_seats_or_one_for_each(opponents: Any) -> None:
    assert run_single(OddVilleEnv(opponents, players=3))[1]


def test_an_agent_object_is_an_opponent_by_itself() -> None:
    assert run_single(OddVilleEnv(make_agent("random")))[1]


@pytest.mark.parametrize("opponents", [[], ["random"], ["random"] * 3])
def test_a_wrong_number_of_opponents_is_refused(opponents: list[str]) -> None:
    with pytest.raises(SettingError, match="opponents must be one agent or 2, one for each other seat, not "):
        OddVilleEnv(opponents, players=3)


@pytest.mark.parametrize("opponents", ["nobody", "", ["nobody"], [None], [5]], ids=repr)
def test_an_opponent_that_does_not_exist_is_refused(opponents: Any) -> None:
    with pytest.raises(AgentError):
        OddVilleEnv(opponents)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_the_learning_seat_can_be_fixed(seat: int) -> None:
    env = OddVilleEnv("random", players=3, seat=seat)
    for seed in range(5):
        env.reset(seed=seed)
        assert env.seat == env.live.to_move == seat


def test_otherwise_the_learning_seat_is_drawn_from_the_seed_for_each_game() -> None:
    env = OddVilleEnv("random", players=3)
    seats = [env.reset(seed=seed) and env.seat for seed in range(30)]

    assert set(seats) == {0, 1, 2}
    assert [env.reset(seed=seed) and env.seat for seed in range(30)] == seats


@pytest.mark.parametrize("seat", [-1, 3, "0", 1.0, True], ids=repr)
def test_a_wrong_seat_is_refused(seat: Any) -> None:
    with pytest.raises(SettingError, match="seat must be a whole number from 0 to 2"):
        OddVilleEnv("random", players=3, seat=seat)


@pytest.mark.parametrize("action", [-1, 471, 10**6, np.int64(471)], ids=repr)
def test_an_illegal_action_loses_a_single_game_at_once(action: int) -> None:
    env = OddVilleEnv("random")
    env.reset(seed=1)
    before = told(env.game)

    seen, reward, terminated, truncated, info = env.step(action)

    assert (reward, terminated, truncated, info["illegal_action"]) == (-1.0, True, False, action)
    assert env.observation_space.contains(seen)
    assert told(env.game) == before


def test_the_same_seed_and_moves_are_the_same_single_game() -> None:
    records = []
    for _ in range(2):
        env = OddVilleEnv(["random", "greedy"], players=3)
        run_single(env, 8)
        records.append(env.game.record())

    assert records[0] == records[1]
