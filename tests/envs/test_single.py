"""Gymnasium's environments: one learning seat against opponents, by numbers or by texts."""

import warnings
from copy import deepcopy
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

from oddville_agents import TextAgent, ask, make_agent
from oddville_env import (
    MINI,
    Game,
    OddVilleEnv,
    OddVilleSelfPlayEnv,
    OldTownEnv,
    TextEnv,
    oddville_mini_v0,
    oddville_v0,
)
from oddville_env.core.game.prompt import full_prompt, rules_digest
from oddville_env.envs.rewards import REWARDS
from support.environments import GAMES, every_game, every_number
from support.helpers import example, random_move, told

ID = "oddville_env:OddVille-v0"


@pytest.mark.parametrize(("make", "encoding"), [
    *((OddVilleEnv, encoding) for encoding in ("features", "ids", "entities")),
    (partial(OddVilleEnv, **MINI), "summary"),
    *((OldTownEnv, encoding) for encoding in ("features", "memoryless", "entities")),
])  # fmt: skip
def test_gymnasiums_and_stable_baselines_check_env_pass(make: Any, encoding: str) -> None:
    with warnings.catch_warnings(action="error"):
        warnings.filterwarnings("ignore", message="Your observation  has an unconventional shape")  # rows
        checker = pytest.importorskip("stable_baselines3.common.env_checker")
        checker.check_env(make("random", encoding=encoding))
        warnings.filterwarnings("ignore", message=".*(different from the unwrapped|render modes).*")
        check_env(make(encoding=encoding), skip_render_check=True)


@pytest.mark.parametrize(("ident", "aec"), [(ID, "oddville_v0"), ("OddVilleMini-v0", "oddville_mini_v0")])
def test_libraries_make_the_environments_by_their_names(ident: str, aec: str) -> None:
    env = gymnasium.make(ident, players=3, opponents=["random", "greedy"], seat=1, encoding="ids", reward="rank")
    seen, info = env.reset(seed=2)
    assert env.observation_space.contains(seen)
    assert env.action_space.n == len(info["action_mask"])
    assert env.unwrapped.seat == env.unwrapped.live.to_move == 1
    for mode, seed in (("sync", [1, 2, 3]), ("vector_entry_point", 1)):
        envs = gymnasium.make_vec(ident, num_envs=3, vectorization_mode=mode, opponents="random")
        seen, info = envs.reset(seed=seed)
        assert envs.observation_space.contains(seen)
        assert info["action_mask"].shape == (3, envs.single_action_space.n)
        envs.close()
    assert envs.metadata["autoreset_mode"] == gymnasium.vector.AutoresetMode.SAME_STEP
    if hasattr(pettingzoo, "make"):  # from PettingZoo 1.26 on
        assert len(pettingzoo.make("aec", aec, players=3).possible_agents) == 3


def test_mini_is_one_game_in_all_environments() -> None:
    aec, single, many = oddville_mini_v0.env(), gymnasium.make("OddVilleMini-v0"), OddVilleSelfPlayEnv(3, **MINI)
    game = Game(seed=5, **MINI)
    for env in (aec, single, many):
        env.reset(seed=5)
    single = single.unwrapped
    assert aec.unwrapped.live.box is single.live.box is many.batch.box is game.box
    assert aec.unwrapped.game.record() == game.record()
    assert np.array_equal(single.live.state["deck"], game.state["deck"])
    assert str(aec.unwrapped) == "oddville_mini_v0"
    assert [each.max_num_agents for each in (oddville_mini_v0.raw_env(3), oddville_mini_v0.env(players=4))] == [3, 4]
    assert aec.observation_space("player_0")["observation"].shape == single.observation_space.shape
    assert issubclass(oddville_mini_v0.raw_env, oddville_v0.raw_env)


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
    assert (observation.dtype, mask.dtype) == (np.uint8, np.bool_)
    return int(mask.argmax())


@every_number
@pytest.mark.parametrize("reward", REWARDS)
def test_a_single_game_ends_with_the_seats_reward_and_all_scores_or_truncated(players: int, reward: str) -> None:
    env = OddVilleEnv("greedy", players, reward=reward)
    paid, terminated, truncated, info = run_single(env, 3)
    outcome = env.game.outcome
    assert paid == pytest.approx(REWARDS[reward](outcome.scores, outcome.ranks)[env.seat])
    assert (terminated, truncated) == (True, False)
    assert (info["scores"], info["ranks"], info["seat"]) == (outcome.scores, outcome.ranks, env.seat)
    assert Game.from_record(env.game.record()).record() == env.game.record()
    assert run_single(OddVilleEnv("random", max_rounds=2))[1:3] == (False, True)


@pytest.mark.parametrize("opponents", [
    by_first_move, make_agent("random"), ["random", by_first_move], ("greedy", make_agent("random")),
], ids=["function", "agent", "mixed", "tuple"])  # fmt: skip
def test_opponents_are_one_agent_for_all_seats_or_one_for_each(opponents: Any) -> None:
    assert run_single(OddVilleEnv(opponents, players=3))[1]


def test_the_learning_seat_is_fixed_or_drawn_from_the_seed() -> None:
    for seat in range(3):
        env = OddVilleEnv("random", players=3, seat=seat)
        assert [env.reset(seed=seed) and (env.seat, env.live.to_move) for seed in range(5)] == [(seat, seat)] * 5
    env = OddVilleEnv("random", players=3)
    seats = [env.reset(seed=seed) and env.seat for seed in range(30)]
    assert (set(seats), [env.reset(seed=seed) and env.seat for seed in range(30)]) == ({0, 1, 2}, seats)


@pytest.mark.parametrize("action", [-1, 471, 10**6, np.int64(471)], ids=repr)
def test_an_illegal_action_loses_a_single_game_at_once(action: int) -> None:
    env = OddVilleEnv("random")
    env.reset(seed=1)
    before = told(env.game)
    seen, reward, terminated, truncated, info = env.step(action)
    assert (reward, terminated, truncated, info["illegal_action"]) == (-1.0, True, False, action)
    assert env.observation_space.contains(seen)
    assert told(env.game) == before
    with pytest.raises(ResetNeeded):
        env.step(int(env.action_masks().argmax()))


IDS = {"oddville": "oddville_env:OddVilleText-v0", "oldtown": "oddville_env:OldTownText-v0"}


@pytest.mark.filterwarnings("error", "ignore:.*(different from the unwrapped|render modes)")
@every_game
def test_game_is_played_by_answers_to_observations(name: str) -> None:
    check_env(TextEnv(name), skip_render_check=True)
    env, ended = gymnasium.make(IDS[name], opponents="greedy", players=3, seat=1), False
    seen, info = env.reset(seed=4)
    assert seen.startswith(rules_digest(name))
    while not ended:
        assert env.observation_space.contains(seen)
        view = env.unwrapped.view()
        assert (view.seat, seen, info["problem"]) == (1, full_prompt(view), "")
        seen, reward, terminated, truncated, info = env.step(example(seen))
        ended = terminated or truncated
    assert env.observation_space.contains(seen)
    assert (seen, reward) == (env.unwrapped.game.text(1), 1.0 if info["ranks"][1] == 1 else -0.5)
    envs = gymnasium.make_vec(IDS[name], num_envs=2, vectorization_mode="sync")
    assert envs.step([example(each) for each in envs.reset(seed=[1, 2])[0]])[4]["problem"].tolist() == ["", ""]


def test_answer_without_a_legal_word_is_asked_again_and_the_last_one_loses() -> None:
    env = TextEnv("oddville", tries=2, seat=1)
    env.reset(seed=1)
    for _ in range(2):  # a legal word gives all tries back
        again, reward, terminated, _, info = env.step("Show me the deck.")
        assert (reward, terminated, info["illegal"]) == (0.0, False, False)
        assert again == full_prompt(env.view(), "The answer holds no move of the game.")
        asked, _, _, _, info = env.step(example(again))
        assert (info["problem"], asked) == ("", full_prompt(env.view()))
    assert env.step("coins:5")[2] is False
    _, reward, terminated, truncated, info = env.step("setup:wood")
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert (info["problem"], info["illegal"]) == ("The move setup:wood is not legal now.", True)
    with pytest.raises(ResetNeeded):
        env.step("setup:wood")
    assert env.reset(seed=1)[1]["problem"] == ""


@every_game
def test_infos_of_aec_environments_hold_the_prompt_that_copies_of_an_agent_answer_and_count(name: str) -> None:
    env, agent = GAMES[name].aec.env(players=2, prompts=True), TextAgent(example)
    env.reset(seed=3)
    for seat in env.agent_iter(max_iter=30):
        view = env.unwrapped.view()
        assert env.last()[4]["prompt"] == full_prompt(view)
        assert not any("prompt" in told for other, told in env.infos.items() if other != seat)
        env.step(ask(deepcopy(agent), view))
    assert agent.counts == {"answers": 30}
