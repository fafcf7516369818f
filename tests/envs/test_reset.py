"""Seeds, options, pictures and copies of the environments."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers import AddRenderObservation

from oddville_env import Game, OddVilleEnv, OddVilleSeatVectorEnv, OddVilleSelfPlayEnv, OldTown, oddville_v0
from oddville_env.envs.game_batch import Sampler
from oddville_env.oddville.game_type import ODDVILLE
from support.environments import GAMES, every_game, every_number
from support.helpers import random_game

ORDERS = {"oddville": ("deck", "piles", "first"), "oldtown": ("hands", "common", "own", "first")}
CLASSES = {"oddville": Game, "oldtown": OldTown}


def dealt(env: Any, name: str) -> dict[str, Any]:
    """The hidden orders of a game, or of an environment's game."""
    record = (env if isinstance(env, CLASSES[name]) else env.unwrapped.game).record()
    return {order: record[order] for order in ORDERS[name]}


@every_game
@every_number
def test_the_same_seed_is_the_same_game_everywhere(name: str, players: int) -> None:
    aec, single = GAMES[name].aec.env(players=players), GAMES[name].single("random", players, seat=0)
    many = GAMES[name].all_seats(3, players)
    for env in (aec, single, many):
        env.reset(seed=11)
    assert dealt(aec, name) == dealt(single, name) == dealt(CLASSES[name](players, 11), name)
    assert many.batch.games[0] == CLASSES[name](players, 11).state[0]


def test_the_chance_after_the_deal_is_the_same_too() -> None:
    game, env = random_game(3, 7), oddville_v0.raw_env(players=3)
    env.reset(7)
    for move in game.moves:
        env.step(game.action(move))
    assert len(game.record()["reshuffles"]) > 0
    assert env.game.record() == game.record()


def test_without_a_seed_the_games_follow_from_the_last_one() -> None:
    def decks(env: Any, number: int) -> list[list[int]]:
        return [env.reset() or env.game.record()["deck"] for _ in range(number)]

    one, other = oddville_v0.raw_env(), oddville_v0.raw_env()
    assert decks(one, 2) != decks(other, 2)
    one.reset(5)
    other.reset(5)
    following = decks(one, 4)
    assert (len({tuple(deck) for deck in following}), decks(other, 4)) == (4, following)


@every_game
def test_options_fix_the_hidden_orders(name: str) -> None:
    given = dealt(CLASSES[name](2, 77), name)
    for env in (GAMES[name].aec.raw_env(2), GAMES[name].aec.env(2), GAMES[name].single("random", 2)):
        env.reset(seed=3, options=given)
        assert dealt(env, name) == given


@pytest.mark.parametrize("make", [oddville_v0.raw_env, OddVilleEnv], ids=["raw", "single"])
@pytest.mark.usefixtures("render_extra", "small_pictures")
def test_the_table_is_shown_as_text_pixels_or_in_a_window(make: Any) -> None:
    text, pixels, window, none = (make(render_mode=mode) for mode in ("ansi", "rgb_array", "human", None))
    for env in (text, pixels, window, none):
        env.reset(seed=1)
    assert "wood" in text.render()
    picture = pixels.render()
    assert (picture.dtype, picture.shape[1:]) == (np.uint8, (300, 3))
    assert picture.std() > 10
    assert window.render() is None
    with pytest.warns(UserWarning, match="render"):
        assert none.render() is None
    for env in (text, pixels, window):
        env.close()
        env.close()


@pytest.mark.usefixtures("render_extra", "small_pictures")
def test_frames_are_observations_of_their_space() -> None:
    env = gymnasium.make("oddville_env:OddVille-v0", opponents="random", render_mode="rgb_array", max_rounds=3)
    env = AddRenderObservation(env, render_only=False)
    seen, info = env.reset(seed=1)
    terminated = truncated = False
    while not (terminated or truncated):
        assert env.observation_space.contains(seen)
        seen, _, terminated, truncated, info = env.step(int(info["action_mask"].argmax()))
    assert env.observation_space.contains(seen)


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
    twin, over = double(env), False
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
