"""The sequential test: how often it errs, and what it says; statistics over seeds."""

from collections.abc import Callable
from math import log

import numpy as np
import pytest

from oddville_env.core.errors import SettingError
from oddville_training.report.baselines import (
    interquartile_mean,
    performance_profile,
    probability_of_improvement,
    with_intervals,
)
from oddville_training.statistics.sprt import Sprt, expected_share

RUNS, MOST = 800, 3000


def block_scores(rng: np.random.Generator, elo: float, luck: float) -> np.ndarray:
    """Scores of blocks of two games with the seats changed: float [MOST].

    luck: by how much a deal adds to the chance of the one seat and takes from that of the other.
    """
    favour = luck * rng.choice([-1, 1], MOST)
    return np.mean([rng.random(MOST) < expected_share(elo) + side * favour for side in (1, -1)], axis=0)


def verdicts(elo: float, elo0: float, elo1: float, luck: float) -> tuple[dict[str, float], float]:
    """How often each verdict fell, and after how many blocks in the mean."""
    rng, fallen, blocks = np.random.default_rng(0), [], []
    for _ in range(RUNS):
        test = Sprt(elo0, elo1)
        for score in block_scores(rng, elo, luck).tolist():
            if test.add(score) != "continue":
                break
        fallen.append(test.verdict)
        blocks.append(test.blocks)
    return {verdict: fallen.count(verdict) / RUNS for verdict in set(fallen)}, float(np.mean(blocks))


@pytest.mark.parametrize(("elo0", "elo1", "luck"), [(0, 60, 0), (-30, 30, 0.3), (0, 100, 0.3), (0, 200, 0)])
def test_the_test_errs_no_more_often_than_it_says(elo0: float, elo1: float, luck: float) -> None:
    false, _ = verdicts(elo0, elo0, elo1, luck)
    right, _ = verdicts(elo1, elo0, elo1, luck)
    assert false.get("accept H1", 0) <= 0.06
    assert right.get("accept H1", 0) >= 0.85
    assert right.get("accept H0", 0) <= 0.06


def test_bounds_are_walds_the_ratio_is_the_normal_approximation_and_far_away_it_takes_fewer_games() -> None:
    assert Sprt(0, 10).bounds == pytest.approx((log(0.05 / 0.95), log(0.95 / 0.05)))
    scores = np.random.default_rng(1).choice([0, 0.5, 1], 5000, p=[0.3, 0.3, 0.4])
    test, share = Sprt(0, 20), expected_share(20)
    for score in scores:
        test.add(score)
    ratio = ((scores - 0.5) ** 2 - (scores - share) ** 2).sum() / (2 * scores.var())
    assert test.llr == pytest.approx(ratio, rel=0.01)
    _, near = verdicts(25, 0, 50, 0)
    above, far = verdicts(250, 0, 50, 0)
    assert above == {"accept H1": 1}
    assert far < near / 4


def test_the_first_block_decides_nothing_and_a_verdict_stands() -> None:
    test = Sprt(0, 300)
    assert (test.llr, test.verdict, test.blocks) == (0, "continue", 0)
    assert test.add(1) == "continue"
    assert test.llr > 0
    while test.verdict == "continue":
        test.add(1)
    for _ in range(500):
        test.add(0)
    assert test.llr < test.bounds[0]
    assert test.verdict == "accept H1"


def test_the_expected_share_is_that_of_elo() -> None:
    assert [expected_share(elo) for elo in (-400, 0, 400)] == pytest.approx([1 / 11, 1 / 2, 10 / 11])


@pytest.mark.parametrize(("work", "sentence"), [
    (lambda: Sprt(10, 10), "elo0 must be below elo1, not 10 and 10"),
    (lambda: Sprt(-5000, 10), "elo0 and elo1 must be -4000 to 4000, not -5000 and 10"),
    (lambda: Sprt(0, 10).add(2), "the score of a block must be 0 to 1, not 2"),
])  # fmt: skip
def test_what_cannot_be_tested_is_refused_in_a_sentence(work: Callable[[], object], sentence: str) -> None:
    with pytest.raises(SettingError, match=sentence):
        work()


FIRST = np.array([[1.0, 2], [2, 2], [1, 1], [2, 1]])  # seeds by tasks, of the tests of rliable
SECOND = np.array([[1.0, 1], [2, 2], [3, 3]])


def test_figures_are_those_that_rliable_publishes() -> None:
    assert (interquartile_mean(FIRST), interquartile_mean(SECOND)) == (1.5, 2)
    assert probability_of_improvement(FIRST, SECOND) == pytest.approx(1 / 3)
    assert probability_of_improvement(SECOND, FIRST) == pytest.approx(2 / 3)
    assert interquartile_mean(np.array([[0.0, 1, 2, 3], [4, 5, 6, 1000]])) == 3.5
    assert interquartile_mean(np.array([[1.0], [2], [6]])) == 3  # a quarter of three is no score
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
