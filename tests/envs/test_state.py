"""The global state: all that is hidden, for critics in training, beside observations that do not change."""

from typing import Any

import numpy as np
import pytest
from pettingzoo.test import state_test

from oddville_env import SettingError
from oddville_env.envs.aec import GameAECEnv
from oddville_env.oldtown.deal import places
from support.environments import GAMES, every_game, every_number, played
from support.guess import GUESS, Settings


def in_order(order: np.ndarray) -> list[int]:
    """The cards of a stack, top first, by a piece that gives each card its place."""
    assert sorted(order[order > 0]) == list(range(1, np.count_nonzero(order) + 1))
    return np.argsort(order, kind="stable")[np.count_nonzero(order == 0) :].tolist()


def check_oddville(game: np.record, box: Any, told: dict[str, np.ndarray]) -> None:
    deck = np.roll(game.deck, -int(game.deck_top))[: game.deck_size]
    assert in_order(told["deck_order"]) == deck.tolist()
    assert told["seen"].tolist() == game.card_seen.tolist()
    for seat in range(box.players):
        assert in_order(told["coin_order"][seat]) == game.coin[seat, : game.coins[seat]].tolist()
    assert not told["coin_order"][box.players :].any()
    for guild, pile in enumerate(game.pile):
        order = np.where(np.array(box.cards.guild) == guild, told["pile_order"], 0)
        assert in_order(order) == pile[: game.pile_size[guild]][::-1].tolist()


def check_oldtown(game: np.record, box: Any, told: dict[str, np.ndarray]) -> None:
    where = places(box)
    assert (
        in_order(told["common_order"])
        == game.deal[where.common][where.common.stop - where.common.start - game.common :].tolist()
    )
    for seat in range(box.players):
        assert [int(game.hand[seat]) >> card & 1 for card in range(60)] == told["hands"][seat].tolist()
        stack = game.deal[where.own[seat]]
        assert in_order(told["own_order"][seat]) == stack[len(stack) - game.own[seat] :].tolist()


CHECKS = {"oddville": check_oddville, "oldtown": check_oldtown}


@every_game
@every_number
def test_state_tells_all_that_is_hidden(name: str, players: int) -> None:
    env = GAMES[name][0].raw_env(players=players)
    for number, _ in enumerate(played(env, 4)):
        if number % 7 == 0:
            state = env.state()
            assert env.state_space.contains(state)
            CHECKS[name](env.live.state[0], env.live.box, env.state_encoder.views(state))
            public = env.encoder.size
            assert np.array_equal(state[:public], env.observe("player_0")["observation"])


@every_game
def test_state_tells_apart_what_a_seat_cannot(name: str) -> None:
    env, rng = GAMES[name][0].raw_env(players=2), np.random.default_rng(1)
    for number, _ in enumerate(played(env, 2)):
        if number % 11 == 0 and env.live.to_move >= 0:
            seat, live = env.live.to_move, env.live
            other = env.game.sample_unseen(seat, rng).state
            state, seen = env.state(), env.state(seat)
            live.state[:] = other
            assert not np.array_equal(env.state(), state)
            assert np.array_equal(env.state(seat), seen)
            live.state[:] = env.game.state


@every_game
def test_state_of_a_seat_is_its_observation(name: str) -> None:
    aec, single, *_ = GAMES[name]
    raw, one = aec.raw_env(players=3, encoding="summary"), single("random", players=3, seat=2)
    raw.reset(seed=1)
    seen, _ = one.reset(seed=1)
    for seat in range(3):
        assert np.array_equal(raw.state(seat), raw.observe(f"player_{seat}")["observation"])
    assert np.array_equal(one.state(2), seen)
    with pytest.raises(SettingError, match="seat must be a whole number from 0 to 2, not 3"):
        raw.state(3)


@every_game
def test_many_games_have_the_states_of_single_ones(name: str) -> None:
    _, single, seats, all_seats = GAMES[name]
    one, many, every = single("random"), seats(5, "random", threads=2), all_seats(5)
    one.reset(seed=3)
    _, info = many.reset(seed=3)
    every.reset(3)
    for _ in range(8):
        for env in (many, every):
            states = env.states()
            assert states.shape == (5, *env.single_state_space.shape)
            assert all(env.single_state_space.contains(state) for state in states)
            CHECKS[name](env.batch.games[4], env.batch.box, {
                piece: view[4] for piece, view in env.batch.state_encoder.views(states).items()
            })  # fmt: skip
        assert np.array_equal(many.states()[0], one.state())
        actions = info["action_mask"].argmax(1)
        *_, info = many.step(actions)
        one.step(int(actions[0]))
        every.step(every.sampler().sample(every.batch))


@every_game
def test_pettingzoos_state_test_passes(name: str) -> None:
    env = GAMES[name][0].env()
    state_test(env, env, num_cycles=30)


def test_a_game_without_a_global_state_says_so() -> None:
    env = GameAECEnv(GUESS, Settings(2), encoding="plain")
    env.reset(seed=1)
    with pytest.raises(NotImplementedError, match="this game has no encoder of the global state"):
        env.state()
