"""Copies of environments continue the game, in this process and in others."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from oddville_env import OddVilleEnv, OddVilleSeatVectorEnv, OddVilleSelfPlayEnv, oddville_v0
from oddville_env.envs.game_batch import Sampler
from oddville_env.oddville.game_type import ODDVILLE

DOUBLES = {"copy": copy.deepcopy, "pickle": lambda env: pickle.loads(pickle.dumps(env))}

every_double = pytest.mark.parametrize("double", DOUBLES.values(), ids=DOUBLES)


def finish(env: Any) -> Any:
    """Play to the end by first legal moves; the record, and what the agents were paid."""
    paid = {}
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        paid[agent] = reward
        done = terminated or truncated
        env.step(None if done else int(observation["action_mask"].argmax()))
    return env.unwrapped.game.record(), paid


def in_the_middle(make: Callable[..., Any], **settings: Any) -> Any:
    env = make(players=3, **settings)
    env.reset(seed=4)
    for _ in range(40):
        env.step(int(env.last()[0]["action_mask"].argmax()))
    return env


@every_double
@pytest.mark.parametrize("make", [oddville_v0.raw_env, oddville_v0.env], ids=["raw", "env"])
def test_an_aec_environment_is_copied_with_its_game(double: Any, make: Any) -> None:
    env = in_the_middle(make, encoding="ids")
    twin = double(env)

    assert twin.agent_selection == env.agent_selection
    assert np.array_equal(twin.last()[0]["observation"], env.last()[0]["observation"])
    one = finish(env)
    assert len(one[0]["moves"]) > 45
    assert finish(twin) == one


@every_double
def test_a_single_environment_is_copied_in_the_middle_of_a_game(double: Any) -> None:
    env = OddVilleEnv(["random", "greedy"], players=3)
    env.reset(seed=4)
    env.step(int(env.action_masks().argmax()))
    twin = double(env)

    over = False
    while not over:
        one, other = (each.step(int(each.action_masks().argmax())) for each in (env, twin))
        assert np.array_equal(one[0], other[0])
        assert one[1:4] == other[1:4]
        over = one[2] or one[3]
    assert env.game.record() == twin.game.record()


@every_double
@pytest.mark.parametrize(
    "make",
    [OddVilleSelfPlayEnv, lambda games: OddVilleSeatVectorEnv(games, ["greedy", "random"], 3)],
    ids=["all", "one"],
)
def test_many_games_are_copied_as_they_are(double: Any, make: Any) -> None:
    env = make(3)
    env.reset(seed=4)
    sampler = Sampler(3)
    for _ in range(20):
        env.step(sampler.sample(env.batch))
    twin = double(env)

    for _ in range(150):
        actions = sampler.sample(env.batch)
        for one, other in zip(env.step(actions)[:4], twin.step(actions)[:4], strict=True):
            assert np.array_equal(one, other)


@pytest.mark.parametrize("make", [oddville_v0.raw_env, OddVilleEnv], ids=["raw", "single"])
@pytest.mark.usefixtures("render_extra")
def test_copy_of_an_environment_opens_a_window_of_its_own(make: Any) -> None:
    env = make(render_mode="human")
    env.reset(seed=1)

    for double in DOUBLES.values():
        twin = double(env)
        assert twin._renderer._window is None
        twin.render()
        assert twin._renderer._window is not None
        twin.close()
        assert env._renderer._window is not None
    env.close()


@every_double
def test_a_game_type_is_one_object_wherever_it_is_copied_to(double: Any) -> None:
    assert double(ODDVILLE) is ODDVILLE
