"""Learners compared over few seeds (Agarwal et al. 2021, arXiv 2108.13264).

Scores are float64 [..., S, T]: S seeds of a learner by T tasks, such as opponents. What stands before them are
resamples.
"""

from collections.abc import Callable

import numpy as np

from oddville_training.statistics.intervals import Estimate, Floats, percentile_intervals

CUT = 0.25  # share of the scores that the interquartile mean leaves out at each end
RESAMPLES = 2000


def interquartile_mean(scores: Floats) -> Floats:
    """The mean of the middle half of all scores of all tasks, [...]."""
    ordered = np.sort(scores.reshape(*scores.shape[:-2], -1))
    cut = int(CUT * ordered.shape[-1])
    mean: Floats = ordered[..., cut : ordered.shape[-1] - cut].mean(-1)
    return mean


def probability_of_improvement(first: Floats, second: Floats) -> Floats:
    """How probably a run of the first learner beats one of the second on a task drawn at random, [...].

    Equal scores count one half, as in the test of Mann and Whitney.
    """
    compared: Floats = np.sign(first[..., :, None, :] - second[..., None, :, :])
    probability: Floats = (1 + compared.mean((-3, -2, -1))) / 2
    return probability


def performance_profile(scores: Floats, thresholds: Floats) -> Floats:
    """The share of runs and tasks with a score above each of K thresholds, [..., K]."""
    share: Floats = (scores[..., None] > thresholds).mean((-3, -2))
    return share


def with_intervals(statistic: Callable[..., Floats], *scores: Floats, seed: int = 0) -> list[Estimate]:
    """A statistic of the scores of one or two learners, with 95 % intervals: one estimate for each of its numbers.

    The stratified bootstrap draws the seeds of each learner anew, separately for every task. A single seed says nothing
    about others: its interval has no width.
    """
    generator = np.random.default_rng(seed)
    drawn = [
        np.take_along_axis(each[None], generator.integers(len(each), size=(RESAMPLES, *each.shape)), 1)
        for each in scores
    ]
    return percentile_intervals(np.atleast_1d(statistic(*scores)), statistic(*drawn).reshape(RESAMPLES, -1))
