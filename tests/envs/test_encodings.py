"""A further encoding of a game is one row of `FORMS`; afterstates: what a seat would see behind each of its moves."""

from typing import Any

import numpy as np
import pytest

from oddville_env import IllegalMoveError, SettingError, oddville_v0
from oddville_env.core.compiled.jit import kernel
from oddville_env.core.game.game_type import GameType, game_type
from oddville_env.core.game.view import View
from oddville_env.core.parts.loops import encoding_loops
from oddville_env.core.parts.pieces import Form, Piece
from oddville_env.envs.live_game import LiveGame
from oddville_env.oddville import observation as of_oddville
from oddville_env.oldtown import observation as of_oldtown
from support.environments import GAMES, at_end, every_game

PIECES = (Piece("seat", (1,), 4, "the observer's seat + 1"), Piece("moves", (2,), 255, "to move; its legal moves"))
KINDS = {"oddville": (of_oddville, np.float32), "oldtown": (of_oldtown, np.uint8)}


@kernel
def write_moves(boxes, games, index, seat, out):
    """The encoding `moves`."""
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
            one = games.batch.view(np.arange(6)).one(place)
            own_ids, own = one.afterstates("summary")
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
    assert ids.tolist() == np.flatnonzero(single.action_masks()).tolist()
    assert observations.dtype == np.uint8
    assert single.observation_space.contains(observations[0])


def test_a_game_that_is_over_has_none_and_an_unknown_encoding_is_refused() -> None:
    env = oddville_v0.raw_env(max_rounds=1)
    env.reset(seed=1)
    with pytest.raises(SettingError, match="encoding must be one of"):
        env.afterstates("pixels")
    with pytest.raises(IllegalMoveError, match="the game is over"):
        at_end(env).afterstates()
