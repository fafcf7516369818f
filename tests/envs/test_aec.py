"""PettingZoo's environment: its own tests, and the loop."""

import itertools
import warnings
from dataclasses import fields
from importlib import import_module
from inspect import signature
from typing import Any

import numpy as np
import pytest
from pettingzoo import AECEnv
from pettingzoo.test import api_test, render_test, seed_test

from oddville_env import Game, IllegalMoveError, oddville_v0
from oddville_env.core.game.game_type import GameType
from oddville_env.envs.rewards import REWARDS
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oldtown.game_type import OLDTOWN
from support.environments import at_end, every_encoding, every_number, played
from support.helpers import random_game, told

# PettingZoo's own tests


@every_number
@pytest.mark.parametrize("settings", [{}, {"encoding": "ids"}, {"max_rounds": 2}], ids=str)
def test_pettingzoos_api_test_passes(players: int, settings: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # It passes an option of its own, and it would rather have boxes than dictionaries with masks.
        warnings.filterwarnings(
            "ignore", message=".*(option 'options'|Observation space for each|is not a NumPy array)"
        )
        api_test(oddville_v0.env(players=players, **settings), num_cycles=300)


@every_number
def test_pettingzoos_seed_test_passes(players: int) -> None:
    seed_test(lambda: oddville_v0.env(players=players), num_cycles=60)


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.usefixtures("render_extra", "small_pictures")
def test_pettingzoos_render_test_passes(players: int) -> None:
    render_test(lambda **mode: oddville_v0.env(players=players, **mode), {"ansi": lambda text: "crystal" in text})


# The AEC loop


@every_number
def test_the_selected_agent_is_the_seat_to_move_even_twice_in_a_row(players: int) -> None:
    game, env = random_game(players, 3), oddville_v0.raw_env(players=players)
    again, speakers = Game(players, 3), []
    env.reset(3)
    for move in game.moves:
        speakers.append(env.agent_selection)
        assert env.agent_selection == f"player_{again.to_move}"
        env.step(game.action(move))
        again.push(move)

    assert sum(first == second for first, second in itertools.pairwise(speakers)) > 10


@every_number
@pytest.mark.parametrize("reward", REWARDS)
def test_nothing_is_paid_before_the_end_and_everybody_at_it(players: int, reward: str) -> None:
    env = oddville_v0.raw_env(players=players, reward=reward)
    for _ in played(env, 5):
        if not any(env.terminations.values()):
            assert set(env.rewards.values()) == set(env._cumulative_rewards.values()) == {0.0}
            assert set(env.infos[agent].get("score") for agent in env.agents) == {None}
    outcome = env.game.outcome
    paid = dict(zip(env.possible_agents, REWARDS[reward](outcome.scores, outcome.ranks), strict=True))

    assert env.rewards == env._cumulative_rewards == paid
    assert set(env.terminations.values()) == {True}
    assert set(env.truncations.values()) == {False}
    assert [env.infos[agent] for agent in env.possible_agents] == [
        {"score": score, "rank": rank} for score, rank in zip(outcome.scores, outcome.ranks, strict=True)
    ]


@every_number
def test_every_agent_is_told_its_reward_once_in_a_dead_step(players: int) -> None:
    env = at_end(oddville_v0.env(players=players, reward="margin"), 5)
    expected, told_rewards = dict(env.rewards), {}

    for agent in env.agent_iter():
        _, told_rewards[agent], terminated, truncated, info = env.last()
        assert (terminated, truncated) == (True, False)
        assert set(info) == {"score", "rank"}
        env.step(None)

    assert told_rewards == expected
    assert env.agents == []


def test_a_finished_agent_can_only_step_with_none() -> None:
    env = at_end(oddville_v0.raw_env())

    with pytest.raises(ValueError, match="None"):
        env.step(0)


@every_number
def test_a_game_at_the_limit_of_rounds_is_truncated_not_terminated(players: int) -> None:
    env = at_end(oddville_v0.env(players=players, max_rounds=1))

    assert set(env.truncations.values()) == {True}
    assert set(env.terminations.values()) == {False}
    assert sum(env.rewards.values()) == pytest.approx(0)
    assert env.unwrapped.game.outcome.truncated


@every_number
@every_encoding
def test_only_the_seat_to_move_has_a_mask(players: int, encoding: Any) -> None:
    env = oddville_v0.raw_env(players=players, encoding=encoding)
    for _ in played(env, 2):
        for agent in env.possible_agents:
            seen = env.observe(agent)
            selected = agent == env.agent_selection
            assert seen["action_mask"].tolist() == (env.live.mask if selected else env.live.mask & False).tolist()
            assert env.observation_space(agent).contains(seen)


def test_an_observation_is_the_agents_own() -> None:
    env = oddville_v0.raw_env()
    env.reset(0)
    before = env.observe("player_0"), env.live.mask.copy()
    seen = env.observe(env.agent_selection)

    seen["action_mask"][:] = 1
    seen["observation"][:] = 0

    assert np.array_equal(env.live.mask, before[1])
    assert np.array_equal(env.observe("player_0")["observation"], before[0]["observation"])


@every_number
def test_the_observation_is_what_the_seat_sees_of_the_game(players: int) -> None:
    env = oddville_v0.raw_env(players=players)
    for _ in played(env, 9):
        game = env.game
        for seat, agent in enumerate(env.possible_agents):
            out = env.encoder.observation(game.box.record, game.state, 0, seat)
            assert np.array_equal(env.observe(agent)["observation"], out)
        break


@every_number
def test_spaces_are_the_same_objects_at_every_call(players: int) -> None:
    env = oddville_v0.env(players=players)
    spaces = [(env.observation_space(agent), env.action_space(agent)) for agent in env.possible_agents]
    at_end(env)
    env.reset()

    for agent, (seen, action) in zip(env.possible_agents, spaces, strict=True):
        assert env.observation_space(agent) is seen
        assert env.action_space(agent) is action
        assert seen["action_mask"].shape == (action.n,)


def test_each_agent_samples_actions_of_its_own() -> None:
    env = oddville_v0.env()
    one, other = (env.action_space(agent) for agent in env.possible_agents)
    one.seed(1)
    other.seed(1)

    sampled = [int(one.sample()) for _ in range(5)]

    assert [int(other.sample()) for _ in range(5)] == sampled


@every_number
def test_env_lets_the_seat_of_an_illegal_action_lose(players: int) -> None:
    env = oddville_v0.env(players=players)
    env.reset(seed=1)
    culprit = env.agent_selection

    env.step(int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0]))

    assert env.rewards == {agent: -1 if agent == culprit else 0 for agent in env.possible_agents}
    assert all(env.terminations.values())
    for _ in env.agent_iter():
        env.step(None)
    assert env.agents == []
    env.reset(seed=1)
    assert not any(env.terminations.values())


@pytest.mark.parametrize("action", [-1, 10**6, 471, None, np.int64(471)], ids=repr)
def test_raw_env_refuses_an_illegal_action_and_changes_nothing(action: Any) -> None:
    env = oddville_v0.raw_env()
    env.reset(1)
    before = told(env.game)

    with pytest.raises(IllegalMoveError):
        env.step(action)

    assert told(env.game) == before
    assert not any(env.terminations.values())


def test_actions_may_be_numpy_integers() -> None:
    env = oddville_v0.env()
    env.reset(1)

    env.step(np.int64(env.last()[0]["action_mask"].argmax()))

    assert len(env.unwrapped.game.moves) == 1


@pytest.mark.parametrize("scores", [(30, 20), (20, 30), (31, 28, 40), (9, 9, 9, 8), (0, 0)], ids=str)
def test_rewards_add_up_to_nothing(scores: tuple[int, ...]) -> None:
    order = sorted(range(len(scores)), key=lambda seat: -scores[seat])
    ranks = [order.index(seat) + 1 for seat in range(len(scores))]
    for name, reward in REWARDS.items():
        paid = reward(scores, ranks)
        assert sum(paid) == pytest.approx(0)
        assert paid[order[0]] == max(paid)
        assert name == "margin" or paid[order[0]] == 1
        assert name != "rank" or paid[order[-1]] == -1
    assert REWARDS["outcome"](scores, ranks).count(-1 / (len(scores) - 1)) == len(scores) - 1
    assert REWARDS["margin"](scores, ranks)[0] == pytest.approx(scores[0] - sum(scores[1:]) / (len(scores) - 1))


def test_env_has_the_signature_of_raw_env_and_returns_an_environment() -> None:
    assert issubclass(signature(oddville_v0.env).return_annotation, AECEnv)
    assert signature(oddville_v0.env).parameters == signature(oddville_v0.raw_env).parameters


@pytest.mark.parametrize("game", [ODDVILLE, OLDTOWN], ids=lambda game: game.name)
def test_signature_and_docstring_name_all_arguments_and_settings(game: GameType) -> None:
    module = import_module(f"oddville_env.{game.name}_v0")
    made = [each for each in vars(module).values() if isinstance(each, type) and each.__module__ == module.__name__]
    assert len(made) == 4
    settings = {field.name: field.default for field in fields(game.settings)}
    for each in made:
        parameters = signature(each).parameters
        assert {name: parameters[name].default for name in settings} == settings
        assert [line.split(":")[0].strip() for line in each.__doc__.split("Args:\n")[1].splitlines()] == list(
            parameters
        )


def test_word_is_the_move_of_an_id() -> None:
    env = oddville_v0.env()
    env.reset(seed=1)
    assert [env.unwrapped.word(action) for action in (0, 57, 471)] == ["setup:wood", "build:1:0,0", "done"]
    with pytest.raises(IllegalMoveError, match="expected a whole number from 0 to 471"):
        env.unwrapped.word(472)
