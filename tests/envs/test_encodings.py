"""A further encoding is one row of `FORMS`; afterstates; the global state for critics in training."""

from typing import Any

import numpy as np
import pytest
from pettingzoo.test import state_test

from oddville_env import IllegalMoveError, SettingError, oddville_v0
from oddville_env.core.compiled.jit import kernel
from oddville_env.core.game.game_type import GameType, game_type
from oddville_env.core.game.view import View
from oddville_env.core.parts.loops import encoding_loops
from oddville_env.core.parts.pieces import Form, Piece
from oddville_env.envs.aec import GameAECEnv
from oddville_env.envs.live_game import LiveGame
from oddville_env.oddville import observation as of_oddville
from oddville_env.oldtown import observation as of_oldtown
from oddville_env.oldtown.deal import places
from support.environments import GAMES, at_end, every_game, every_number, played
from support.guess import GUESS, Settings

PIECES = (Piece("seat", (1,), 4, "the observer's seat + 1"), Piece("moves", (2,), 255, "to move; its legal moves"))
KINDS = {"oddville": (of_oddville, np.float32), "oldtown": (of_oldtown, np.uint8)}


@kernel
def write_moves(boxes, games, index, seat, out):
    out[0] = seat + 1
    out[1] = games[index].to_move == seat
    out[2] = min(games[index].legal_count, 255)


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A game's modules, with the encoding `moves` added."""
    observation, dtype = KINDS[request.param]
    loops = encoding_loops(observation.LOOPS, write_moves)
    monkeypatch.setitem(observation.FORMS, "moves", Form(lambda layout: PIECES, write_moves, loops, dtype))
    return *GAMES[request.param], dtype


def seen(state: np.ndarray, seat: int) -> list[int]:
    return [seat + 1, int(state["to_move"]) == seat, min(int(state["legal_count"]), 255)]


def test_every_environment_writes_a_further_encoding(game: Any) -> None:
    aec, single, seats, all_seats, dtype = game
    one, bare = single("random", encoding="moves"), aec.raw_env(encoding="moves")
    many, every = seats(5, "random", encoding="moves"), all_seats(5, encoding="moves")
    assert one.observation_space.shape == many.single_observation_space.shape == (3,)
    bare.reset(seed=1)
    shown, info = one.reset(seed=1)
    shown_many, info_many = many.reset(seed=1)
    shown_all, info_all = every.reset(1)
    for _ in range(12):
        assert shown.dtype == shown_many.dtype == shown_all.dtype == dtype
        assert shown.tolist() == seen(one.live.state[0], one.seat)
        assert shown_many.tolist() == [seen(*each) for each in zip(many.batch.games, many.seats.tolist(), strict=True)]
        assert shown_all.tolist() == [
            seen(*each) for each in zip(every.batch.games, info_all["seat"].tolist(), strict=True)
        ]
        observation = bare.observe("player_1")["observation"]
        assert (observation.dtype, observation.tolist()) == (dtype, seen(bare.live.state[0], 1))
        bare.step(int(bare.infos[bare.agent_selection]["action_mask"].argmax()))
        shown, *_, info = one.step(int(info["action_mask"].argmax()))
        shown_many, *_, info_many = many.step(info_many["action_mask"].argmax(axis=1))
        shown_all, *_, info_all = every.step(info_all["action_mask"].argmax(axis=1))


def test_views_write_a_further_encoding(game: Any) -> None:
    aec, *_, all_seats, dtype = game
    env, many = aec.raw_env(), all_seats(3)
    env.reset(seed=2)
    many.reset(2)
    view, batch = env.view(), many.batch.view(np.arange(3))
    state = env.live.state[0]
    assert view.observation("moves").tolist() == seen(state, view.seat)
    assert batch.observations("moves").tolist() == [
        seen(*each) for each in zip(many.batch.games, batch.seats, strict=True)
    ]
    for ids, after in (view.afterstates("moves"), batch.afterstates("moves")[1:]):
        assert (after.shape, after.dtype) == ((len(ids), 3), dtype)
    assert set(view.afterstates("moves")[1][:, 0].tolist()) == {view.seat + 1}
    pieces = env.game.observe(1, "moves")
    assert {name: piece.tolist() for name, piece in pieces.items()} == {"seat": [2], "moves": seen(state, 1)[1:]}


def live_games(name: str, players: int, every: int = 5) -> Any:
    """A game in some of its states, played at random."""
    kind = game_type(name)
    live, rng = LiveGame(kind, kind.box(kind.settings(players))), np.random.default_rng(players)
    for seed in range(2):
        live.deal(seed)
        for number in range(10_000):
            if live.to_move < 0:
                break
            if number % every == 0:
                yield live
            live.play(int(rng.choice(np.flatnonzero(live.mask))))


def pushed(kind: GameType, view: View, encoding: str) -> tuple[np.ndarray, np.ndarray]:
    """The same by a game's own moves: from the seat's own state, with the unknown dealt anew from seed 0."""
    dealt, box = view.state.copy(), view.box
    kind.entries.sample_unseen(box.record, dealt, 0, view.seat, np.uint64(0))
    seen = []
    for action in view.actions:
        game = kind.game.from_state(box, dealt)
        game.push(int(action))
        pieces = game.observe(view.seat, encoding).values()
        seen.append(np.concatenate([piece.ravel() for piece in pieces]))
    return view.actions, np.array(seen)


@every_game
@pytest.mark.parametrize("players", [2, 3])
def test_an_afterstate_is_what_the_seat_sees_when_its_move_is_pushed(name: str, players: int) -> None:
    kind = game_type(name)
    for number, live in enumerate(live_games(name, players)):
        encoding, view = kind.encodings[number % len(kind.encodings)], live.view()
        for mine, theirs in zip(view.afterstates(encoding), pushed(kind, view, encoding), strict=True):
            assert mine.dtype == theirs.dtype
            assert np.array_equal(mine.reshape(theirs.shape), theirs)


@every_game
def test_a_batch_has_the_afterstates_of_its_games_one_after_the_other(name: str) -> None:
    games = GAMES[name].all_seats(6, players=2, encoding="summary")
    games.reset(seed=3)
    sampler = games.sampler()
    for _ in range(25):
        starts, ids, observations = games.afterstates()
        assert starts.dtype == ids.dtype == np.int64
        assert starts[-1] == len(ids) == len(observations)
        for place in range(6):
            own_ids, own = games.batch.view(np.arange(6)).one(place).afterstates("summary")
            assert np.array_equal(ids[starts[place] : starts[place + 1]], own_ids)
            assert np.array_equal(observations[starts[place] : starts[place + 1]], own)
        games.step(sampler.sample(games.batch))


@every_game
def test_environments_give_them_in_their_own_encoding_and_leave_the_game_alone(name: str) -> None:
    env, single = GAMES[name].aec.raw_env(encoding="summary"), GAMES[name].single("random", encoding="features")
    env.reset(seed=5)
    single.reset(seed=5)
    before = env.live.state.copy()
    ids, observations = env.afterstates()
    assert ids.tolist() == np.flatnonzero(env.infos[env.agent_selection]["action_mask"]).tolist()
    assert (observations.shape, observations.dtype) == ((len(ids), env.encoder.size), np.float32)
    assert (env.afterstates("features")[1].dtype, env.live.state) == (np.uint8, before)
    ids, observations = single.afterstates()
    assert (ids.tolist(), observations.dtype) == (np.flatnonzero(single.action_masks()).tolist(), np.uint8)
    assert single.observation_space.contains(observations[0])


def test_a_game_that_is_over_has_none_and_an_unknown_encoding_is_refused() -> None:
    env = oddville_v0.raw_env(max_rounds=1)
    env.reset(seed=1)
    with pytest.raises(SettingError, match="encoding must be one of"):
        env.afterstates("pixels")
    with pytest.raises(IllegalMoveError, match="the game is over"):
        at_end(env).afterstates()


def in_order(order: np.ndarray) -> list[int]:
    """The cards of a stack, top first, by a piece that gives each card its place."""
    assert sorted(order[order > 0]) == list(range(1, np.count_nonzero(order) + 1))
    return np.argsort(order, kind="stable")[np.count_nonzero(order == 0) :].tolist()


def check_oddville(game: np.record, box: Any, told: dict[str, np.ndarray]) -> None:
    deck = np.roll(game.deck, -int(game.deck_top))[: game.deck_size]
    assert (in_order(told["deck_order"]), told["seen"].tolist()) == (deck.tolist(), game.card_seen.tolist())
    for seat in range(box.players):
        assert in_order(told["coin_order"][seat]) == game.coin[seat, : game.coins[seat]].tolist()
    assert not told["coin_order"][box.players :].any()
    for guild, pile in enumerate(game.pile):
        order = np.where(np.array(box.cards.guild) == guild, told["pile_order"], 0)
        assert in_order(order) == pile[: game.pile_size[guild]][::-1].tolist()


def check_oldtown(game: np.record, box: Any, told: dict[str, np.ndarray]) -> None:
    where = places(box)
    stack = game.deal[where.common]
    assert in_order(told["common_order"]) == stack[len(stack) - game.common :].tolist()
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
            assert np.array_equal(state[: env.encoder.size], env.observe("player_0")["observation"])


@every_game
def test_state_tells_apart_what_a_seat_cannot_and_that_of_a_seat_is_its_observation(name: str) -> None:
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
