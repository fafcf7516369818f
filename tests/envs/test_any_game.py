"""The adapters over another game: hidden hands, ties, one player alone."""

from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test

from oddville_agents import Agent
from oddville_env.core.game.view import View
from oddville_env.envs.aec import GameAECEnv, in_wrappers
from oddville_env.envs.rewards import REWARDS
from oddville_env.envs.seat_vector import SeatVectorEnv
from oddville_env.envs.self_play import SelfPlayEnv
from oddville_env.envs.single import SingleSeatEnv
from support.guess import GUESS, Settings

every_number = pytest.mark.parametrize("players", [1, 2, 3, 4])


class Watching(Agent):
    """Says low, and keeps what it was shown."""

    name = "watching"

    def __init__(self) -> None:
        self.shown: list[Any] = []

    def act(self, view: View) -> int:
        cards = [view.game().state[0].card.tolist() for _ in range(3)]
        self.shown.append((view.seat, view.position()["cards"], view.state[0].card.tolist(), cards))
        return 0


def aec(players: int, **settings: Any) -> GameAECEnv:
    return GameAECEnv(GUESS, Settings(players), encoding="plain", **settings)


@every_number
def test_pettingzoos_api_test_passes_for_any_game(players: int) -> None:
    api_test(in_wrappers(aec)(players), num_cycles=50)


@every_number
@pytest.mark.parametrize("reward", REWARDS)
def test_rewards_add_up_to_nothing_and_equal_seats_are_paid_equally(players: int, reward: str) -> None:
    ties = 0
    for seed in range(20):
        env = aec(players, reward=reward)
        env.reset(seed)
        for _ in range(players):
            env.step(0)
        outcome, paid = env.live.outcome, [env.rewards[agent] for agent in env.possible_agents]
        ties += len(set(outcome.ranks)) < players
        assert sum(paid) == pytest.approx(0) or players == 1
        for first, second in zip(outcome.ranks, paid, strict=True):
            assert [paid[seat] for seat, rank in enumerate(outcome.ranks) if rank == first].count(second)
        best = [paid[seat] for seat in outcome.winners]
        assert set(best) == {max(paid)}
        assert len(set(outcome.ranks)) > 1 or len(set(paid)) == 1
    assert ties or players == 1


@pytest.mark.parametrize(("name", "scores", "ranks", "paid"), [
    ("outcome", (5, 5, 1), (1, 1, 3), [0.25, 0.25, -0.5]),
    ("rank", (5, 5, 1), (1, 1, 3), [0.5, 0.5, -1.0]),
    ("rank", (3, 3), (1, 1), [0.0, 0.0]),
    ("outcome", (7,), (1,), [1.0]),
    ("rank", (7,), (1,), [1.0]),
    ("margin", (7,), (1,), [7.0]),
    ("outcome", (31, 28, 40), (2, 3, 1), [-0.5, -0.5, 1.0]),
    ("margin", (31, 28, 40), (2, 3, 1), [-3.0, -7.5, 10.5]),
])  # fmt: skip
def test_equal_seats_share_a_reward(
    name: str, scores: tuple[int, ...], ranks: tuple[int, ...], paid: list[float]
) -> None:
    assert REWARDS[name](scores, ranks) == paid


@every_number
def test_a_single_seat_plays_any_game(players: int) -> None:
    env = SingleSeatEnv(GUESS, Settings(players), Watching(), encoding="plain", reward="margin")
    for seed in range(10):
        seen, _ = env.reset(seed=seed)
        assert env.observation_space.contains(seen)
        assert seen[0] == env.live.state[0].card[env.seat] + 1
        _, _, terminated, truncated, info = env.step(1)
        assert (terminated, truncated, len(info["scores"])) == (True, False, players)


@every_number
def test_many_seats_play_any_game(players: int) -> None:
    env = SeatVectorEnv(GUESS, Settings(players), 5, Watching(), encoding="plain")
    seen, _ = env.reset(seed=2)
    for _ in range(10):
        cards = env.batch.games["card"][np.arange(5), env.seats]
        assert np.array_equal(seen[:, 0], cards + 1)
        seen, _, terminated, _, info = env.step(np.ones(5, int))
        assert terminated.all()
        assert info["final_info"]["scores"].shape == (5, players)


@every_number
def test_all_seats_play_any_game(players: int) -> None:
    env = SelfPlayEnv(GUESS, Settings(players), 3, encoding="plain")
    env.reset(1)
    for turn in range(1, 3 * players + 1):
        _, rewards, terminated, _, _ = env.step(env.sampler().sample(env.batch))
        assert (rewards.shape, terminated.all()) == ((3, players), turn % players == 0)


def test_an_agent_is_never_shown_what_others_hold() -> None:
    agents = [Watching(), Watching()]
    single = SingleSeatEnv(GUESS, Settings(3), agents, encoding="plain", seat=2)
    for seed in range(30):
        single.reset(seed=seed)
    games = {0: set(), 1: set()}
    for agent in agents:
        for seat, shown, state, dealt in agent.shown:
            assert [card for at, card in enumerate(shown) if at != seat] == [None, None]
            assert [card for at, card in enumerate(state) if at != seat] == [-1, -1, -1]
            assert {cards[seat] for cards in dealt} == {shown[seat]}
            games[seat] |= {cards[2] for cards in dealt}
    assert games == {0: {0, 1, 2}, 1: {0, 1, 2}}
