"""Statistics over seeds: the figures of rliable's own tests, and small arrays by hand."""

import numpy as np
import pytest

from oddville_training.statistics.seeds import (
    interquartile_mean,
    performance_profile,
    probability_of_improvement,
    with_intervals,
)

FIRST = np.array([[1.0, 2], [2, 2], [1, 1], [2, 1]])  # seeds by tasks, of the tests of rliable
SECOND = np.array([[1.0, 1], [2, 2], [3, 3]])


def test_figures_are_those_that_rliable_publishes() -> None:
    assert (interquartile_mean(FIRST), interquartile_mean(SECOND)) == (1.5, 2)
    assert probability_of_improvement(FIRST, SECOND) == pytest.approx(1 / 3)
    assert probability_of_improvement(SECOND, FIRST) == pytest.approx(2 / 3)


def test_interquartile_mean_leaves_out_the_outer_quarters_of_all_tasks_together() -> None:
    assert interquartile_mean(np.array([[0.0, 1, 2, 3], [4, 5, 6, 1000]])) == 3.5
    assert interquartile_mean(np.array([[1.0], [2], [6]])) == 3  # a quarter of three is no score


def test_profile_is_the_share_of_scores_above_each_threshold() -> None:
    assert performance_profile(FIRST, np.array([0.0, 1, 1.5, 2])).tolist() == [1, 0.5, 0.5, 0]


def test_bootstrap_draws_the_seeds_of_each_task_anew() -> None:
    """Two seeds and two tasks: drawn together the mean would be 0, 1/2 or 1; drawn apart it is 1/4 as well."""
    values: list[float] = []

    def noted(scores: np.ndarray) -> np.ndarray:
        values.extend(np.atleast_1d(scores.mean((-2, -1))))
        return scores.mean((-2, -1))

    (found,) = with_intervals(noted, np.array([[0.0, 1], [1, 0]]))
    assert (found.low, found.value, found.high) == (0, 0.5, 1)
    shares = {value: values.count(value) / len(values) for value in sorted(set(values))}
    assert shares == pytest.approx({0: 1 / 16, 0.25: 1 / 4, 0.5: 3 / 8, 0.75: 1 / 4, 1: 1 / 16}, abs=0.04)


def test_intervals_narrow_with_seeds_and_one_seed_has_none() -> None:
    generator, widths = np.random.default_rng(5), []
    for seeds in (1, 5, 80):
        (found,) = with_intervals(interquartile_mean, generator.normal(size=(seeds, 3)))
        assert found.low <= found.value <= found.high
        widths.append(found.high - found.low)
    assert widths[0] == 0
    assert widths[1] > 2 * widths[2] > 0
