"""Seeds, options, pictures and copies of the environments."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from oddville_env import Game, OddVilleEnv, SettingError, oddville_v0
from support.environments import every_number, played
from support.helpers import random_game, told


def first_legal(env: Any) -> int:
    return int(np.flatnonzero(env.unwrapped.live.mask)[0])


# Seeds and options


@every_number
def test_the_same_seed_is_the_same_game_everywhere(players: int) -> None:
    aec, single = oddville_v0.env(players=players), OddVilleEnv("random", players, seat=0)
    aec.reset(seed=11)
    single.reset(seed=11)
    names = ("deck", "piles", "first")

    expected = {name: Game(players, 11).record()[name] for name in names}
    assert {name: aec.unwrapped.game.record()[name] for name in names} == expected
    assert {name: single.game.record()[name] for name in names} == expected


def test_the_luck_after_the_deal_is_the_same_too() -> None:
    game = random_game(3, 7)
    env = oddville_v0.raw_env(players=3)
    env.reset(7)
    for move in game.moves:
        env.step(game.action(move))

    assert len(game.record()["reshuffles"]) > 0
    assert env.game.record() == game.record()


def test_without_a_seed_the_games_go_on_from_the_last_one() -> None:
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
    given = {name: Game(2, 77).record()[name] for name in ("deck", "piles", "first")}
    env = make()

    env.reset(seed=3, options=given)

    record = env.unwrapped.game.record()
    assert {name: record[name] for name in given} == given


@pytest.mark.parametrize("wrong", [{"first": 2}, {"deck": [1, 2]}, {"piles": {}}], ids=str)
@pytest.mark.parametrize("make", [oddville_v0.raw_env, OddVilleEnv], ids=["raw", "single"])
def test_wrong_options_are_refused(make: Any, wrong: dict[str, Any]) -> None:
    with pytest.raises(SettingError):
        make().reset(options=wrong)


def test_a_refused_reset_leaves_the_game_as_it_was() -> None:
    env = oddville_v0.raw_env()
    for number, _ in enumerate(played(env, 1)):
        if number == 30:
            break
    before = told(env.game)

    with pytest.raises(SettingError):
        env.reset(2, options={"first": 9})

    assert told(env.game) == before


def test_options_that_are_not_known_are_passed_over_with_a_warning() -> None:
    env = oddville_v0.raw_env()

    with pytest.warns(UserWarning, match="option 'frist' is not known, expected deck, piles, first"):
        env.reset(1, options={"frist": 1})


@pytest.mark.parametrize("seed", [-1, "1", 1.5, True], ids=repr)
def test_a_wrong_seed_is_refused(seed: Any) -> None:
    with pytest.raises(SettingError, match="seed must be"):
        oddville_v0.raw_env().reset(seed)


@pytest.mark.parametrize(
    "wrong",
    [
        {"players": 1},
        {"players": 5},
        {"players": "2"},
        {"encoding": "pixels"},
        {"encoding": None},
        {"reward": "fame"},
        {"reward": None},
        {"reward": ["outcome"]},
        {"table": (2, 2)},
        {"max_rounds": 0},
        {"render_mode": "film"},
    ],
    ids=str,
)
@pytest.mark.parametrize("make", [oddville_v0.env, OddVilleEnv], ids=["aec", "single"])
def test_a_wrong_setting_is_refused(make: Any, wrong: dict[str, Any]) -> None:
    with pytest.raises(SettingError, match=f"{next(iter(wrong))}"):
        make(**wrong)


# Pictures and copies


@pytest.mark.parametrize("make", [oddville_v0.raw_env, OddVilleEnv], ids=["raw", "single"])
@pytest.mark.usefixtures("render_extra")
def test_the_table_is_shown_as_text_pixels_or_in_a_window(make: Any) -> None:
    text, pixels, window = (make(render_mode=mode) for mode in ("ansi", "rgb_array", "human"))
    for env in (text, pixels, window):
        env.reset(seed=1)

    assert "wood" in text.render()
    picture = pixels.render()
    assert (picture.dtype, picture.shape[1:]) == (np.uint8, (1200, 3))
    assert picture.std() > 10
    assert window.render() is None
    for env in (text, pixels, window):
        env.close()
        env.close()


def test_without_a_render_mode_nothing_is_shown_but_a_warning() -> None:
    env = oddville_v0.raw_env()
    env.reset(0)

    with pytest.warns(UserWarning, match="render"):
        assert env.render() is None


@pytest.mark.parametrize("double", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"])
def test_a_single_environment_is_copied_in_the_middle_of_a_game(double: Any) -> None:
    env = OddVilleEnv(["random", "greedy"], players=3)
    env.reset(seed=4)
    env.step(first_legal(env))
    twin = double(env)

    over = False
    while not over:
        one, other = env.step(first_legal(env)), twin.step(first_legal(twin))
        assert np.array_equal(one[0], other[0])
        assert one[1:4] == other[1:4]
        over = one[2] or one[3]
    assert env.game.record() == twin.game.record()


@pytest.mark.parametrize("mode", ["ansi", "rgb_array", "human"])
@pytest.mark.usefixtures("render_extra")
def test_an_environment_with_a_render_mode_is_pickled(mode: str) -> None:
    for make in (oddville_v0.raw_env, OddVilleEnv):
        twin = pickle.loads(pickle.dumps(make(render_mode=mode)))
        twin.reset(seed=1)
        assert twin.render_mode == mode
