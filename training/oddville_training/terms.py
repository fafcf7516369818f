"""What all games of a run are played by: every process that plays gets these few values."""

from dataclasses import dataclass
from typing import NamedTuple

from oddville_env.rules.box import Box
from oddville_env.settings import make_box
from oddville_training.schedule import Schedule


class Entrant(NamedTuple):
    """Who takes part: a name that is unique in the run, and the spec of an agent."""

    name: str
    spec: str


@dataclass(frozen=True)
class Terms:
    """What all games of a run are played by. limit_s: seconds for a move; memory_mb: for a process of a guarded agent."""

    entrants: tuple[Entrant, ...]
    schedule: Schedule
    table: tuple[int, int]
    max_rounds: int
    cards: str | None
    moves: bool
    limit_s: float
    memory_mb: int

    @property
    def names(self) -> list[str]:
        """The agents' names."""
        return [entrant.name for entrant in self.entrants]

    def box(self, players: int) -> Box:
        """What games of so many players are played with."""
        return make_box(players, self.table, self.max_rounds, self.cards)
