"""The standing of a tournament: win shares, pairwise finishes, the effects of seats and equal deals, and its course."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from oddville_training.statistics.intervals import Estimate, Floats, Ints, Z, percentile_intervals
from oddville_training.statistics.tally import HALF, RESAMPLES, Tally, tally

POINTS = 200  # of a curve, at most
CREDIT = 0.25  # the variance of one more game, half won and half lost


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
        games=round(float(counted.counts.sum())),
        blocks=int(counted.times[counted.deal].sum()),
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


# The course: how the standing became what it is, block by block


@dataclass(frozen=True, eq=False)
class History:
    """Win shares and their 95 % bands after the first so many blocks of every pairing; T points, A agents."""

    names: tuple[str, ...]  # sorted
    blocks: Ints  # [T] of each pairing, or all that a shorter one has
    share: Floats  # [T, A]
    low: Floats
    high: Floats


def history(rows: pl.DataFrame) -> History:
    """Follow the win shares of one number of players: pairings advance side by side, in whatever order they were run.

    Bands are normal approximations from the variance between deals, whose luck all pairings share, and one more game
    half won and half lost. Where a pairing has fewer blocks, its mean stands for those that it has not. Curves begin at
    the second block.
    """
    names = tuple(sorted(rows["agent"].unique()))
    first = pl.col("rank") == 1
    rows = rows.with_columns(won=first / first.sum().over("block", "game"))
    sums = [pairing_sums(games, names) for _, games in rows.group_by("pairing", maintain_order=True)]
    longest = max(len(seats) for seats, _ in sums)
    blocks = np.unique(np.linspace(min(2, longest), longest, POINTS).round().astype(int))
    seats, wins = np.zeros((2, len(blocks), len(names)))
    by_deal = np.zeros((longest, len(names)))
    for sat, won in sums:
        last = np.minimum(blocks, len(sat)) - 1
        seats += sat.cumsum(0)[last]
        wins += won.cumsum(0)[last]
        by_deal += np.vstack([won, np.tile(won.mean(0), (longest - len(won), 1))])
    number = blocks[:, None]
    off = (by_deal**2).cumsum(0)[blocks - 1] - by_deal.cumsum(0)[blocks - 1] ** 2 / number
    variance = off * number / np.maximum(number - 1, 1)
    with np.errstate(invalid="ignore"):  # an agent that has not sat yet
        share, reach = wins / seats, Z * np.sqrt(np.maximum(variance, 0) + CREDIT) / seats
    return History(names, blocks, share, np.clip(share - reach, 0, 1), np.clip(share + reach, 0, 1))


def pairing_sums(games: pl.DataFrame, names: tuple[str, ...]) -> tuple[Floats, Floats]:
    """Seats and wins of every agent in each block of one pairing: [blocks, A] both."""
    block = games["block"].rank("dense").to_numpy() - 1
    agent = games["agent"].cast(pl.Enum(names)).to_physical().to_numpy()
    cell = block.astype(np.int64) * len(names) + agent
    shape = (int(block.max()) + 1, len(names))
    won = np.bincount(cell, games["won"].to_numpy(), np.prod(shape))
    return np.bincount(cell, minlength=np.prod(shape)).reshape(shape), won.reshape(shape)
