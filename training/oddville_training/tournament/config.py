"""The settings of all games of a run: every process that plays gets these few values."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Any, NamedTuple

from oddville_agents.roster import FIRST_GAME
from oddville_env.core.checked import check_seed, whole_number
from oddville_env.core.errors import SettingError, shown
from oddville_env.core.game.game_type import GameType, game_type
from oddville_training.tournament.schedule import MOST_BLOCKS, Schedule, Section, round_robin

LIMIT_S, MEMORY_MB = 60.0, 2048
LONGEST_LIMIT_S = 86_400  # a day: no system waits for ever


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
