"""How points become winning chances: a logistic fit of who won."""

from typing import NamedTuple

import numpy as np

ROUNDS = 20  # of Newton's method, which needs fewer
RIDGE = 1e-9


class Fit(NamedTuple):
    """What fits, and how good its forecasts are of games that it was not fitted to, beside those of equal chances."""

    early: float
    late: float
    tempo: float
    positions: int
    log_loss: float
    even_log_loss: float
    brier: float
    even_brier: float


def fit_chances(points: np.ndarray, remaining: np.ndarray, turns: np.ndarray, winners: np.ndarray) -> Fit:
    """Fit on half of the positions, judge on the other; the arguments are what `record_positions` returns."""
    late = 1 - remaining[:, None]
    inputs = np.stack([points * (1 - late), points * late, turns * late], axis=-1)  # [N, P, 3]
    half, players = len(inputs) // 2, points.shape[1]
    weights = _fit(inputs[:half], winners[:half])
    chances, won = _chances(inputs[half:], weights), np.eye(players)[winners[half:]]
    loss = -np.log(chances[won == 1]).mean()
    brier = ((chances - won) ** 2).sum(1).mean()
    early, last, tempo = weights.tolist()
    return Fit(early, last, tempo, len(inputs), float(loss), float(np.log(players)), float(brier), 1 - 1 / players)


def _chances(inputs: np.ndarray, weights: np.ndarray) -> np.ndarray:
    odds = np.exp(inputs @ weights - (inputs @ weights).max(1, keepdims=True))
    chances: np.ndarray = odds / odds.sum(1, keepdims=True)
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
