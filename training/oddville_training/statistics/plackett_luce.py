"""Plackett-Luce (Luce 1959, Plackett 1975): strengths of agents and effects of seats by maximum likelihood.

    P(order) = product over ranks of: exp(strength + seat) of the one ranked / sum of the same over all still unranked

It is fitted to many weighings of the same games at once.
"""

from dataclasses import dataclass

import numpy as np

from oddville_training.statistics.intervals import Floats, Ints
from oddville_training.statistics.tally import Tally

LONGEST, NEAR, MOST = 2.0, 1e-5, 200  # Newton: the longest step, the last one (both in log odds), how many at most
SURE = 0.4  # Newton's step leads up where no odds of a race change by more than e to four of it (Bach 2010, prop. 1)
NOISE = 1e-12  # how much of a likelihood's terms their rounding may take away
ROUNDING = 4e-15  # how much of a slope's terms their rounding may leave over
CHUNK = 4_000_000  # numbers that one step may take up


@dataclass(frozen=True, eq=False)
class PlackettLuce:
    """The games as the likelihood needs them.

    K orders of finish, N seats, I items (an agent in a seat), D different races: sets of items that were still to be
    ranked. X parameters, in log odds: the strength of each agent, then the effect of each seat.
    """

    races: Floats  # [D, I] 1 where the item is in the race
    race: Ints  # [K, N - 1] the race that each rank was won in, the last rank aside
    features: Floats  # [I, X] 1 for the item's agent and for its seat
    won: Floats  # [K, X] the features of all that won a race


def model(counted: Tally) -> PlackettLuce:
    """The model of a tournament's games."""
    items = len(counted.names) * counted.players
    agents, seats = np.divmod(np.arange(items), counted.players)
    features = np.hstack([np.eye(len(counted.names))[agents], np.eye(counted.players)[seats]])
    left = [np.sort(counted.orders[:, rank:], axis=1) for rank in range(counted.players - 1)]
    filled = [np.pad(each, ((0, 0), (0, rank)), constant_values=items) for rank, each in enumerate(left)]
    none = np.zeros((0, counted.players), np.int64)  # where one plays alone there is no race
    different, race = np.unique(np.vstack([none, *filled]), axis=0, return_inverse=True)
    races = np.zeros((len(different), items + 1))
    np.put_along_axis(races, different, 1.0, axis=1)
    won = features[counted.orders[:, :-1]].sum(1)
    return PlackettLuce(races[:, :-1], race.reshape(counted.players - 1, len(counted.orders)).T, features, won)


def fit(model: PlackettLuce, weights: Floats, credits: Floats, start: Floats) -> Floats:
    """The likeliest parameters [R, X], for each of R weighings of the games, by Newton's method.

    A step that lowers the likelihood is halved until it does not: the likelihood is concave, so Newton's direction
    always leads up at first (Boyd and Vandenberghe 2004, 9.5), while a whole step swings where the games barely hold
    the strengths together.

    weights: of the orders of finish [R, K]; credits: games [R, 2, X] won and lost by each agent and seat against an
    opponent with parameter 0, which keep all parameters finite and their mean near 0; start: parameters [X].
    """
    step = max(CHUNK // max(model.races.size, 1), 1)
    parts = [slice(first, first + step) for first in range(0, len(weights), step)]
    return np.vstack([_fit(model, weights[part], credits[part], start) for part in parts])


def _fit(model: PlackettLuce, weights: Floats, credits: Floats, start: Floats) -> Floats:
    ranks = model.race.shape[1]  # [R, D] how often each race was run
    runs = np.array([np.bincount(model.race.ravel(), np.repeat(each, ranks), len(model.races)) for each in weights])
    won, credit = weights @ model.won + credits[:, 0], credits.sum(1)
    fitted = np.tile(start, (len(weights), 1))
    for _ in range(MOST):
        newton, slope = _newton(model, runs, won, credit, fitted)
        fitted += _upward(model, runs, won, credit, fitted, newton)
        if ((np.abs(newton) < NEAR) | (np.abs(slope) < ROUNDING * (won + credit))).all():
            return fitted
    raise ArithmeticError(f"the likeliest strengths were not found in {MOST} steps")


def _upward(model: PlackettLuce, runs: Floats, won: Floats, credit: Floats, fitted: Floats, newton: Floats) -> Floats:
    """Newton's step [R, X], no longer than it may be, and halved while it leads to a lower likelihood."""
    step, length = np.clip(newton, -LONGEST, LONGEST), np.abs(newton).max(1)
    bold = length > SURE
    at, known = fitted[bold], (model, runs[bold], won[bold], credit[bold])
    least = _likelihood(*known, at) - NOISE * np.abs(won[bold] * at).sum(1)
    share = LONGEST / np.maximum(length[bold], LONGEST)
    while (lower := _likelihood(*known, at + step[bold]) < least).any():
        falls = np.flatnonzero(bold)[lower]
        step[falls] = share[lower, None] * newton[falls]
        share[lower] /= 2
    return step


def _likelihood(model: PlackettLuce, runs: Floats, won: Floats, credit: Floats, fitted: Floats) -> Floats:
    """The likelihood's logarithm [R]; runs [R, D], all others [R, X]."""
    races = np.log(np.exp(fitted @ model.features.T) @ model.races.T)
    likelihood: Floats = (won * fitted - credit * np.logaddexp(0, fitted)).sum(1) - (runs * races).sum(1)
    return likelihood


def _newton(model: PlackettLuce, runs: Floats, won: Floats, credit: Floats, fitted: Floats) -> tuple[Floats, Floats]:
    """Newton's step [R, X] and the slope [R, X] that it follows; runs [R, D], all others [R, X]."""
    chances = model.races * np.exp(fitted @ model.features.T)[:, None]  # [R, D, I]
    chances /= chances.sum(2, keepdims=True)
    means = chances @ model.features  # [R, D, X] of each race's winner
    expected = (runs[:, None] @ means)[:, 0]
    level = 1 / (1 + np.exp(-fitted))  # chances of the credited games
    slope = won - expected - credit * level
    winners = (runs[:, None] @ chances)[:, 0]  # [R, I]
    bend = (model.features.T * winners[:, None]) @ model.features - means.swapaxes(1, 2) @ (runs[..., None] * means)
    bend += (credit * level * (1 - level))[..., None] * np.eye(fitted.shape[1])
    return np.linalg.solve(bend, slope[..., None])[..., 0], slope
