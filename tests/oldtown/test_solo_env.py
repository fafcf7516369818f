"""The puzzles for one as an environment: O5-O7."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

from oddville_env import IllegalMoveError, OldTownSoloEnv, SettingError
from oddville_env.oldtown.cards.words import BUILDINGS, LOTS
from oddville_env.oldtown.deduction.puzzle import printed_puzzles
from oddville_env.oldtown.solo.game import VECTOR

SOLO = "oddville_env:OldTownSolo-v0"


def right_actions(env: Any, number: int) -> list[int]:
    """The ids that build a printed puzzle's solution, lot by lot."""
    keys = env.unwrapped.game.deck.keys
    return [keys.index(key) * LOTS + lot for lot, key in enumerate(printed_puzzles()[number - 1].solution or ())]


@pytest.mark.parametrize("options", [{"puzzle": 3}, {"level": "easy"}, {"level": "hard", "hide_mine": True}])
def test_gymnasiums_checks_pass(options: dict[str, Any]) -> None:
    check_env(gymnasium.make(SOLO, **options).unwrapped, skip_render_check=True)


@pytest.mark.rule("O5, O6, O7")
def test_the_printed_solution_is_worth_sixteen_and_is_not_seen() -> None:
    env = gymnasium.make(SOLO, puzzle=6)
    _, info = env.reset(seed=0)
    total = 0.0
    for lot, action in enumerate(right_actions(env, 6)):
        assert info["action_mask"][action]
        seen, reward, terminated, truncated, info = env.step(action)
        total += float(reward)
        assert (VECTOR.views(seen)["standing"].reshape(-1)[action], terminated) == (1, lot == LOTS - 1)
    assert (total, truncated, info["score"], info["solved"]) == (16, False, 16, True)
    puzzle = printed_puzzles()[2]
    env, other = OldTownSoloEnv(puzzle), OldTownSoloEnv(puzzle._replace(solution=None))
    assert np.array_equal(env.reset()[0], other.reset()[0])


@pytest.mark.rule("O7")
def test_one_mistake_more_than_allowed_ends_it() -> None:
    env = OldTownSoloEnv(1, mistakes=2)
    env.reset()
    wrong = sorted(set(np.flatnonzero(env.action_masks()).tolist()) - {*right_actions(env, 1)})
    for number, action in enumerate(wrong[:3], 1):
        seen, reward, terminated, _, info = env.step(action)
        views = VECTOR.views(seen)
        assert (reward, terminated) == (-1, number == 3)
        assert not env.action_masks()[action]
        assert (views["wrong"].reshape(-1)[action], views["mistakes"][0]) == (1, max(2 - number, 0))
    assert info["solved"] is False
    with pytest.raises(ResetNeeded):
        env.step(0)


def test_an_illegal_word_ends_it_and_no_number_is_an_error() -> None:
    env = OldTownSoloEnv(2)
    _, info = env.reset()
    with pytest.raises(IllegalMoveError):
        env.step("build")
    _, reward, terminated, _, info = env.step(int(info["action_mask"].argmin()))
    assert (reward, terminated) == (-1.0, True)
    assert "illegal_action" in info


@pytest.mark.parametrize("options", [{"level": "medium"}, {}])
def test_a_level_makes_new_puzzles_and_the_same_seed_the_same_ones(options: dict[str, Any]) -> None:
    one, two = OldTownSoloEnv(**options), OldTownSoloEnv(**options)
    first, second = one.reset(seed=4)[0], one.reset()[0]
    assert not np.array_equal(first, second)
    assert np.array_equal(two.reset(seed=4)[0], first)
    assert np.array_equal(two.reset()[0], second)
    assert VECTOR.views(first)["mine_count"].tolist() == [0, 1, 0]


@pytest.mark.parametrize(("options", "sentence"), [
    ({"puzzle": 1, "level": "easy"}, "either a puzzle or a level"),
    ({"level": "harder"}, "level must be one of easy, medium, hard"),
    ({"puzzle": 9}, "puzzle must be a whole number from 1 to 8"),
    ({"puzzle": 1, "mistakes": -1}, "mistakes must be a whole number"),
    ({"puzzle": 1, "render_mode": "human"}, "render_mode must be one of ansi, rgb_array"),
])  # fmt: skip
def test_a_wrong_setting_is_told_in_a_sentence(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SettingError, match=sentence):
        OldTownSoloEnv(**options)


def test_a_puzzle_is_shown_as_text_and_as_pixels_that_keep_their_size() -> None:
    env = OldTownSoloEnv(1, render_mode="ansi")
    env.reset()
    env.step(int(env.action_masks().argmax()))
    assert "stood on lot" in env.render()
    assert "of 3 mistakes made" in env.render()
    pytest.importorskip("resvg_py", reason="pixels need the extra render")
    env = OldTownSoloEnv(1, render_mode="rgb_array")
    env.reset()
    before = env.render()
    env.step(right_actions(env, 1)[0])
    assert (before.dtype, before.shape) == (np.uint8, (*env.render().shape[:2], 3))
    assert not np.array_equal(before, env.render())


@pytest.mark.parametrize("mode", [None, "sync", "vector_entry_point"])
def test_make_vec_makes_many_puzzles_and_the_next_ones_follow_in_the_same_step(mode: str | None) -> None:
    env = gymnasium.make_vec(SOLO, num_envs=3, vectorization_mode=mode, puzzle=2, mistakes=0)
    seen, info = env.reset(seed=1)
    assert (seen.shape, info["action_mask"].shape) == ((3, VECTOR.size), (3, BUILDINGS * LOTS))
    _, rewards, ended, _, info = env.step(info["action_mask"].argmin(1))
    assert rewards.tolist() == [-1.0] * 3
    assert ended.all()
    if mode != "sync":
        assert info["action_mask"].any(1).all()
        assert "final_obs" in info
