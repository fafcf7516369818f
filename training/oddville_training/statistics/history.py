"""The course of a tournament: how the standing became what it is, block by block."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from oddville_training.statistics.intervals import Floats, Ints, Z

POINTS = 200  # of a curve, at most
CREDIT = 0.25  # the variance of one more game, half won and half lost


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
    place = block.astype(np.int64) * len(names) + agent
    shape = (int(block.max()) + 1, len(names))
    won = np.bincount(place, games["won"].to_numpy(), np.prod(shape))
    return np.bincount(place, minlength=np.prod(shape)).reshape(shape), won.reshape(shape)
