"""Seeds, options and pictures of the environments."""

from typing import Any

import numpy as np
import pytest

from oddville_env import Game, OddVilleEnv, oddville_v0
from support.environments import every_number
from support.helpers import random_game

ORDERS = ("deck", "piles", "first")


@every_number
def test_the_same_seed_is_the_same_game_everywhere(players: int) -> None:
    aec, single = oddville_v0.env(players=players), OddVilleEnv("random", players, seat=0)
    aec.reset(seed=11)
    single.reset(seed=11)

    expected = {name: Game(players, 11).record()[name] for name in ORDERS}
    assert {name: aec.unwrapped.game.record()[name] for name in ORDERS} == expected
    assert {name: single.game.record()[name] for name in ORDERS} == expected


def test_the_chance_after_the_deal_is_the_same_too() -> None:
    game = random_game(3, 7)
    env = oddville_v0.raw_env(players=3)
    env.reset(7)
    for move in game.moves:
        env.step(game.action(move))

    assert len(game.record()["reshuffles"]) > 0
    assert env.game.record() == game.record()


def test_without_a_seed_the_games_follow_from_the_last_one() -> None:
    def decks(env: Any, number: int) -> list[list[int]]:
        return [env.reset() or env.game.record()["deck"] for _ in range(number)]

    one, other = oddville_v0.raw_env(), oddville_v0.raw_env()
    assert decks(one, 2) != decks(other, 2)
    one.reset(5)
    other.reset(5)
    following = decks(one, 4)
    assert len({tuple(deck) for deck in following}) == 4
    assert decks(other, 4) == following


@pytest.mark.parametrize("make", [oddville_v0.raw_env, oddville_v0.env, OddVilleEnv], ids=["raw", "env", "single"])
def test_options_fix_the_hidden_orders(make: Any) -> None:
    given = {name: Game(2, 77).record()[name] for name in ORDERS}
    env = make()

    env.reset(seed=3, options=given)

    record = env.unwrapped.game.record()
    assert {name: record[name] for name in given} == given


@pytest.mark.parametrize("make", [oddville_v0.raw_env, OddVilleEnv], ids=["raw", "single"])
@pytest.mark.usefixtures("render_extra")
def test_the_table_is_shown_as_text_pixels_or_in_a_window(make: Any) -> None:
    text, pixels, window, none = (make(render_mode=mode) for mode in ("ansi", "rgb_array", "human", None))
    for env in (text, pixels, window, none):
        env.reset(seed=1)

    assert "wood" in text.render()
    picture = pixels.render()
    assert (picture.dtype, picture.shape[1:]) == (np.uint8, (1200, 3))
    assert picture.std() > 10
    assert window.render() is None
    with pytest.warns(UserWarning, match="render"):
        assert none.render() is None
    for env in (text, pixels, window):
        env.close()
        env.close()
