"""What the rows of a tournament come down to: who finished in which order, how often, and in which blocks."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from oddville_env.errors import OddVilleError

Ints = NDArray[Any]  # of int64
Floats = NDArray[Any]  # of float64

USED = ("players", "block", "pairing", "game", "seat", "agent", "rank")
RESAMPLES = 1000
HALF = 0.5  # of a game half won and half lost: both weights, and the shape of both where they are random
CHUNK = 2_000_000  # numbers that the resamples of one step may take up
LEAST_SHAPE = 0.05  # of a gamma weight, where two blocks would leave nothing


class ResultsError(OddVilleError):
    """Results that are no results of a tournament."""


@dataclass(frozen=True)
class Tally:
    """The games of one number of players, counted: all that standings and ratings need.

    K different orders of finish, P different blocks, N seats. Blocks of one pairing that came out alike are counted
    together. An item is an agent in a seat: agent * players + seat.
    """

    players: int
    names: tuple[str, ...]  # sorted
    orders: Ints  # [K, N] items, the winner first
    times: Ints  # [P] how many blocks came out so
    pairing: Ints  # [P] ascending
    block: Ints  # [E] entries of a sparse matrix: of blocks ...
    order: Ints  # [E] ... and orders
    count: Ints  # [E] how many games of the block ended in this order

    @property
    def agents(self) -> Ints:
        """[K, N] the agent at each rank."""
        return self.orders // self.players

    @property
    def seats(self) -> Ints:
        """[K, N] the seat at each rank."""
        return self.orders % self.players

    @property
    def blocks(self) -> int:
        """The number of blocks."""
        return int(self.times.sum())

    @property
    def games(self) -> int:
        """The number of games."""
        return int(self.counts.sum())

    @cached_property
    def counts(self) -> Floats:
        """[K] how many games ended in each order."""
        return np.bincount(self.order, self.count * self.times[self.block], len(self.orders))

    @cached_property
    def starts(self) -> Ints:
        """The first block of every pairing."""
        return np.flatnonzero(np.diff(self.pairing, prepend=-1))

    @cached_property
    def blocks_of_pairings(self) -> Ints:
        """How many blocks every pairing has."""
        return np.add.reduceat(self.times, self.starts)

    @cached_property
    def sat(self) -> Floats:
        """[K, A] how many seats of the game were each agent's."""
        seats: Floats = (self.agents[..., None] == np.arange(len(self.names))).sum(1, dtype=float)
        return seats

    @cached_property
    def together(self) -> Floats:
        """[A, A] in how many games the one and the other sat; on the diagonal, in how many the agent did."""
        games: Floats = (self.sat > 0).T @ (self.counts[:, None] * (self.sat > 0))
        return games

    @cached_property
    def before(self) -> Floats:
        """[A, A] how often a seat of the one finished before a seat of the other; nothing on the diagonal."""
        before = np.zeros((len(self.names), len(self.names)))
        for first, second in combinations(range(self.players), 2):
            np.add.at(before, (self.agents[:, first], self.agents[:, second]), self.counts)
        np.fill_diagonal(before, 0)
        return before

    def resamples(self, number: int, seed: int) -> Iterator[tuple[np.random.Generator, Floats]]:
        """The bootstrap over blocks, in steps of R resamples: a generator for more luck, and weights of orders [R, K].

        Blocks of each pairing get random weights that add up to their number: gamma weights, which is the Bayesian
        bootstrap of Rubin (1981), a smooth form of drawing blocks with replacement. Pairings are not mixed, since the
        schedule fixed how many blocks each has. The weights spread so that the variance of a mean of B blocks is
        without bias, as with B - 1 in place of B in its formula; a pairing of one block cannot spread at all.
        """
        rng = np.random.default_rng(seed)
        of_pairing = np.repeat(np.arange(len(self.starts)), np.diff([*self.starts, len(self.times)]))
        size = self.blocks_of_pairings[of_pairing]
        shapes = self.times * np.maximum((size - 2) / size, LEAST_SHAPE)
        step = max(CHUNK // max(len(self.orders), len(self.times)), 1)
        for first in range(0, number, step):
            drawn = rng.standard_gamma(shapes, (min(step, number - first), len(shapes)))
            sums = np.add.reduceat(drawn, self.starts, axis=1)
            weights = drawn * (self.blocks_of_pairings / sums)[:, of_pairing]
            yield rng, np.array([self._orders_of(each) for each in weights])

    def _orders_of(self, weights: Floats) -> Floats:
        """[K] the orders' weights by the blocks' [P]."""
        return np.bincount(self.order, self.count * weights[self.block], len(self.orders))


def tally(rows: pl.DataFrame) -> Tally:
    """Count the rows of one number of players: a row per game and seat. Raises ResultsError."""
    players = _players(rows)
    _check(rows, players)
    rows = rows.select(USED).sort("block", "game", "rank")
    names = sorted(rows["agent"].unique())
    agents = rows["agent"].cast(pl.Enum(names)).to_physical().cast(pl.Int64).to_numpy().reshape(-1, players)
    seats = rows["seat"].cast(pl.Int64).to_numpy().reshape(-1, players)
    orders, order = np.unique(agents * players + seats, axis=0, return_inverse=True)
    games = rows.gather_every(players)
    pairing = games["pairing"].rank("dense").cast(pl.Int64).to_numpy() - 1
    kinds, times = _alike(games["block"].rank("dense").cast(pl.Int64).to_numpy() - 1, pairing, order.reshape(-1))
    block, place = np.nonzero(kinds[:, 1:] >= 0)
    entries, count = np.unique(np.stack([block, kinds[block, place + 1]]), axis=1, return_counts=True)
    return Tally(players, tuple(names), orders, times, kinds[:, 0], entries[0], entries[1], count)


def _players(rows: pl.DataFrame) -> int:
    missing = [name for name in USED if name not in rows.columns]
    if missing:
        raise ResultsError(f"the results have no column {missing[0]!r}, expected {', '.join(USED)}")
    numbers = rows["players"].unique().to_list()
    if len(numbers) != 1:
        raise ResultsError(f"games of one number of players are rated together, not of {numbers or 'none'}")
    return int(numbers[0])


def _check(rows: pl.DataFrame, players: int) -> None:
    """Every game has each seat and each rank once."""
    seat, rank = pl.col("seat"), pl.col("rank")
    different = (pl.len() == players) & (seat.n_unique() == players) & (rank.n_unique() == players)
    within = (seat.max() < players) & (rank.min() >= 1) & (rank.max() <= players)
    broken = rows.group_by("block", "game").agg(whole=different & within).filter(~pl.col("whole"))["game"]
    if len(broken):
        raise ResultsError(
            f"game {min(broken)} is not whole: expected every seat and every rank of {players} players once"
        )


def _alike(block: Ints, pairing: Ints, order: Ints) -> tuple[Ints, Ints]:
    """Blocks that came out alike: rows of [pairing, orders sorted and filled up with -1], and how many there are."""
    sorting = np.lexsort((order, block))
    block, pairing, order = block[sorting], pairing[sorting], order[sorting]
    starts = np.flatnonzero(np.diff(block, prepend=-1))
    place = np.arange(len(block)) - starts[block]
    kinds = np.full((len(starts), place.max() + 2), -1)
    kinds[:, 0] = pairing[starts]
    kinds[block, place + 1] = order
    alike, times = np.unique(kinds, axis=0, return_counts=True)
    return alike, times
