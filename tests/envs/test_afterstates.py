"""Afterstates: what a seat would see behind each of its moves, as its own game would show it."""

from typing import Any

import numpy as np
import pytest

from oddville_env import IllegalMoveError, SettingError, oddville_v0
from oddville_env.core.game.game_type import GameType, game_type
from oddville_env.core.game.view import View
from oddville_env.envs.live_game import LiveGame
from support.environments import GAMES, at_end, every_game


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
        encoding = kind.encodings[number % len(kind.encodings)]
        view = live.view()
        for mine, theirs in zip(view.afterstates(encoding), pushed(kind, view, encoding), strict=True):
            assert mine.dtype == theirs.dtype
            assert np.array_equal(mine, theirs)


@every_game
def test_states_that_a_seat_cannot_tell_apart_have_the_same_afterstates(name: str) -> None:
    kind, rng = game_type(name), np.random.default_rng(0)
    for live in live_games(name, 2, every=7):
        seat = live.to_move
        other = kind.game.from_state(live.box, live.state).sample_unseen(seat, rng)
        for mine, theirs in zip(live.view().afterstates("summary"), other.view().afterstates("summary"), strict=True):
            assert mine.tobytes() == theirs.tobytes()


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
    assert env.afterstates("features")[1].dtype == np.uint8
    assert env.live.state == before
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
