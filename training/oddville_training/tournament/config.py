"""What all games of a run are played by: every process that plays gets these few values."""

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from typing import NamedTuple

from oddville_env.core.checks import whole_number
from oddville_env.core.errors import SettingError
from oddville_env.core.seeds import check_seed
from oddville_env.oddville.rules.box import Box
from oddville_env.oddville.rules.state import DEFAULT_TABLE, SEATS
from oddville_env.oddville.settings import MAX_ROUNDS, make_box
from oddville_training.tournament.schedule import MOST_BLOCKS, Schedule, Section, round_robin

LIMIT_S, MEMORY_MB = 60.0, 2048
LONGEST_LIMIT_S = 86_400  # a day: no system waits for ever


class Entrant(NamedTuple):
    """Who takes part: a name that is unique in the run, and the spec of an agent."""

    name: str
    spec: str


@dataclass(frozen=True)
class TournamentConfig:
    """What all games of a run are played by.

    cards: a folder, None for the base card set · moves: records are kept · limit_s: seconds for a move · memory_mb: for
    the process of an agent with code of its own.
    """

    entrants: tuple[Entrant, ...]
    schedule: Schedule
    table: tuple[int, int] = DEFAULT_TABLE
    max_rounds: int = MAX_ROUNDS
    cards: str | None = None
    moves: bool = False
    limit_s: float = LIMIT_S
    memory_mb: int = MEMORY_MB

    def __post_init__(self) -> None:
        """Check what nothing else checks. Raises SettingError and CardError."""
        whole_number("memory_mb", self.memory_mb, 1)
        if not 0 < self.limit_s <= LONGEST_LIMIT_S:
            raise SettingError(f"limit_s must be above 0 and at most {LONGEST_LIMIT_S} seconds, not {self.limit_s}")
        for section in self.schedule.sections:
            self.box(section.players)

    @property
    def names(self) -> list[str]:
        """The agents' names."""
        return [entrant.name for entrant in self.entrants]

    def box(self, players: int) -> Box:
        """What games of so many players are played with."""
        return make_box(players, self.table, self.max_rounds, self.cards)


def entrants_of(specs: Sequence[str]) -> tuple[Entrant, ...]:
    """The agents of a run: each is called by its spec, and numbered where the spec comes again."""
    entrants: list[Entrant] = []
    taken = set(specs)
    for place, spec in enumerate(specs):
        name, number = spec, 1 + specs[:place].count(spec)
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
    challenger: str | None = None,
    full: bool = False,
    cards: str | PathLike[str] | None = None,
    **limits: object,
) -> TournamentConfig:
    """A round robin, or a gauntlet for a challenger, with each of some numbers of players; limits: other config.

    blocks: deals, each of which every line-up plays in all seats. Raises ScheduleError, SettingError and CardError.
    """
    entrants = entrants_of(specs)
    names = [entrant.name for entrant in entrants]
    if challenger is not None and challenger not in names:
        raise SettingError(f"the challenger must be one of the agents ({', '.join(names)}), not {challenger!r}")
    if len(set(players)) != len(players) or not players:
        raise SettingError(f"players must be different numbers, not {', '.join(map(str, players)) or 'none'}")
    sections = []
    for number in players:
        lineups = round_robin(len(specs), whole_number("players", number, 2, SEATS))
        with_it = [lineup for lineup in lineups if challenger is None or names.index(challenger) in lineup]
        sections.append(Section(number, tuple(with_it), full))
    schedule = Schedule(tuple(sections), check_seed(seed), whole_number("blocks", blocks, 1, MOST_BLOCKS))
    where = None if cards is None else fspath(cards)
    return TournamentConfig(entrants, schedule, cards=where, **limits)  # type: ignore[arg-type]
