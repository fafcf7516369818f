"""Winning chances from seats' values in points: conditional logit (McFadden 1974), fitted to the winners.

    P(seat wins) = softmax over seats of: (early x left + late x (1 - left)) x points + tempo x (1 - left) x next

left is the part of the game to come, next 1 for the seat whose turn is next. The log likelihood is concave: Newton's
method finds its maximum.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import softmax

ROUNDS = 20  # of Newton's method, which needs fewer
RIDGE = 1e-9


class Calibration(NamedTuple):
    """The fitted weights, and their log loss and Brier score on games held back, beside those of equal chances."""

    early: float
    late: float
    tempo: float
    positions: int
    log_loss: float
    even_log_loss: float
    brier: float
    even_brier: float


def fit_chances(points: np.ndarray, remaining: np.ndarray, turns: np.ndarray, winners: np.ndarray) -> Calibration:
    """Fit on half of the positions, and measure on the other; the arguments are what `record_positions` returns."""
    late = 1 - remaining[:, None]
    inputs = np.stack([points * (1 - late), points * late, turns * late], axis=-1)  # [N, P, 3]
    half, players = len(inputs) // 2, points.shape[1]
    weights = _fit(inputs[:half], winners[:half])
    chances, won = _chances(inputs[half:], weights), np.eye(players)[winners[half:]]
    loss = -np.log(chances[won == 1]).mean()
    brier = ((chances - won) ** 2).sum(1).mean()
    early, last, tempo = weights.tolist()
    return Calibration(
        early, last, tempo, len(inputs), float(loss), float(np.log(players)), float(brier), 1 - 1 / players
    )


def _chances(inputs: np.ndarray, weights: np.ndarray) -> np.ndarray:
    chances: np.ndarray = softmax(inputs @ weights, axis=1)
    return chances


def _fit(inputs: np.ndarray, winners: np.ndarray) -> np.ndarray:
    """The weights [3] under which the winners are likeliest, by Newton's method: the problem is convex."""
    weights = np.zeros(inputs.shape[2])
    for _ in range(ROUNDS):
        chances = _chances(inputs, weights)[..., None]
        centred = inputs - (chances * inputs).sum(1, keepdims=True)  # around what is expected
        gradient = centred[np.arange(len(winners)), winners].mean(0)
        hessian = np.einsum("npx,npf,npg->fg", chances, centred, centred) / len(inputs) + RIDGE * np.eye(len(weights))
        weights = weights + np.linalg.solve(hessian, gradient)
    return weights
