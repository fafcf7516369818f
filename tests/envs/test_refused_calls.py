"""What environments refuse: calls after an interrupt or before a reset, what is no id, wrong arguments."""

from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from oddville_env import (
    Game,
    IllegalMoveError,
    OddVilleEnv,
    OddVilleSeatVectorEnv,
    OddVilleSelfPlayEnv,
    SettingError,
    oddville_v0,
)
from support.helpers import told

NO_IDS = [1.0, "0", True, [0], np.array([0]), np.float32(2), np.True_, {}]


every_no_id = pytest.mark.parametrize("action", NO_IDS, ids=repr)


# Interrupts


def interrupt_at(number: int) -> Callable[[np.ndarray, np.ndarray], int]:
    """An agent that plays the first legal move, and where somebody presses Ctrl-C at one of its moves."""
    asked = [0]

    def agent(observation: np.ndarray, mask: np.ndarray) -> int:
        asked[0] += 1
        if asked[0] == number:
            raise KeyboardInterrupt
        return int(mask.argmax())

    return agent


def play_on(env: Any) -> None:
    """Play the first legal moves until something happens."""
    while True:
        env.step(env.action_masks().argmax(-1))


@pytest.mark.parametrize("number", range(9, 30, 4))
def test_after_an_interrupt_many_games_are_refused_until_a_reset(number: int) -> None:
    env = OddVilleSeatVectorEnv(4, interrupt_at(number), seat=0)
    env.reset(seed=1)
    with pytest.raises(KeyboardInterrupt):
        play_on(env)
    before = env.batch.games.copy()

    with pytest.raises(ResetNeeded, match="broken off in the middle"):
        env.step(env.action_masks().argmax(1))

    assert np.array_equal(env.batch.games, before)
    _, info = env.reset(seed=1)
    env.step(info["action_mask"].argmax(1))


@pytest.mark.parametrize("number", [3, 9])
def test_after_an_interrupt_a_single_game_is_refused_until_a_reset(number: int) -> None:
    env = OddVilleEnv(interrupt_at(number), seat=0)
    env.reset(seed=1)
    with pytest.raises(KeyboardInterrupt):
        play_on(env)
    before = told(env.game)

    with pytest.raises(ResetNeeded, match="broken off in the middle"):
        env.step(env.action_masks().argmax())

    assert told(env.game) == before


# People


def test_nothing_is_played_or_shown_before_a_reset() -> None:
    raw, single = oddville_v0.raw_env(render_mode="ansi"), OddVilleEnv("random", render_mode="ansi")
    calls = [lambda: raw.step(0), lambda: raw.observe("player_0"), raw.state, raw.view, raw.render, lambda: raw.game]
    calls += [lambda: single.step(0), single.view, single.render, lambda: single.game]
    calls += [lambda: OddVilleSelfPlayEnv(2).step(np.zeros(2, int))]
    calls += [lambda: OddVilleSeatVectorEnv(2, "random").step(np.zeros(2, int))]
    for call in calls:
        with pytest.raises(ResetNeeded, match="reset\\(\\) comes first: no game has been dealt yet"):
            call()


def test_a_game_that_is_over_is_refused_until_a_reset() -> None:
    single, raw = OddVilleEnv("random", max_rounds=1), oddville_v0.raw_env(max_rounds=1)
    single.reset(seed=1)
    while not any(single.step(int(single.action_masks().argmax()))[2:4]):
        pass
    with pytest.raises(ResetNeeded, match="the game is over"):
        single.step(0)
    assert single.game.is_over

    raw.reset(1)
    for agent in raw.agent_iter():
        done = raw.terminations[agent] or raw.truncations[agent]
        raw.step(None if done else int(raw.observe(agent)["action_mask"].argmax()))
    with pytest.raises(ResetNeeded, match="the game is over"):
        raw.step(None)
    assert raw.game.is_over


@every_no_id
def test_what_is_no_id_is_refused_with_a_sentence_and_changes_nothing(action: Any) -> None:
    expected = "is no move of this table, expected a whole number from 0 to"
    for env in (oddville_v0.raw_env(), OddVilleEnv("random")):
        env.reset(seed=1)
        before = told(env.game)
        with pytest.raises(IllegalMoveError, match=expected):
            env.step(action)
        assert told(env.game) == before


@every_no_id
def test_env_refuses_what_is_no_id_with_the_same_sentence(action: Any) -> None:
    env = oddville_v0.env()
    env.reset(seed=1)
    before = told(env.game)

    with pytest.raises(IllegalMoveError, match="is no move of this table, expected a whole number from 0 to"):
        env.step(action)

    assert told(env.game) == before


@pytest.mark.parametrize(
    "actions",
    [[1.0, 1.0], ["0", "0"], [True, True], [[0], [0, 1]], None, "00", [None, 0], np.ones(2)],
    ids=repr,
)
@pytest.mark.parametrize("make", [OddVilleSelfPlayEnv, lambda games: OddVilleSeatVectorEnv(games, "random")])
def test_what_is_no_id_is_refused_in_many_games(make: Any, actions: Any) -> None:
    env = make(2)
    env.reset(seed=1)
    before = env.batch.games.copy()

    with pytest.raises(IllegalMoveError, match="expected a whole number for each game, the id of a move, not "):
        env.step(actions)

    assert np.array_equal(env.batch.games, before)


@pytest.mark.parametrize("actions", [[0], [0, 0, 0], [[0, 0]], 0, [], np.zeros((2, 1), int)], ids=repr)
def test_the_wrong_number_of_ids_is_refused(actions: Any) -> None:
    env = OddVilleSelfPlayEnv(2)
    env.reset(seed=1)
    with pytest.raises(IllegalMoveError, match="expected "):
        env.step(actions)


@pytest.mark.parametrize("options", [5, "deck", [1], True], ids=repr)
@pytest.mark.parametrize(
    "env",
    [oddville_v0.raw_env(), oddville_v0.env(), OddVilleEnv("random"), OddVilleSeatVectorEnv(2, "random")],
    ids=["raw", "env", "single", "vector"],
)
def test_options_that_are_no_mapping_are_refused(env: Any, options: Any) -> None:
    with pytest.raises(SettingError, match="options"):
        env.reset(seed=1, options=options)


@pytest.mark.parametrize(
    ("wrong", "name"),
    [
        ({"num_envs": 0}, "num_envs"),
        ({"num_envs": 2.0}, "num_envs"),
        ({"num_envs": True}, "num_envs"),
        ({"threads": 0}, "threads"),
        ({"seat": 2}, "seat"),
        ({"players": 7}, "players"),
        ({"opponents": ["random", "random"]}, "opponents"),
        ({"reward": "fame"}, "reward"),
        ({"encoding": "pixels"}, "encoding"),
        ({"render_mode": "human"}, "render_mode"),
        ({"max_rounds": 0}, "max_rounds"),
    ],
    ids=str,
)
def test_make_vec_refuses_wrong_arguments_by_their_names(wrong: dict[str, Any], name: str) -> None:
    given = {"num_envs": 2, "opponents": "random", **wrong}
    with pytest.raises(SettingError, match=name):
        gymnasium.make_vec("oddville_env:OddVille-v0", vectorization_mode="vector_entry_point", **given)


@pytest.mark.parametrize(
    "make", [oddville_v0.env, oddville_v0.raw_env, OddVilleEnv, OddVilleSeatVectorEnv, partial(OddVilleSelfPlayEnv, 2)]
)
def test_a_setting_that_does_not_exist_is_a_type_error_with_its_name(make: Any) -> None:
    with pytest.raises(TypeError, match="plyers"):
        make(plyers=3)


def test_the_game_that_an_environment_shows_is_a_copy() -> None:
    env = oddville_v0.raw_env()
    env.reset(1)
    game: Game = env.game
    game.push(int(game.mask.argmax()))

    assert env.game.moves == []
