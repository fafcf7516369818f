"""The schedule of a run and the settings of all its games: every process that plays gets these few values.

The unit is a *block*: one deal with every seating that makes it fair to a line-up. All chance of a game follows from
its deal, so every line-up meets the same luck. Blocks are numbered deal by deal, and within a deal line-up by line-up:
any beginning of the list is nearly balanced.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from itertools import combinations, permutations
from typing import Any, NamedTuple

import numpy as np

from oddville_agents.roster import FIRST_GAME
from oddville_env.core.checked import check_seed, game_seeds, whole_number
from oddville_env.core.errors import GameError, SettingError, shown
from oddville_env.core.game.game_type import GameType, game_type

Lineup = tuple[int, ...]
"""The agents of a game by place, as indices; a place is a chair that goes round the table from game to game."""

MOST_BLOCKS = 100_000_000  # of a line-up
LIMIT_S, MEMORY_MB = 60.0, 2048
LONGEST_LIMIT_S = 86_400  # a day: no system waits for ever


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


class Entrant(NamedTuple):
    """An agent that takes part: a name that is unique in the run, and the spec of an agent."""

    name: str
    spec: str


@dataclass(frozen=True)
class TournamentConfig:
    """The settings of all games of a run.

    settings: of a game of `game`, with any number of players; None for the usual ones · moves: records are kept ·
    limit_s: seconds for a move · memory_mb: for the process of an agent with code of its own.
    """

    entrants: tuple[Entrant, ...]
    schedule: Schedule
    game: GameType = field(default_factory=partial(game_type, FIRST_GAME))
    settings: Any = field(default=None)
    moves: bool = False
    limit_s: float = LIMIT_S
    memory_mb: int = MEMORY_MB

    def __post_init__(self) -> None:
        """Check what nothing else checks. Raises SettingError."""
        whole_number("memory_mb", self.memory_mb, 1)
        if not 0 < self.limit_s <= LONGEST_LIMIT_S:
            raise SettingError(f"limit_s must be above 0 and at most {LONGEST_LIMIT_S} seconds, not {self.limit_s}")
        if self.settings is None:
            object.__setattr__(self, "settings", self.game.settings(self.schedule.sections[0].players))

    @property
    def names(self) -> list[str]:
        """The agents' names."""
        return [entrant.name for entrant in self.entrants]

    def box(self, players: int) -> Any:
        """The box of games of so many players."""
        return self.game.box(replace(self.settings, players=players))


def entrants_of(specs: Sequence[str]) -> tuple[Entrant, ...]:
    """The agents of a run: each is called by its spec, and numbered where the spec comes again."""
    entrants: list[Entrant] = []
    taken = set(specs)
    for index, spec in enumerate(specs):
        name, number = spec, 1 + specs[:index].count(spec)
        while number > 1 and (name := f"{spec} #{number}") in taken:
            number += 1
        taken.add(name)
        entrants.append(Entrant(name, spec))
    return tuple(entrants)


def tournament_config(
    specs: Sequence[str],
    players: Sequence[int] = (2,),
    blocks: int = 200,
    seed: int = 0,
    *,
    game: GameType | None = None,
    challenger: str | None = None,
    full: bool = False,
    **more: Any,
) -> TournamentConfig:
    """A round robin, or a gauntlet for a challenger, with each of some numbers of players.

    blocks: deals, each of which every line-up plays in all seats; more: settings of the game, and what else a
    TournamentConfig takes. Raises ScheduleError, SettingError and what the game's settings raise.
    """
    game, entrants = game or game_type(FIRST_GAME), entrants_of(specs)
    names = [entrant.name for entrant in entrants]
    if challenger is not None and challenger not in names:
        raise SettingError(f"the challenger must be one of the agents ({', '.join(names)}), not {shown(challenger)}")
    if len(set(players)) != len(players) or not players:
        raise SettingError(f"players must be different numbers, not {', '.join(map(str, players)) or 'none'}")
    sections = []
    for number in players:
        lineups = round_robin(len(specs), whole_number("players", number, game.players[0], game.players[-1]))
        with_it = [lineup for lineup in lineups if challenger is None or names.index(challenger) in lineup]
        sections.append(Section(number, tuple(with_it), full))
    schedule = Schedule(tuple(sections), check_seed(seed), whole_number("blocks", blocks, 1, MOST_BLOCKS))
    own = {each.name for each in fields(TournamentConfig)} & more.keys()
    settings = {name: value for name, value in more.items() if name not in own}
    first = game.settings(players=sections[0].players, **settings)
    return TournamentConfig(entrants, schedule, game, first, **{name: more[name] for name in own})
