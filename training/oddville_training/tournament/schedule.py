"""The schedule: line-ups, deals and seatings.

The unit is a *block*: one deal with every seating that makes it fair to a line-up. All chance of a game follows from
its deal, so every line-up meets the same luck. Blocks are numbered deal by deal, and within a deal line-up by line-up:
any beginning of the list is nearly balanced.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations
from typing import NamedTuple

import numpy as np

from oddville_env.core.checked import game_seeds
from oddville_env.core.errors import GameError

Lineup = tuple[int, ...]
"""The agents of a game by place, as indices; a place is a chair that goes round the table from game to game."""

MOST_AT_ONCE = 2048  # blocks in a chunk
GOAL = 0.5  # seconds that a chunk should take
MOST_BLOCKS = 100_000_000  # of a line-up


class ScheduleError(GameError):
    """Agents that cannot be set against each other as asked."""


def seatings(lineup: Lineup, full: bool = False) -> np.ndarray:
    """The place in each seat of every game of a block, [K, P]: the rotations, or all orders that differ.

    In the k-th rotation the first place sits in seat k.
    """
    seats = np.arange(len(lineup))
    rounds: np.ndarray = (seats - seats[:, None]) % len(lineup)
    if not full:
        return rounds
    distinct = {tuple(lineup[place] for place in order): order for order in permutations(range(len(lineup)))}
    first = [tuple(lineup[place] for place in order) for order in rounds.tolist()]
    rest = [agents for agents in sorted(distinct) if agents not in first]
    return np.array([*rounds.tolist(), *(distinct[agents] for agents in rest)])


def round_robin(agents: int, players: int) -> list[Lineup]:
    """All line-ups of different agents; where there are too few, each agent against a table full of each other one."""
    if agents < 2:
        raise ScheduleError(f"a tournament needs at least 2 agents, not {agents}")
    if agents >= players:
        return list(combinations(range(agents), players))
    return [one_against(one, other, players) for one, other in permutations(range(agents), 2)]


def one_against(one: int, other: int, players: int) -> Lineup:
    """One agent against a table full of another."""
    return (one, *[other] * (players - 1))


@dataclass(frozen=True)
class Section:
    """The games of one number of players: its line-ups all have equally many seatings."""

    players: int
    lineups: tuple[Lineup, ...]
    full: bool = False

    @cached_property
    def seatings(self) -> tuple[np.ndarray, ...]:
        """The seatings [K, P] of each line-up."""
        return tuple(seatings(lineup, self.full) for lineup in self.lineups)

    @property
    def games(self) -> int:
        """The number of games in a block."""
        return len(self.seatings[0])


class Chunk(NamedTuple):
    """Blocks of one line-up, to be played in one go: their numbers [D] and their deals' seeds, uint64 [D]."""

    section: int
    lineup: int
    blocks: np.ndarray
    deals: np.ndarray


class Games(NamedTuple):
    """The games of a chunk: numbers of their blocks and their own [T], the place and the agent in each seat [T, P]."""

    blocks: np.ndarray
    games: np.ndarray
    seating: np.ndarray
    agents: np.ndarray


@dataclass(frozen=True)
class Schedule:
    """All blocks of a run: every line-up of every section on each of the deals."""

    sections: tuple[Section, ...]
    seed: int
    number: int  # of deals

    @cached_property
    def deals(self) -> np.ndarray:
        """The seeds of the deals, uint64: the first ones are the same for any number."""
        return game_seeds(self.seed, self.number)

    @cached_property
    def first_blocks(self) -> np.ndarray:
        """The number of each section's first block, and behind the last the number of blocks."""
        return np.cumsum([0, *(len(section.lineups) * self.number for section in self.sections)])

    @cached_property
    def first_games(self) -> np.ndarray:
        """The same for games."""
        sizes = [len(section.lineups) * self.number * section.games for section in self.sections]
        return np.cumsum([0, *sizes])

    @property
    def blocks(self) -> int:
        """The number of blocks."""
        return int(self.first_blocks[-1])

    def places(self, blocks: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The section, the line-up and the deal of blocks, as indices."""
        sections = np.searchsorted(self.first_blocks, blocks, side="right") - 1
        inside = blocks - self.first_blocks[sections]
        lineups = np.array([len(section.lineups) for section in self.sections])[sections]
        return sections, inside % lineups, inside // lineups

    def games_of(self, chunk: Chunk) -> Games:
        """All games of a chunk, block by block."""
        section = self.sections[chunk.section]
        each = section.games
        first = self.first_games[chunk.section] + (chunk.blocks - self.first_blocks[chunk.section]) * each
        games = first[:, None] + np.arange(each)
        seating = np.tile(section.seatings[chunk.lineup], (len(chunk.blocks), 1))
        agents = np.array(section.lineups[chunk.lineup])[seating]
        return Games(chunk.blocks.repeat(each), games.reshape(-1), seating, agents)

    def chunk(self, section: int, lineup: int, deals: np.ndarray) -> Chunk:
        """The blocks of a line-up on deals, given as indices."""
        step = len(self.sections[section].lineups)
        blocks = self.first_blocks[section] + deals * step + lineup
        return Chunk(section, lineup, blocks, self.deals[deals])


class Pending:
    """The blocks that are still to be played, handed out in chunks, the furthest behind first."""

    def __init__(self, schedule: Schedule, done: np.ndarray, workers: int) -> None:
        """done: the numbers of the blocks that need not be played."""
        self._schedule, self._workers = schedule, workers
        left = np.ones(schedule.blocks, np.bool_)
        left[done] = False
        self._left: dict[tuple[int, int], np.ndarray] = {}
        deals = np.arange(schedule.number)
        for number, section in enumerate(schedule.sections):
            for lineup in range(len(section.lineups)):
                self._left[number, lineup] = deals[left[schedule.chunk(number, lineup, deals).blocks]]
        self._seconds: dict[tuple[int, int], float] = {}  # that a block takes

    def __len__(self) -> int:
        """The number of blocks not yet handed out."""
        return sum(len(deals) for deals in self._left.values())

    def took(self, chunk: Chunk, seconds: float) -> None:
        """Note the seconds that a chunk took: the next one of its line-up is cut accordingly."""
        self._seconds[chunk.section, chunk.lineup] = seconds / len(chunk.blocks)

    def take(self) -> Chunk | None:
        """The next chunk, None when all are handed out.

        A chunk takes about as long as the goal, but less at the end, when others would wait for it: down to a tenth.
        """
        open_ones = [(int(deals[0]), where) for where, deals in self._left.items() if len(deals)]
        if not open_ones:
            return None
        _, where = min(open_ones)
        fair = -(-len(self) // (2 * self._workers)) if self._workers > 1 else len(self)
        quick = min(int(GOAL / self._seconds[where]), MOST_AT_ONCE) if where in self._seconds else 1
        size = max(min(fair, quick), quick // 10, 1)
        deals, self._left[where] = np.split(self._left[where], [size])
        return self._schedule.chunk(*where, deals)
