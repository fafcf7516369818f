"""Ratings: strengths of agents and effects of seats by Plackett-Luce, from all games at once, in Elo points.

    P(order) = product over ranks of: exp(strength + seat) of the one ranked / sum of the same over all still unranked
    rating = 400 / ln 10 x strength: 400 points are odds of ten to one, as in the ratings of Elo (1978)

Plackett-Luce (Luce 1959, Plackett 1975) is fitted by maximum likelihood to many weighings of the same games at once.
"""

from dataclasses import dataclass
from math import log

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from oddville_training.statistics.intervals import Estimate, Floats, Ints, corrected_intervals
from oddville_training.statistics.tally import HALF, ONE_DEAL, RESAMPLES, Tally, tally

ELO = 400 / log(10)  # points of one unit of log odds: 400 points are odds of ten to one
PRIOR = "Each agent and each seat is credited with one more game, half won and half lost, against a mean one."
ANCHORS = {"random": 0.0, "greedy": 1000.0}  # the first of them that played
LONGEST, NEAR, MOST = 0.4, 1e-5, 1000  # Newton: the longest step, the last one (both in log odds), how many at most
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

    No parameter moves further than LONGEST at once: such a step always leads up, as it changes no odds of a race by
    more than e to four of it (Bach 2010, prop. 1). A whole step swings where the games barely hold the strengths
    together.

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
        fitted += newton * (LONGEST / np.maximum(np.abs(newton).max(1, keepdims=True), LONGEST))
        if ((np.abs(newton) < NEAR) | (np.abs(slope) < ROUNDING * (won + credit))).all():
            return fitted
    raise ArithmeticError(f"the likeliest strengths were not found in {MOST} steps")


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


@dataclass(frozen=True)
class Rating:
    """One agent's rating in Elo points; only ratings of the same group can be compared."""

    agent: str
    games: int
    elo: Estimate
    group: int


@dataclass(frozen=True, eq=False)
class Ratings:
    """All agents of one number of players, group by group, the highest first; A agents, N seats."""

    players: int
    anchor: str  # in words
    agents: tuple[Rating, ...]
    seats: tuple[Estimate, ...]  # Elo points that each seat is worth; their mean is 0
    superiority: Floats  # [A, A] share of the resamples with the one above the other; nan where it is unknown
    notes: tuple[str, ...]  # sentences about what these ratings cannot tell
    resamples: int


def ratings(rows: pl.DataFrame, resamples: int = RESAMPLES, seed: int = 0) -> Ratings:
    """Rate the agents of one number of players by all their games. Raises ResultsError.

    The winner of a game is drawn from all seats, with chances in proportion to exp(strength of the agent + effect of
    the seat), the second from those that are left, and so on; the likeliest strengths are in Elo points. `random`
    has 0 points; where it did not play `greedy` has 1000, and else the mean is 0. Agents that never met, not even by
    way of others, are in different groups, each with a mean of 0 unless the anchor is in it.

    The prior: each agent and each seat is credited with one more game, half won and half lost, against a mean one, so
    that the rating of an agent that won or lost everything is finite. Intervals and superiority come from the bootstrap
    over deals (see Tally.resamples), with a fit to each resample; in these both halves of an agent's credited game
    weigh at random (gamma distributions with shape 1/2). Equal arguments give equal results.
    """
    counted = tally(rows)
    games, number = model(counted), len(counted.names)
    credit = np.full((1, 2, number + counted.players), HALF)
    best = fit(games, counted.counts[None], credit, np.zeros(number + counted.players))
    drawn = []
    for rng, weights in counted.resamples(resamples, seed):
        credits = np.repeat(credit, len(weights), axis=0)
        credits[..., :number] = rng.standard_gamma(HALF, (len(weights), 2, number))
        drawn.append(fit(games, weights, credits, best[0]))
    return _ratings(counted, best, np.vstack(drawn))


def _ratings(counted: Tally, best: Floats, drawn: Floats) -> Ratings:
    """In points: the parameters [1, X] that fit best, and those of the resamples [R, X]."""
    names, groups = counted.names, _groups(counted)
    anchor = next((name for name in ANCHORS if name in names), None)
    points, resampled = (_anchored(fits[:, : len(names)], names, groups, anchor) for fits in (best, drawn))
    elos = corrected_intervals(points[0], resampled)
    order = np.lexsort((-points[0], groups))
    above = np.array([[(resampled[:, one] > resampled[:, other]).mean() for other in order] for one in order])
    above[groups[order, None] != groups[order]] = np.nan
    np.fill_diagonal(above, np.nan)
    if counted.deals == 1:
        above[:] = np.nan
    return Ratings(
        players=counted.players,
        anchor=f"{anchor} = {ANCHORS[anchor]:.0f}" if anchor else "mean = 0",
        agents=tuple(Rating(names[a], round(counted.together[a, a]), elos[a], int(groups[a])) for a in order),
        seats=tuple(corrected_intervals(_centred(best[:, len(names) :])[0], _centred(drawn[:, len(names) :]))),
        superiority=above,
        notes=tuple(_notes(counted, groups)),
        resamples=len(drawn),
    )


def _centred(parameters: Floats) -> Floats:
    """Points with a mean of 0 in each row."""
    points: Floats = ELO * (parameters - parameters.mean(1, keepdims=True))
    return points


def _anchored(strengths: Floats, names: tuple[str, ...], groups: Ints, anchor: str | None) -> Floats:
    """Points [R, A] of strengths [R, A]."""
    points = np.empty_like(strengths)
    for group in np.unique(groups):
        mine = groups == group
        points[:, mine] = _centred(strengths[:, mine])
        if anchor and mine[names.index(anchor)]:
            points[:, mine] += ANCHORS[anchor] - points[:, [names.index(anchor)]]
    return points


def _groups(counted: Tally) -> Ints:
    """[A] the group of each agent: 0 is the largest, and among equals that of the first name."""
    _, label = connected_components(counted.before, directed=False)  # numbered in the order of their first names
    group: Ints = np.argsort(-np.bincount(label), kind="stable").argsort()[label]
    return group


def _notes(counted: Tally, groups: Ints) -> list[str]:
    """Sentences about what the games leave open: agents that never met or were never beaten."""
    notes = [ONE_DEAL] if counted.deals == 1 else []
    if groups.any():
        groups_named = "; ".join(_listed(counted, groups == group) for group in np.unique(groups))
        notes.append(
            f"Agents of different groups never met, and their ratings cannot be compared. The groups: {groups_named}."
        )
    _, label = connected_components(counted.before, connection="strong")
    firsts = np.unique(label, return_index=True)[1]
    for equals in (label == label[first] for first in sorted(firsts, reverse=True)):
        if counted.before[equals][:, ~equals].any() and not counted.before[~equals][:, equals].any():
            unbeaten = f"No other agent ever finished before {_listed(counted, equals)}"
            notes.append(f"{unbeaten}: the distance to those below is held together by the credited games alone.")
    return notes


def _listed(counted: Tally, mine: NDArray[np.bool_]) -> str:
    return ", ".join(name for name, named in zip(counted.names, mine, strict=True) if named)
