"""The example of temporal differences on afterstates: targets, choice, command line."""

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from support.helpers import assert_example_wins_games, example_module

pytest.importorskip("torch", reason="the example needs the extra train")


@pytest.fixture(scope="module")
def example() -> ModuleType:
    return example_module("afterstates_td")


def test_targets_mix_following_values_and_the_result(example: ModuleType) -> None:
    found, last = example.returns(np.array([0.5, 0.25, -0.5]), 1.0), 1.0
    middle = (1 - example.LAMBDA) * -0.5 + example.LAMBDA * last
    first = (1 - example.LAMBDA) * 0.25 + example.LAMBDA * middle
    assert found == pytest.approx([first, middle, last])
    assert example.returns(np.array([0.3]), -1.0) == pytest.approx([-1.0])


def test_best_move_is_chosen_among_the_moves_of_its_game(example: ModuleType) -> None:
    starts, values = np.array([0, 2, 3, 6, 8]), np.array([0.1, 0.3, 9.0, -3.0, -1.0, -2.0, 5.0, 5.0])
    assert example.best_of_each(starts, values).tolist() == [1, 2, 4, 6]


@pytest.mark.parametrize("game", ["oddville", "oldtown"])
def test_example_runs_from_the_command_line(game: str, tmp_path: Path) -> None:
    assert_example_wins_games("afterstates_td", game, minutes="0.01", folder=tmp_path)
