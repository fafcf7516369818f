"""Many games at once: the same games as one by one, whatever the batch's size and the number of threads."""

from copy import deepcopy
from typing import Any

import gymnasium
import numpy as np
import pytest

from oddville_agents import Agent
from oddville_env import (
    Game,
    IllegalMoveError,
    OddVilleEnv,
    OddVilleSeatVectorEnv,
    OddVilleSelfPlayEnv,
    OldTownEnv,
    OldTownSeatVectorEnv,
    SettingError,
)
from oddville_env.core.game.seeds import game_seeds
from oddville_env.core.game.view import View
from oddville_env.core.parts.chance import random_move
from oddville_env.envs.game_batch import GameBatch, Sampler
from oddville_env.envs.live_game import LiveGame
from oddville_env.envs.rewards import REWARDS
from oddville_env.oddville.cards.words import NOBODY
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oddville.observation import make_encoder
from oddville_env.oddville.settings import make_box

STEPS = 400


def batch_of(size: int, players: int = 2, threads: int = 1, max_rounds: int = 100) -> GameBatch:
    box = make_box(players, max_rounds=max_rounds)
    return GameBatch(ODDVILLE, box, make_encoder(box, "features"), size, threads)


def history(size: int, threads: int = 1, players: int = 2) -> list[np.ndarray]:
    """The states and observations of the first three games after every tenth of many random steps."""
    batch, sampler = batch_of(size, players, threads), Sampler(size, seed=5)
    batch.deal(3)
    seen = []
    for step in range(STEPS):
        batch.step(sampler.sample(batch))
        if step % 10 == 0:
            seen += [batch.games[:3].copy(), batch.observations[:3].copy(), batch.masks[:3].copy()]
    return seen


def test_batch_without_an_encoder_does_not_step() -> None:
    batch = GameBatch(ODDVILLE, make_box(2), None, 3)
    batch.deal(1)
    with pytest.raises(SettingError, match="a batch without an encoder does not step"):
        batch.step(Sampler(3).sample(batch))


@pytest.mark.parametrize(("size", "threads"), [(64, 1), (64, 2), (7, 3)])
def test_a_game_is_the_same_in_any_batch_and_with_any_number_of_threads(size: int, threads: int) -> None:
    for one, other in zip(history(3), history(size, threads), strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_first_game_of_a_batch_is_the_single_game_and_so_are_those_that_follow(players: int) -> None:
    batch, sampler, live = batch_of(2, players), Sampler(2, seed=1), LiveGame(ODDVILLE, make_box(players))
    batch.deal(7)
    live.deal(7)
    for _ in range(STEPS):
        action = int(sampler.sample(batch)[0])
        batch.step(sampler.actions)
        if live.play(action) == NOBODY:
            assert live.outcome is not None
            assert batch.ended[0]
            assert tuple(batch.scores[0]) == live.outcome.scores
            assert tuple(batch.ranks[0]) == live.outcome.ranks
            live.deal()
        assert np.array_equal(batch.games[:1], live.state)
        assert (batch.masks[0] == live.mask).all()
        assert batch.seats[0] == live.to_move


class KnowsItsSeat(Agent):
    """Plays the first legal move, and notes the seats in which it was told to play and did."""

    name = "knows its seat"
    seats: list[tuple[int, int]] = []  # noqa: RUF012  (shared by the copies that sit at the tables)

    def reset(self, seat: int, players: int, seed: int) -> None:
        self.seat = seat

    def act(self, view: View) -> int:
        self.seats.append((self.seat, view.seat))
        return int(view.mask.argmax())


def test_an_opponent_moves_in_the_seat_that_reset_named() -> None:
    env = OddVilleSeatVectorEnv(3, [KnowsItsSeat(), KnowsItsSeat()], players=3)
    _, info = env.reset(seed=1)
    for _ in range(5):
        *_, info = env.step(info["action_mask"].argmax(1))
    assert set(KnowsItsSeat.seats) == {(0, 0), (1, 1), (2, 2)}


def test_every_game_of_a_batch_has_its_own_seed() -> None:
    batch = batch_of(50)
    batch.deal(1)
    assert len({tuple(game.deck) for game in batch.games}) == 50
    assert (game_seeds(1, 50)[:10] == game_seeds(1, 10)).all()


def test_each_game_shows_what_its_seat_to_move_sees() -> None:
    batch, sampler = batch_of(20, 3), Sampler(20)
    batch.deal(1)
    for _ in range(100):
        batch.step(sampler.sample(batch))
    for index in range(20):
        seen = batch.encoder.observation(batch.box.record, batch.games, index, int(batch.seats[index]))
        assert (batch.observations[index] == seen).all()


def test_a_playout_is_a_random_game_to_its_end() -> None:
    batch = batch_of(10)
    batch.deal(2)
    decisions = batch.play_out(4)
    assert (batch.games["to_move"] == NOBODY).all()
    again, moves = Game(2, seed=2), 0
    while not again.is_over:
        again.push(int(random_move(again.mask, game_seeds(4)[0], moves)))
        moves += 1
    assert again.state["deck"].tobytes() == batch.games[:1]["deck"].tobytes()
    assert decisions > moves


def test_the_sampler_is_uniform_over_the_legal_moves() -> None:
    batch, sampler = batch_of(4000), Sampler(4000)
    batch.deal(1)
    counts = np.bincount(sampler.sample(batch), minlength=4)
    assert counts[4:].sum() == 0
    assert (abs(counts[:4] - 1000) < 150).all()


def test_an_illegal_action_is_refused_before_anything_is_played() -> None:
    env = OddVilleSelfPlayEnv(3)
    env.reset(seed=1)
    before = env.batch.games.copy()
    with pytest.raises(IllegalMoveError, match=r"game 1: action 471 \(done\) is not legal now"):
        env.step(np.array([0, 471, 0]))
    with pytest.raises(IllegalMoveError, match="game 2: action 9999"):
        env.step(np.array([0, 0, 9999]))
    assert np.array_equal(before, env.batch.games)


@pytest.mark.parametrize("reward", REWARDS)
def test_all_seats_are_paid_when_a_game_ends_and_only_then(reward: str) -> None:
    env = OddVilleSelfPlayEnv(30, 3, reward=reward, max_rounds=12)
    sampler = env.sampler(2)
    env.reset(seed=1)
    ended = 0
    for _ in range(150):
        _, rewards, terminated, truncated, info = env.step(sampler.sample(env.batch))
        over = terminated | truncated
        assert not (terminated & truncated).any()
        assert (rewards[~over] == 0).all()
        for index in np.flatnonzero(over):
            paid = REWARDS[reward](info["scores"][index].tolist(), info["ranks"][index].tolist())
            assert rewards[index].tolist() == pytest.approx(paid)
        ended += over.sum()
    assert ended > 30


def test_arrays_are_the_same_memory_at_every_step_unless_a_copy_is_asked_for() -> None:
    for copy in (False, True):
        env = OddVilleSelfPlayEnv(2, copy=copy)
        first, info = env.reset(seed=1)
        second, *_ = env.step(env.sampler().sample(env.batch))
        assert np.shares_memory(first, second) is not copy
        assert np.shares_memory(info["action_mask"], env.batch.masks) is not copy


def play_seats(env: OddVilleSeatVectorEnv, steps: int, seed: int = 3) -> list:
    """Random play of the learning seats; what the steps gave."""
    env.reset(seed=seed)
    sampler = Sampler(env.num_envs, seed=9)
    given = []
    for _ in range(steps):
        observations, rewards, terminated, truncated, info = env.step(sampler.sample(env.batch))
        given.append((observations.copy(), rewards, terminated, truncated, deepcopy(info)))
    return given


@pytest.mark.parametrize(("opponents", "players"), [("random", 2), ("greedy", 4), (["greedy", "random"], 3)])
def test_a_learning_seat_is_always_to_move_and_sees_itself_first(opponents: object, players: int) -> None:
    env = OddVilleSeatVectorEnv(8, opponents, players)
    env.reset(seed=1)
    sampler = Sampler(8)
    for _ in range(60):
        observations, *_ = env.step(sampler.sample(env.batch))
        assert (env.batch.seats == env.seats).all()
        marks = env.encoder.views(observations)["marks"]
        assert (marks[:, 0, 2] == 1).all()
        assert env.batch.masks.any(axis=1).all()


def test_games_against_agents_are_the_same_again_for_the_same_seed() -> None:
    one, other = (play_seats(OddVilleSeatVectorEnv(6, "random"), 80) for _ in range(2))
    for a, b in zip(one, other, strict=True):
        assert (a[0] == b[0]).all()
        assert (a[1] == b[1]).all()


def test_an_ended_game_tells_its_last_observation_and_scores() -> None:
    env = OddVilleSeatVectorEnv(16, "greedy", max_rounds=15)
    ended = 0
    for observations, rewards, terminated, truncated, info in play_seats(env, 120):
        over = terminated | truncated
        assert over.any() == ("final_obs" in info)
        for table in np.flatnonzero(over):
            final = info["final_info"]
            rank = final["ranks"][table][final["seat"][table]]
            assert rewards[table] == (1.0 if rank == 1 else -1.0)
            views = env.encoder.views(info["final_obs"][table])
            assert info["_final_obs"][table]
            assert views["phase"][7] == 1
            assert env.encoder.views(observations[table])["phase"][7] == 0
            ended += 1
    assert ended > 16


def test_gymnasium_makes_the_vector_environment_and_is_told_its_autoreset_mode() -> None:
    env = gymnasium.make_vec(
        "oddville_env:OddVille-v0", num_envs=3, vectorization_mode="vector_entry_point", opponents="random", players=2
    )
    assert env.metadata["autoreset_mode"] == gymnasium.vector.AutoresetMode.SAME_STEP
    observations, info = env.reset(seed=1)
    assert env.observation_space.contains(observations)
    assert info["action_mask"].shape == (3, env.single_action_space.n)


@pytest.mark.parametrize(
    ("seats", "single", "opponents", "players"),
    [
        (OddVilleSeatVectorEnv, OddVilleEnv, "random", 2),
        (OddVilleSeatVectorEnv, OddVilleEnv, "greedy", 3),
        (OldTownSeatVectorEnv, OldTownEnv, "random", 2),
        (OldTownSeatVectorEnv, OldTownEnv, "random", 3),
    ],
)
def test_the_first_game_against_agents_is_the_single_environments(
    seats: Any, single: Any, opponents: str, players: int
) -> None:
    many, one = seats(5, opponents, players), single(opponents, players)
    observations, info = many.reset(seed=11)
    seen, told = one.reset(seed=11)
    sampler = Sampler(5)
    for _ in range(120):
        assert (observations[0] == seen).all()
        assert (info["action_mask"][0] == told["action_mask"]).all()
        actions = sampler.sample(many.batch)
        observations, rewards, terminated, truncated, info = many.step(actions)
        seen, reward, over, cut, told = one.step(actions[0])
        assert (rewards[0], terminated[0], truncated[0]) == (reward, over, cut)
        if over or cut:
            assert (info["final_obs"][0] == seen).all()
            seen, told = one.reset()


def test_stable_baselines_finds_the_masks_and_the_last_observation() -> None:
    pytest.importorskip("stable_baselines3")
    from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported

    from oddville_env import OddVilleVecEnv

    env = OddVilleVecEnv(OddVilleSeatVectorEnv(8, "random", max_rounds=10))
    assert is_masking_supported(env)
    env.seed(4)
    observations = env.reset()
    assert observations.shape == (8, *env.observation_space.shape)
    ended = 0
    for _ in range(80):
        masks = get_action_masks(env)
        observations, _, dones, infos = env.step(masks.argmax(axis=1))
        for table in np.flatnonzero(dones):
            assert infos[table]["terminal_observation"].shape == observations[table].shape
            assert "TimeLimit.truncated" not in infos[table]
            ended += 1
    assert ended
