"""PettingZoo's environment: its own tests, and the loop; the adapters over another game."""

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

from oddville_agents import Agent
from oddville_env import Game, oddville_mini_v0, oddville_v0, oldtown_v0
from oddville_env.core.game.game_type import GameType
from oddville_env.core.game.view import View
from oddville_env.envs.aec import GameAECEnv, in_wrappers
from oddville_env.envs.rewards import REWARDS
from oddville_env.envs.seat_vector import SeatVectorEnv
from oddville_env.envs.self_play import SelfPlayEnv
from oddville_env.envs.single import SingleSeatEnv
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oldtown.game_type import OLDTOWN
from support.environments import at_end, every_number, played
from support.guess import GUESS, Settings
from support.helpers import random_game


@pytest.mark.parametrize(("door", "players", "settings"), [
    (oddville_v0, 2, {}),
    (oddville_v0, 3, {"encoding": "ids"}),
    (oddville_v0, 4, {"max_rounds": 2}),
    (oddville_v0, 2, {"encoding": "entities"}),
    (oddville_mini_v0, 2, {}),
    (oddville_mini_v0, 2, {"encoding": "summary", "reward": "margin"}),
    (oldtown_v0, 2, {}),
    (oldtown_v0, 3, {"encoding": "memoryless"}),
    (oldtown_v0, 4, {"lone_confirm": True}),
], ids=lambda each: getattr(each, "__name__", str(each)))  # fmt: skip
def test_pettingzoos_own_tests_pass(door: Any, players: int, settings: dict[str, Any]) -> None:
    with warnings.catch_warnings(action="error"):
        # It passes an option of its own, would rather have boxes than dictionaries with masks, takes rows for pixels.
        warnings.filterwarnings(
            "ignore",
            message=".*(option 'options'|Observation space for each|is not a NumPy array|graphical observation)",
        )
        api_test(door.env(players=players, **settings), num_cycles=300)
    seed_test(lambda: door.env(players=players, **settings), num_cycles=60)


@pytest.mark.usefixtures("render_extra", "small_pictures")
def test_pettingzoos_render_test_passes() -> None:
    render_test(
        lambda **mode: oddville_v0.env(players=4, max_rounds=1, **mode), {"ansi": lambda text: "crystal" in text}
    )


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
    assert (set(env.terminations.values()), set(env.truncations.values())) == ({True}, {False})
    assert [env.infos[agent] for agent in env.possible_agents] == [
        {"score": score, "rank": rank} for score, rank in zip(outcome.scores, outcome.ranks, strict=True)
    ]


def test_every_agent_is_told_its_reward_once_and_the_limit_of_rounds_truncates() -> None:
    env = at_end(oddville_v0.env(players=3, reward="margin"), 5)
    expected, told_rewards = dict(env.rewards), {}
    with pytest.raises(ValueError, match="None"):
        env.step(0)
    for agent in env.agent_iter():
        _, told_rewards[agent], terminated, truncated, info = env.last()
        assert (terminated, truncated, set(info)) == (True, False, {"score", "rank"})
        env.step(None)
    assert (told_rewards, env.agents) == (expected, [])
    env = at_end(oddville_v0.env(players=3, max_rounds=1))
    assert (set(env.truncations.values()), set(env.terminations.values())) == ({True}, {False})
    assert sum(env.rewards.values()) == pytest.approx(0)
    assert env.unwrapped.game.outcome.truncated


@every_number
@pytest.mark.parametrize("encoding", ["features", "ids", "entities"])
def test_only_the_seat_to_move_has_a_mask(players: int, encoding: Any) -> None:
    env = oddville_v0.raw_env(players=players, encoding=encoding)
    for _ in played(env, 2):
        for agent in env.possible_agents:
            seen, selected = env.observe(agent), agent == env.agent_selection
            assert seen["action_mask"].tolist() == (env.live.mask if selected else env.live.mask & False).tolist()
            assert env.observation_space(agent).contains(seen)


def test_spaces_are_the_same_objects_at_every_call_and_each_agent_samples_its_own() -> None:
    env = oddville_v0.env(players=3)
    spaces = [(env.observation_space(agent), env.action_space(agent)) for agent in env.possible_agents]
    at_end(env)
    env.reset()
    for agent, (seen, action) in zip(env.possible_agents, spaces, strict=True):
        assert env.observation_space(agent) is seen
        assert env.action_space(agent) is action
        assert seen["action_mask"].shape == (action.n,)
        action.seed(1)
    samples = [[int(action.sample()) for _ in range(5)] for _, action in spaces]
    assert samples[0] == samples[1] == samples[2]


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


@pytest.mark.parametrize("game", [ODDVILLE, OLDTOWN], ids=lambda game: game.name)
def test_signature_and_docstring_name_all_arguments_and_settings(game: GameType) -> None:
    module = import_module(f"oddville_env.{game.name}_v0")
    assert issubclass(signature(module.env).return_annotation, AECEnv)
    assert signature(module.env).parameters == signature(module.raw_env).parameters
    own = [each for each in vars(module).values() if getattr(each, "__module__", "") == module.__name__]
    made = [each for each in own if hasattr(each, "reset")]
    assert len(made) == 4
    settings = {field.name: field.default for field in fields(game.settings)}
    for each in made:
        parameters = signature(each).parameters
        assert {name: parameters[name].default for name in settings} == settings
        told = [line.split(":")[0].strip() for line in each.__doc__.split("Args:\n")[1].splitlines()]
        assert told == list(parameters)


every_number = pytest.mark.parametrize("players", [1, 2, 3, 4])


class Low(Agent):
    def act(self, view: View) -> int:
        return 0


@every_number
def test_pettingzoos_api_test_passes_for_any_game(players: int) -> None:
    api_test(in_wrappers(GameAECEnv)(GUESS, Settings(players), encoding="plain"), num_cycles=50)


@pytest.mark.parametrize(("name", "scores", "ranks", "paid"), [
    ("outcome", (5, 5, 1), (1, 1, 3), [0.25, 0.25, -0.5]),
    ("rank", (5, 5, 1), (1, 1, 3), [0.5, 0.5, -1.0]),
    ("rank", (3, 3), (1, 1), [0.0, 0.0]),
    ("margin", (3, 3, 0), (1, 1, 3), [1.5, 1.5, -3.0]),
    ("outcome", (7,), (1,), [1.0]),
    ("rank", (7,), (1,), [1.0]),
    ("margin", (7,), (1,), [7.0]),
    ("outcome", (31, 28, 40), (2, 3, 1), [-0.5, -0.5, 1.0]),
    ("margin", (31, 28, 40), (2, 3, 1), [-3.0, -7.5, 10.5]),
])  # fmt: skip
def test_equals_share_rewards(name: str, scores: tuple[int, ...], ranks: tuple[int, ...], paid: list[float]) -> None:
    assert REWARDS[name](scores, ranks) == paid


@every_number
def test_one_seat_many_seats_and_all_seats_play_any_game(players: int) -> None:
    env, ties = SingleSeatEnv(GUESS, Settings(players), Low(), encoding="plain", reward="margin"), 0
    for seed in range(10):
        seen, _ = env.reset(seed=seed)
        assert env.observation_space.contains(seen)
        assert seen[0] == env.live.state[0].card[env.seat] + 1
        _, reward, terminated, truncated, info = env.step(1)
        assert (terminated, truncated, len(info["scores"])) == (True, False, players)
        assert reward == pytest.approx(REWARDS["margin"](info["scores"], info["ranks"])[env.seat])
        ties += len(set(info["ranks"])) < players
    assert ties or players == 1
    env = SeatVectorEnv(GUESS, Settings(players), 5, Low(), encoding="plain")
    seen, _ = env.reset(seed=2)
    for _ in range(10):
        cards = env.batch.games["card"][np.arange(5), env.seats]
        assert np.array_equal(seen[:, 0], cards + 1)
        seen, _, terminated, _, info = env.step(np.ones(5, int))
        assert terminated.all()
        assert info["final_info"]["scores"].shape == (5, players)
    env = SelfPlayEnv(GUESS, Settings(players), 3, encoding="plain")
    env.reset(1)
    for turn in range(1, 3 * players + 1):
        _, rewards, terminated, _, _ = env.step(env.sampler().sample(env.batch))
        assert (rewards.shape, terminated.all()) == ((3, players), turn % players == 0)
