"""The puzzles for one as an environment: O5-O7."""

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

from oddville_env import OldTownSoloEnv
from oddville_env.core.errors import IllegalMoveError, SettingError
from oddville_env.oldtown.cards.words import BUILDINGS, LOTS
from oddville_env.oldtown.deduction.puzzle import printed_puzzles
from oddville_env.oldtown.solo.observation import VECTOR


@pytest.mark.parametrize("options", [{"puzzle": 3}, {"level": "easy"}, {"level": "hard", "hide_mine": True}])
def test_gymnasiums_checks_pass(options: dict) -> None:
    check_env(gymnasium.make("oddville_env:OldTownSolo-v0", **options).unwrapped, skip_render_check=True)


@pytest.mark.rule("O5")
@pytest.mark.rule("O6")
@pytest.mark.rule("O7")
@pytest.mark.parametrize("number", [1, 3, 6])
def test_the_printed_solution_is_worth_sixteen(number: int) -> None:
    env = gymnasium.make("oddville_env:OldTownSolo-v0", puzzle=number)
    seen, info = env.reset(seed=0)
    solution = printed_puzzles()[number - 1].solution
    assert solution is not None
    keys = env.unwrapped.game.deck.keys
    total = 0.0
    for lot, key in enumerate(solution):
        action = keys.index(key) * LOTS + lot
        assert info["action_mask"][action]
        seen, reward, terminated, truncated, info = env.step(action)
        total += float(reward)
        assert VECTOR.views(seen)["standing"][keys.index(key), lot] == 1
        assert terminated == (lot == LOTS - 1)
    assert (total, truncated, info["score"], info["solved"]) == (16, False, 16, True)


@pytest.mark.rule("O7")
def test_one_mistake_more_than_allowed_ends_it() -> None:
    env = OldTownSoloEnv(1, mistakes=2)
    env.reset()
    solution = printed_puzzles()[0].solution
    assert solution is not None
    wrong = [
        action
        for action in np.flatnonzero(env.action_masks()).tolist()
        if solution[action % LOTS] != env.game.deck.keys[action // LOTS]
    ]
    for number, action in enumerate(wrong[:3], 1):
        seen, reward, terminated, _, info = env.step(action)
        assert reward == -1
        assert not env.action_masks()[action]
        assert VECTOR.views(seen)["wrong"].reshape(BUILDINGS * LOTS)[action] == 1
        assert VECTOR.views(seen)["mistakes"][0] == max(2 - number, 0)
        assert terminated == (number == 3)
    assert info["solved"] is False
    with pytest.raises(ResetNeeded):
        env.step(0)


def test_the_solution_is_not_seen() -> None:
    puzzle = printed_puzzles()[2]
    env, other = OldTownSoloEnv(puzzle), OldTownSoloEnv(puzzle._replace(solution=None))
    assert np.array_equal(env.reset()[0], other.reset()[0])


def test_a_puzzle_is_shown_as_text() -> None:
    env = OldTownSoloEnv(1, render_mode="ansi")
    env.reset()
    env.step(int(env.action_masks().argmax()))
    assert "stood on lot" in env.render()
    assert "of 3 mistakes made" in env.render()


def test_a_level_makes_new_puzzles_and_the_same_seed_the_same_ones() -> None:
    one, two = OldTownSoloEnv(level="medium"), OldTownSoloEnv(level="medium")
    first, second = one.reset(seed=4)[0], one.reset()[0]
    assert not np.array_equal(first, second)
    assert np.array_equal(two.reset(seed=4)[0], first)
    assert np.array_equal(two.reset()[0], second)
    assert VECTOR.views(first)["mine_count"].tolist() == [0, 1, 0]


def test_an_illegal_word_ends_it_and_no_number_is_an_error() -> None:
    env = OldTownSoloEnv(2)
    _, info = env.reset()
    with pytest.raises(IllegalMoveError):
        env.step("build")  # type: ignore[arg-type]
    _, reward, terminated, _, info = env.step(int(info["action_mask"].argmin()))
    assert (reward, terminated) == (-1.0, True)
    assert "illegal_action" in info


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"puzzle": 1, "level": "easy"}, "either a puzzle or a level"),
        ({"level": "harder"}, "level must be one of easy, medium, hard"),
        ({"puzzle": 9}, "puzzle must be a whole number from 1 to 8"),
        ({"puzzle": 1, "mistakes": -1}, "mistakes must be a whole number"),
        ({"puzzle": 1, "render_mode": "human"}, "render_mode must be one of ansi, rgb_array"),
    ],
)
def test_a_wrong_setting_is_told_in_a_sentence(options: dict, sentence: str) -> None:
    with pytest.raises(SettingError, match=sentence):
        OldTownSoloEnv(**options)


def test_an_environment_without_arguments_draws_its_puzzles_from_the_seed() -> None:
    first, again = (gymnasium.make("oddville_env:OldTownSolo-v0") for _ in range(2))
    assert np.array_equal(first.reset(seed=7)[0], again.reset(seed=7)[0])
    assert first.unwrapped.game.puzzle.level == "medium"
    assert not np.array_equal(first.reset(seed=8)[0], again.reset(seed=9)[0])


def test_pixels_show_what_stands_and_keep_their_size() -> None:
    pytest.importorskip("resvg_py", reason="pixels need the extra render")
    env = OldTownSoloEnv(1, render_mode="rgb_array")
    env.reset()
    before = env.render()
    solution = printed_puzzles()[0].solution
    assert solution is not None
    env.step(env.game.action(f"build:{solution[0]}@1"))
    after = env.render()
    assert before.dtype == np.uint8
    assert before.shape == after.shape
    assert before.shape[2] == 3
    assert not np.array_equal(before, after)


@pytest.mark.parametrize("mode", [None, "sync", "vector_entry_point"])
def test_make_vec_makes_many_puzzles(mode: str | None) -> None:
    env = gymnasium.make_vec("oddville_env:OldTownSolo-v0", num_envs=3, vectorization_mode=mode, puzzle=2)
    seen, info = env.reset(seed=1)
    assert seen.shape == (3, VECTOR.size)
    for _ in range(12):
        seen, *_, info = env.step(info["action_mask"].argmax(1))
    assert info["action_mask"].shape == (3, BUILDINGS * LOTS)


def test_a_puzzle_that_ends_is_followed_in_the_same_step() -> None:
    env = gymnasium.make_vec("oddville_env:OldTownSolo-v0", num_envs=2, puzzle=2, mistakes=0)
    _, info = env.reset(seed=1)
    _, rewards, ended, _, info = env.step(info["action_mask"].argmin(1))
    assert rewards.tolist() == [-1.0, -1.0]
    assert ended.all()
    assert info["action_mask"].any(1).all()
    assert "final_obs" in info
