"""Rewards at the end of a game: named ones, or a function of your own. Potentials (`envs.potentials`) pay before it.

Equal seats get equal rewards. A single player gets 1, or its score for `margin`.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from oddville_env.core.errors import SettingError, shown

Reward = Callable[[Sequence[int], Sequence[int]], list[float]]
"""(scores, ranks) by seat -> rewards by seat."""


def outcome(scores: Sequence[int], ranks: Sequence[int]) -> list[float]:
    """The winner gets +1, the others share -1; seats that win together share what one of them would get."""
    others = len(ranks) - 1
    if not others:
        return [1.0]
    won = (1 / ranks.count(1) * len(ranks) - 1.0) / others
    return [won if rank == 1 else -1.0 / others for rank in ranks]


def rank(scores: Sequence[int], ranks: Sequence[int]) -> list[float]:
    """From +1 for the first to -1 for the last, in equal steps; equal seats get the mean of their ranks."""
    others = len(ranks) - 1
    if not others:
        return [1.0]
    shared = [rank + (ranks.count(rank) - 1) / 2 for rank in ranks]
    return [1.0 - 2.0 * (rank - 1) / others for rank in shared]


def margin(scores: Sequence[int], ranks: Sequence[int]) -> list[float]:
    """A seat's score less the mean of the others', in points; alone, its score."""
    total, others = sum(scores), len(scores) - 1
    return [score - (total - score) / others if others else float(score) for score in scores]


def margin_of(scores: np.ndarray) -> np.ndarray:
    """`margin` of many games: scores [B, P] -> float64 [B, P]."""
    others = max(scores.shape[1] - 1, 1)
    lead: np.ndarray = scores - (scores.sum(1, keepdims=True, dtype=np.float64) - scores) / others
    return lead


FORFEITS = {"outcome": -1.0, "rank": -1.0, "margin": -1000.0}
"""The reward of a seat that loses by an illegal action: no more than any game brings."""
REWARDS: dict[str, Reward] = {"outcome": outcome, "rank": rank, "margin": margin}


def make_reward(reward: str | Reward) -> Reward:
    """The reward of a name, or a function of (scores, ranks) whose results are checked; raises SettingError."""
    if isinstance(reward, str) and reward in REWARDS:
        return REWARDS[reward]
    if not callable(reward):
        raise SettingError(f"reward must be one of {', '.join(REWARDS)} or a function, not {shown(reward)}")
    return partial(_checked, reward)


def forfeit_of(reward: str | Reward) -> float:
    """The reward of an illegal action: a function's attribute `forfeit`, or that of `margin`."""
    return FORFEITS[reward] if isinstance(reward, str) else float(getattr(reward, "forfeit", FORFEITS["margin"]))


def _checked(reward: Reward, scores: Sequence[int], ranks: Sequence[int]) -> list[float]:
    paid: list[float] = finite("reward", reward, reward(scores, ranks), (len(ranks),)).tolist()
    return paid


def finite(kind: str, function: Any, found: object, shape: tuple[int, ...]) -> np.ndarray:
    """What a function returned as float64 of this shape, a number for each seat; raises SettingError."""
    told = f"the {kind} {shown(getattr(function, '__name__', type(function).__name__))} must return finite numbers"
    expected = f"{told} of shape {shape}, one for each seat"
    try:
        numbers = np.array(found, np.float64)
    except (TypeError, ValueError):
        raise SettingError(f"{expected}, not {shown(found)}") from None
    if numbers.shape != shape:
        raise SettingError(f"{expected}, not of shape {numbers.shape}")
    if not np.isfinite(numbers).all():
        raise SettingError(f"{expected}, not {numbers[~np.isfinite(numbers)][0]}")
    return numbers
