"""A further encoding of a game: one row of `FORMS`, and every environment, view and agent writes it."""

from typing import Any

import numpy as np
import pytest

from oddville_env import SettingError
from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts.loops import encoding_loops
from oddville_env.core.parts.pieces import Form, Piece
from oddville_env.oddville import observation as of_oddville
from oddville_env.oldtown import observation as of_oldtown
from support.environments import GAMES, every_game

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
        assert after.shape == (len(ids), 3)
        assert after.dtype == dtype
    assert set(view.afterstates("moves")[1][:, 0].tolist()) == {view.seat + 1}
    pieces = env.game.observe(1, "moves")
    assert {name: piece.tolist() for name, piece in pieces.items()} == {"seat": [2], "moves": seen(state, 1)[1:]}


@pytest.mark.parametrize("encoding", ["moves", "", None, 3, ["features"]])
@every_game
def test_an_unknown_encoding_is_refused_with_the_names_of_all(name: str, encoding: Any) -> None:
    with pytest.raises(SettingError, match=r"encoding must be one of features, .*summary, not "):
        GAMES[name].aec.raw_env(encoding=encoding)
