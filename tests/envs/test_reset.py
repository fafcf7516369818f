"""Seeds, options, pictures and copies of the environments."""

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers import AddRenderObservation
from pettingzoo import AECEnv

from oddville_env import Game, OddVilleEnv, OddVilleSeatVectorEnv, OddVilleSelfPlayEnv, OldTown, oddville_v0
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

COPIED: dict[str, Any] = {
    "raw": oddville_v0.raw_env,
    "env": oddville_v0.env,
    "one": lambda **more: OddVilleEnv(["random", "greedy"], **more),
    "seats": lambda **more: OddVilleSeatVectorEnv(3, ["greedy", "random"], **more),
    "all": lambda **more: OddVilleSelfPlayEnv(3, copy=True, **more),
}


def go_on(env: Any, steps: int) -> list[Any]:
    """What is shown and paid while first legal moves are played, in a game that follows where one ends."""
    told = []
    for _ in range(steps):
        if isinstance(env, AECEnv):
            if not env.agents:
                env.reset()
            seen, *paid, _ = env.last()
            env.step(None if paid[1] or paid[2] else int(seen["action_mask"].argmax()))
            told.append((env.agent_selection, *seen.values(), *paid))
        else:
            masks = env.batch.masks if hasattr(env, "batch") else env.action_masks()
            told.append(env.step(masks.argmax(-1))[:4])
            if isinstance(env, OddVilleEnv) and any(told[-1][2:]):
                env.reset()
    return told


@every_double
@pytest.mark.parametrize("make", COPIED.values(), ids=COPIED)
def test_copy_of_an_environment_in_the_middle_of_a_game_goes_on_like_it(double: Any, make: Any) -> None:
    env = make(players=3, encoding="ids")
    env.reset(seed=4)
    go_on(env, 5)
    twin = double(env)
    for one, other in zip(go_on(env, 250), go_on(twin, 250), strict=True):
        assert all(map(np.array_equal, one, other))
    ends = [each.batch.games if hasattr(each, "batch") else each.unwrapped.game.record() for each in (env, twin)]
    assert np.array_equal(*ends)


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
