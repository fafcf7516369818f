"""Many games at once: the same games as one by one, whatever the batch's size and the number of threads."""

from typing import Any

import numpy as np
import pytest

from oddville_agents import Agent
from oddville_env import Game, OddVilleEnv, OddVilleSeatVectorEnv, OddVilleSelfPlayEnv, OldTownEnv, OldTownSeatVectorEnv
from oddville_env.core.checked import game_seeds
from oddville_env.core.game.game_type import GameType
from oddville_env.core.game.view import View
from oddville_env.core.parts.chance import nth_move, random_move
from oddville_env.envs.game_batch import GameBatch, Sampler
from oddville_env.envs.live_game import LiveGame
from oddville_env.envs.rewards import REWARDS
from oddville_env.oddville.cards.words import NOBODY
from oddville_env.oddville.game_type import ODDVILLE
from support.games import every_type

STEPS = 400


def batch_of(size: int, game_type: GameType = ODDVILLE, threads: int = 1) -> GameBatch:
    box = game_type.box(game_type.settings())
    return GameBatch(game_type, box, game_type.make_encoder(box, "features"), size, threads)


def history(size: int, game_type: GameType, threads: int = 1) -> list[np.ndarray]:
    """The states and observations of the first three games after every tenth of many random steps."""
    batch, sampler = batch_of(size, game_type, threads), Sampler(size, seed=5)
    batch.deal(3)
    seen = []
    for step in range(STEPS):
        batch.step(sampler.sample(batch))
        if step % 10 == 0:
            seen += [batch.games[:3].copy(), batch.observations[:3].copy(), batch.masks[:3].copy()]
    return seen


@every_type
@pytest.mark.parametrize(("size", "threads"), [(64, 1), (64, 2), (7, 3)])
def test_a_game_is_the_same_in_any_batch_with_any_threads(game_type: GameType, size: int, threads: int) -> None:
    for one, other in zip(history(3, game_type), history(size, game_type, threads), strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize("players", [2, 3, 4])
@every_type
def test_first_game_of_a_batch_is_the_single_game_as_are_those_that_follow(game_type: GameType, players: int) -> None:
    box, sampler = game_type.box(game_type.settings(players)), Sampler(2, seed=1)
    batch, live = GameBatch(game_type, box, game_type.make_encoder(box, "features"), 2), LiveGame(game_type, box)
    batch.deal(7)
    live.deal(7)
    for _ in range(STEPS):
        action = int(sampler.sample(batch)[0])
        batch.step(sampler.actions)
        if live.play(action) == NOBODY:
            assert batch.ended[0]
            assert tuple(batch.scores[0]) == live.outcome.scores
            assert tuple(batch.ranks[0]) == live.outcome.ranks
            live.deal()
        assert np.array_equal(batch.games[:1], live.state)
        assert (batch.masks[0] == live.mask).all()
        assert batch.seats[0] == live.to_move


@pytest.mark.parametrize("players", [2, 3, 4])
@every_type
def test_batch_observations_are_those_written_anew(game_type: GameType, players: int) -> None:
    """What encodings keep of a game between two observations changes no number."""
    box = game_type.box(game_type.settings(players))
    for encoding in game_type.encodings:
        batch, sampler = GameBatch(game_type, box, game_type.make_encoder(box, encoding), 4), Sampler(4, seed=players)
        batch.deal(players)
        batch.observe()
        for step in range(250):
            if step % 3 == 0:  # another seat's observation of the same games in between
                batch.observe_as(np.full(4, step % players, np.int8))
            batch.step(sampler.sample(batch))
            for table, seat in enumerate(batch.seats.tolist()):
                anew = batch.encoder.observation(box.record, batch.games, table, seat)
                assert np.array_equal(batch.observations[table], anew), (encoding, step)


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


def test_a_playout_is_a_random_game_to_its_end() -> None:
    batch = batch_of(10)
    batch.deal(2)
    assert len({tuple(game.deck) for game in batch.games}) == 10  # each has a seed of its own
    assert (game_seeds(1, 50)[:10] == game_seeds(1, 10)).all()
    decisions = batch.play_out(4)
    assert (batch.games["to_move"] == NOBODY).all()
    again, moves = Game(2, seed=2), 0
    while not again.is_over:
        again.push(int(random_move(again.mask, game_seeds(4)[0], moves)))
        moves += 1
    assert again.state["deck"].tobytes() == batch.games[:1]["deck"].tobytes()
    assert decisions > moves


@pytest.mark.parametrize("dtype", [np.bool_, np.int8])
@pytest.mark.parametrize("size", [1, 63, 64, 65, 127, 128, 130, 600])
def test_the_moves_of_a_mask_are_numbered_in_order(size: int, dtype: type) -> None:
    rng = np.random.default_rng(size)
    for part in (0.0, 0.1, 0.9, 1.0):
        around = np.ones(size + 200, dtype)  # what lies beside a mask is not read
        mask = around[3 : size + 3]
        mask[:] = rng.random(size) < part
        legal = np.flatnonzero(mask).tolist()
        assert [nth_move(mask, number) for number in range(len(legal) + 1)] == [*legal, size]


def test_the_sampler_is_uniform_over_the_legal_moves() -> None:
    batch, sampler = batch_of(4000), Sampler(4000)
    batch.deal(1)
    counts = np.bincount(sampler.sample(batch), minlength=4)
    assert counts[4:].sum() == 0
    assert (abs(counts[:4] - 1000) < 150).all()


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


@pytest.mark.parametrize(("seats", "single", "opponents", "players"), [
    (OddVilleSeatVectorEnv, OddVilleEnv, "random", 2),
    (OddVilleSeatVectorEnv, OddVilleEnv, "greedy", 3),
    (OldTownSeatVectorEnv, OldTownEnv, "random", 2),
    (OldTownSeatVectorEnv, OldTownEnv, "random", 3),
])  # fmt: skip
def test_first_game_against_agents_is_the_single_one(seats: Any, single: Any, opponents: str, players: int) -> None:
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


@pytest.mark.parametrize(("opponents", "players"), [("random", 2), ("greedy", 4), (["greedy", "random"], 3)])
def test_a_learning_seat_is_always_to_move_and_is_told_how_its_games_end(opponents: object, players: int) -> None:
    env, sampler, ended = OddVilleSeatVectorEnv(16, opponents, players, max_rounds=12), Sampler(16, seed=9), 0
    env.reset(seed=3)
    for _ in range(100):
        observations, rewards, terminated, truncated, info = env.step(sampler.sample(env.batch))
        assert (env.batch.seats == env.seats).all()
        views = env.encoder.views(observations)
        assert (views["marks"][:, 0, 2] == 1).all()  # it sees itself first
        assert (views["phase"][:, 7] == 0).all()
        assert env.batch.masks.any(axis=1).all()
        over = terminated | truncated
        assert over.any() == ("final_obs" in info)
        for table in np.flatnonzero(over):
            final = info["final_info"]
            rank = final["ranks"][table][final["seat"][table]]
            assert rewards[table] == (1.0 if rank == 1 else pytest.approx(-1 / (players - 1)))
            assert info["_final_obs"][table]
            assert env.encoder.views(info["final_obs"][table])["phase"][7] == 1
            ended += 1
    assert ended > 16
