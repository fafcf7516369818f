"""Old Town in PettingZoo, Gymnasium and vector environments."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from oddville_env import OldTown, OldTownEnv, OldTownSelfPlayEnv, oldtown_v0

every_number = pytest.mark.parametrize("players", [2, 3, 4])
every_encoding = pytest.mark.parametrize("encoding", ["features", "memoryless"])


@every_number
@every_encoding
def test_checks_of_pettingzoo_and_gymnasium_pass(players: int, encoding: Any) -> None:
    api_test(oldtown_v0.env(players=players, encoding=encoding), num_cycles=200)
    env = gymnasium.make("oddville_env:OldTown-v0", opponents="random", players=players, encoding=encoding)
    check_env(env.unwrapped, skip_render_check=True)


def test_pettingzoos_seed_test_passes() -> None:
    seed_test(lambda: oldtown_v0.env(), num_cycles=20)


@every_number
@pytest.mark.parametrize(("encoding", "size"), [("features", 1964), ("memoryless", 1904)])
def test_one_layout_serves_every_number_of_players(players: int, encoding: Any, size: int) -> None:
    env = oldtown_v0.env(players=players, encoding=encoding)
    env.reset(seed=1)
    assert env.action_space("player_0").n == 1125
    assert env.observation_space("player_0")["observation"].shape == (size,)
    assert env.observation_space("player_0").contains(env.last()[0])


@every_number
def test_the_same_seed_deals_the_same_game_everywhere(players: int) -> None:
    raw = oldtown_v0.raw_env(players=players)
    raw.reset(seed=7)
    many = OldTownSelfPlayEnv(3, players)
    many.reset(seed=7)
    alone = OldTownEnv(players=players, seat=0)
    alone.reset(seed=7)
    assert raw.game == OldTown(players, 7)
    assert many.batch.games[0] == raw.live.state[0]
    assert alone.game.record()["hands"] == raw.game.record()["hands"]


def test_what_is_dealt_may_be_given_at_reset() -> None:
    raw, hands = oldtown_v0.raw_env(3), [[1, 2, 19, 20], [3, 4, 21, 22], [5, 6, 23, 24]]
    raw.reset(seed=1, options={"hands": hands, "first": 2})
    assert raw.game.record()["hands"] == hands
    assert raw.agent_selection == "player_2"


@every_number
def test_threads_and_batch_size_change_no_game(players: int) -> None:
    one, two = OldTownSelfPlayEnv(6, players), OldTownSelfPlayEnv(3, players, threads=2)
    seen, _ = one.reset(seed=3)
    again, _ = two.reset(seed=3)
    sampler, other = one.sampler(1), two.sampler(1)
    for _ in range(150):
        assert np.array_equal(seen[:3], again)
        seen, rewards, ended, *_ = one.step(sampler.sample(one.batch))
        again, paid, over, *_ = two.step(other.sample(two.batch))
        assert np.array_equal(rewards[:3], paid)
        assert np.array_equal(ended[:3], over)


def test_the_table_is_shown_as_the_seat_sees_it() -> None:
    env = OldTownEnv(players=2, seat=1, render_mode="ansi")
    env.reset(seed=4)
    assert env.render() == env.game.text(1) != env.game.text(0)
