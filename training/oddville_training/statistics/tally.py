"""The rows of a tournament, counted: orders of finish, their numbers, and their blocks."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations

import numpy as np
import polars as pl

from oddville_env.core.errors import GameError
from oddville_training.statistics.intervals import Floats, Ints, Z

USED = ("players", "deal", "block", "pairing", "game", "seat", "agent", "rank")
RESAMPLES = 1000
HALF = 0.5  # of a game half won and half lost: both weights, and the shape of both where they are random
CHUNK = 2_000_000  # numbers that the resamples of one step may take up
ONE_DEAL = "All games are of one deal: luck cannot be separated from strength, and intervals are too narrow."
STUDENT = (Z**2 + 1) / 4  # t at 95 % is 1 + STUDENT / freedom times the normal, nearly (Cornish and Fisher)
LEAST_SHAPE = 0.05  # of a gamma weight, where two deals would leave nothing


class ResultsError(GameError):
    """Results that are no results of a tournament."""


@dataclass(frozen=True)
class Tally:
    """The games of one number of players, counted: all that standings and ratings need.

    K different orders of finish, D different deals, P different blocks, N seats. Deals that came out alike in all their
    blocks are counted together. An item is an agent in a seat: agent * players + seat. A game with equals in it counts
    as an equal part of each order that they could have finished in.
    """

    players: int
    names: tuple[str, ...]  # sorted
    orders: Ints  # [K, N] items, the winner first
    times: Ints  # [D] how many deals came out so
    deal: Ints  # [P] the deal of each block
    pairing: Ints  # [P] ascending
    block: Ints  # [E] entries of a sparse matrix: of blocks ...
    order: Ints  # [E] ... and orders
    count: Floats  # [E] how many games of the block ended in this order

    @property
    def agents(self) -> Ints:
        """[K, N] the agent at each rank."""
        return self.orders // self.players

    @property
    def seats(self) -> Ints:
        """[K, N] the seat at each rank."""
        return self.orders % self.players

    @property
    def deals(self) -> int:
        """The number of deals."""
        return int(self.times.sum())

    @cached_property
    def counts(self) -> Floats:
        """[K] how many games ended in each order."""
        return self._orders_of(self.times[self.deal])

    @cached_property
    def starts(self) -> Ints:
        """The first block of every pairing."""
        return np.flatnonzero(np.diff(self.pairing, prepend=-1))

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
        """The bootstrap over deals, in steps of R resamples: a generator for more luck, and weights of orders [R, K].

        Deals get random weights, which all their blocks share, as the blocks of all pairings share the deal's luck:
        gamma weights, which is the Bayesian bootstrap of Rubin (1981), a smooth form of drawing with replacement. The
        weights of each pairing's blocks add up to their number, since the schedule fixed how many it has. They spread
        so that the variance of a mean of D deals is without bias, as with D - 1 in place of D in its formula, and
        as much wider as Student's t asks where that variance is itself uncertain; one deal cannot spread at all.
        """
        rng = np.random.default_rng(seed)
        blocks_of_pairings = np.add.reduceat(self.times[self.deal], self.starts)
        of_pairing = np.repeat(np.arange(len(self.starts)), np.diff([*self.starts, len(self.deal)]))
        wider = (1 + STUDENT / max(self.deals - 1, 1)) ** 2
        shapes = self.times * max((1 - 2 / self.deals) / wider, LEAST_SHAPE)
        step = max(CHUNK // max(len(self.orders), len(self.deal)), 1)
        for first in range(0, number, step):
            drawn = rng.standard_gamma(shapes, (min(step, number - first), len(shapes)))[:, self.deal]
            sums = np.add.reduceat(drawn, self.starts, axis=1)
            weights = drawn * (blocks_of_pairings / sums)[:, of_pairing]
            yield rng, np.array([self._orders_of(each) for each in weights])

    def _orders_of(self, weights: Floats) -> Floats:
        """[K] the orders' weights by the blocks' [P]."""
        return np.bincount(self.order, self.count * weights[self.block], len(self.orders))


def tally(rows: pl.DataFrame) -> Tally:
    """Count the rows of one number of players: a row per game and seat. Raises ResultsError."""
    players = _checked_players(rows)
    rows = rows.select(USED).sort("block", "game", "rank")
    names = sorted(rows["agent"].unique())
    agents = rows["agent"].cast(pl.Enum(names)).to_physical().cast(pl.Int64).to_numpy().reshape(-1, players)
    seats = rows["seat"].cast(pl.Int64).to_numpy().reshape(-1, players)
    game, orders, parts = _strict_orders(agents * players + seats, rows["rank"].to_numpy().reshape(-1, players))
    games = rows.gather_every(players)
    pairing, deals = _numbers(games["pairing"])[game], _numbers(games["deal"])[game]
    different, order = np.unique(np.column_stack([pairing, parts, orders]), axis=0, return_inverse=True)
    kinds, times = _alike(deals, order.reshape(-1))
    deal, column = np.nonzero(kinds >= 0)
    entries, count = np.unique(np.stack([deal, kinds[deal, column]]), axis=1, return_counts=True)
    blocks = np.stack([different[entries[1], 0], entries[0]])
    (pairings, deals), block = np.unique(blocks, axis=1, return_inverse=True)
    counts = count / different[entries[1], 1]
    return Tally(players, tuple(names), different[:, 2:], times, deals, pairings, block.reshape(-1), entries[1], counts)


def _strict_orders(items: Ints, ranks: Ints) -> tuple[Ints, Ints, Ints]:
    """The game of each order that games [G, N] may have ended in, as equals allow, its items [N], how many share it."""
    number, players = items.shape
    if (np.diff(ranks) > 0).all():
        return np.arange(number), items, np.ones(number, np.int64)
    orders = np.array(list(permutations(range(players))))
    fits = (np.diff(ranks[:, orders].astype(np.int64)) >= 0).all(2)  # [G, orders]
    game, which = np.nonzero(fits)
    return game, items[game[:, None], orders[which]], fits.sum(1)[game]


def _numbers(column: pl.Series) -> Ints:
    """The different values numbered from 0, in their order."""
    return column.rank("dense").cast(pl.Int64).to_numpy() - 1


def _checked_players(rows: pl.DataFrame) -> int:
    """How many play: every game has each seat once, and ranks from 1 in which equals share the better one."""
    missing = [name for name in USED if name not in rows.columns]
    if missing:
        raise ResultsError(f"the results have no column {missing[0]!r}, expected {', '.join(USED)}")
    numbers = rows["players"].unique().to_list()
    if len(numbers) != 1:
        raise ResultsError(f"games of one number of players are rated together, not of {numbers or 'none'}")
    players, seat, rank = int(numbers[0]), pl.col("seat"), pl.col("rank")
    seats = (pl.len() == players) & (seat.n_unique() == players) & (seat.max() < players)
    ranked = (rank == rank.rank("min")).all()
    broken = rows.group_by("block", "game").agg(whole=seats & ranked).filter(~pl.col("whole"))["game"]
    if len(broken):
        raise ResultsError(
            f"game {min(broken)} is not whole: expected every seat and every rank of {players} players once, "
            "where equals share the better rank"
        )
    return players


def _alike(deal: Ints, order: Ints) -> tuple[Ints, Ints]:
    """Deals that came out alike: rows of their orders, sorted and filled up with -1, and how many there are."""
    sorting = np.lexsort((order, deal))
    deal, order = deal[sorting], order[sorting]
    starts = np.flatnonzero(np.diff(deal, prepend=-1))
    column = np.arange(len(deal)) - starts[deal]
    kinds = np.full((len(starts), column.max() + 1), -1)
    kinds[deal, column] = order
    alike, times = np.unique(kinds, axis=0, return_counts=True)
    return alike, times
