"""From resamples to 95 % intervals: percentiles of the bootstrap, and bias-corrected ones (Efron and Tibshirani 1993).

ends of the corrected interval = percentiles Phi(2 z0 + z) with z0 = inverse Phi of the share of resamples below
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[Any]  # of int64
Floats = NDArray[Any]  # of float64

NORMAL = NormalDist()
Z = 1.959964  # two-sided 95 % of the normal distribution
ENDS = (0.025, 0.975)  # of a 95 % interval


@dataclass(frozen=True)
class Estimate:
    """A value with its 95 % interval."""

    value: float
    low: float
    high: float


def percentile_intervals(values: Floats, resampled: Floats) -> list[Estimate]:
    """Values [F] with the percentiles of their resamples [R, F], widened where a value would lie outside."""
    return [_estimate(value, draws, ENDS) for value, draws in zip(values, resampled.T, strict=True)]


def corrected_intervals(values: Floats, resampled: Floats) -> list[Estimate]:
    """The same for values whose resamples lie to one side of them, as strengths do, which luck drives apart.

    Efron's bias-corrected percentiles move by twice as much as the value is off the middle. Each end is the corrected
    one or the plain one, whichever is farther out: the correction must not close an interval that few games leave open.
    """
    number = len(resampled)
    below = np.clip((resampled < values).mean(0), 1 / number, 1 - 1 / number)
    below[resampled.std(0) == 0] = 0.5
    shifts = [2 * NORMAL.inv_cdf(share) for share in below]
    moved = [[NORMAL.cdf(shift + NORMAL.inv_cdf(end)) for end in ENDS] for shift in shifts]
    ends = [(min(low, ENDS[0]), max(high, ENDS[1])) for low, high in moved]
    return [_estimate(*each) for each in zip(values, resampled.T, ends, strict=True)]


def _estimate(value: float, draws: Floats, ends: Sequence[float]) -> Estimate:
    low, high = np.quantile(draws, ends)
    return Estimate(float(value), float(min(low, value)), float(max(high, value)))
