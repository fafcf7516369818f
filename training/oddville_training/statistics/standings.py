"""The standing of a tournament: win shares, pairwise finishes, and the effects of seats and equal deals."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from oddville_training.statistics.intervals import Estimate, Floats, percentile_intervals
from oddville_training.statistics.tally import HALF, RESAMPLES, Tally, tally


@dataclass(frozen=True)
class Standing:
    """One agent: in how many games it sat, how often each of its seats won, the mean of their ranks.

    worth: how many independent games one of its games was worth, thanks to equal deals; None where nothing varied.
    """

    agent: str
    games: int
    wins: Estimate
    rank: Estimate
    worth: float | None


@dataclass(frozen=True, eq=False)
class Standings:
    """All agents of one number of players, the best first; A agents, N seats."""

    players: int
    games: int
    blocks: int
    resamples: int
    agents: tuple[Standing, ...]
    seats: tuple[Estimate, ...]  # how often each seat won
    before: Floats  # [A, A] how often one finished before the other, seat by seat
    meetings: Floats  # [A, A] how often both could have
    together: Floats  # [A, A] games in which both sat

    @property
    def par(self) -> float:
        """The win share of equals."""
        return 1 / self.players

    @property
    def names(self) -> tuple[str, ...]:
        """The agents, the best first."""
        return tuple(each.agent for each in self.agents)

    @property
    def shares(self) -> Floats:
        """[A, A] the share of meetings in which the one finished before the other, nan where they never met."""
        with np.errstate(invalid="ignore"):
            return self.before / self.meetings


def standings(rows: pl.DataFrame, resamples: int = RESAMPLES, seed: int = 0) -> Standings:
    """Rank the agents by the share of games that they won: rows of one number of players. Raises ResultsError.

    Intervals are those of the bootstrap over deals (see Tally.resamples). To every agent each resample adds one game
    that was half won and half lost, both with a random weight (of the gamma distribution with shape 1/2: Jeffreys'
    prior): so an agent that won every game does not get an interval without width. The shares themselves are those of
    the games that were played. Equal arguments give equal results.
    """
    counted = tally(rows)
    wins, ranks, seats = _shares(counted, resamples, seed)
    best = np.lexsort(([each.value for each in ranks], [-each.value for each in wins]))
    pick = np.ix_(best, best)
    return Standings(
        players=counted.players,
        games=counted.games,
        blocks=counted.blocks,
        resamples=resamples,
        agents=tuple(
            Standing(counted.names[a], round(counted.together[a, a]), wins[a], ranks[a], _worth(counted, a))
            for a in best
        ),
        seats=tuple(seats),
        before=counted.before[pick],
        meetings=(counted.before + counted.before.T)[pick],
        together=counted.together[pick],
    )


def _shares(counted: Tally, resamples: int, seed: int) -> tuple[list[Estimate], list[Estimate], list[Estimate]]:
    """Each agent's win share, its mean rank, and each seat's win share."""
    agents, seats = np.arange(len(counted.names)), np.arange(counted.players)
    won = (counted.agents[:, :1] == agents).astype(float)
    ranked = ((counted.agents[..., None] == agents) * (seats + 1)[:, None]).sum(1, dtype=float)
    facts = np.hstack([counted.sat, won, ranked, counted.seats[:, :1] == seats])
    cuts = np.cumsum([len(agents)] * 3)
    drawn = []
    for rng, weights in counted.resamples(resamples, seed):
        sat, won, ranked, by_seat = np.split(weights @ facts, cuts, axis=1)
        more_wins, more_losses = rng.standard_gamma(HALF, (2, *sat.shape))
        games = sat + more_wins + more_losses
        ranks = (ranked + more_wins + counted.players * more_losses) / games
        drawn.append(np.hstack([(won + more_wins) / games, ranks, by_seat / by_seat.sum(1, keepdims=True)]))
    sat, won, ranked, by_seat = np.split(counted.counts @ facts, cuts)
    intervals = percentile_intervals(np.hstack([won / sat, ranked / sat, by_seat / by_seat.sum()]), np.vstack(drawn))
    return intervals[: cuts[0]], intervals[cuts[0] : cuts[1]], intervals[cuts[1] :]


def _worth(counted: Tally, agent: int) -> float | None:
    """The variance of the agent's wins in independent games over that in blocks: 1 / design effect (Kish 1965)."""
    games = np.bincount(counted.block, counted.count)  # [P]
    wins = np.bincount(counted.block, counted.count * (counted.agents[:, 0] == agent)[counted.order])
    apart = together = 0.0
    for pairing in range(len(counted.starts)):
        mine = counted.pairing == pairing
        times = counted.times[counted.deal[mine]]
        blocks, played, won = times.sum(), times @ games[mine], times @ wins[mine]
        if blocks > 1:
            apart += won * (1 - won / played) * played / (played - 1)
            together += times @ (wins[mine] - won / played * games[mine]) ** 2 * blocks / (blocks - 1)
    return float(apart / together) if together > 0 else None
