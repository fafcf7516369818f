"""Ratings: strengths by Plackett-Luce with a seat effect, from all games at once, in Elo points.

rating = 400 / ln 10 x strength: 400 points are odds of ten to one, as in the ratings of Elo (1978)
"""

from dataclasses import dataclass
from math import log

import numpy as np
import polars as pl
from numpy.typing import NDArray

from oddville_training.statistics.intervals import Estimate, Floats, Ints, corrected_intervals
from oddville_training.statistics.plackett_luce import fit, model
from oddville_training.statistics.tally import HALF, ONE_DEAL, RESAMPLES, Tally, tally

ELO = 400 / log(10)  # points of one unit of log odds: 400 points are odds of ten to one
PRIOR = "Each agent and each seat is credited with one more game, half won and half lost, against a mean one."
ANCHORS = {"random": 0.0, "greedy": 1000.0}  # the first of them that played


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


def _reach(links: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The transitive closure of links, each agent with itself: [A, A]."""
    reach = links | np.eye(len(links), dtype=bool)
    for _ in links:
        reach = reach | (reach @ reach)
    return reach


def _groups(counted: Tally) -> Ints:
    """[A] the group of each agent: 0 is the largest, and among equals that of the first name."""
    met = _reach(counted.before + counted.before.T > 0)
    first, size = met.argmax(1), met.sum(1)
    heads = np.unique(first)
    heads = heads[np.argsort(-size[heads], kind="stable")]
    group: Ints = (first[:, None] == heads).argmax(1)
    return group


def _notes(counted: Tally, groups: Ints) -> list[str]:
    """Sentences about what the games leave open: agents that never met or were never beaten."""
    notes = [ONE_DEAL] if counted.deals == 1 else []
    if groups.any():
        groups_named = "; ".join(_listed(counted, groups == group) for group in np.unique(groups))
        notes.append(
            f"Agents of different groups never met, and their ratings cannot be compared. The groups: {groups_named}."
        )
    beats = _reach(counted.before > 0)
    for equals in np.unique(beats & beats.T, axis=0):
        if counted.before[equals][:, ~equals].any() and not counted.before[~equals][:, equals].any():
            unbeaten = f"No other agent ever finished before {_listed(counted, equals)}"
            notes.append(f"{unbeaten}: the distance to those below is held together by the credited games alone.")
    return notes


def _listed(counted: Tally, mine: NDArray[np.bool_]) -> str:
    return ", ".join(name for name, named in zip(counted.names, mine, strict=True) if named)
