"""Which agents a page lets one choose from."""

from collections.abc import Iterable

from oddville_env.core.game.game_type import GameType
from oddville_env.core.system.lazy_packages import HUMAN, find_agents

OFFERED = ("random", "greedy", "champion", "search:ms=200", "search:ms=1000", "search:ms=5000")


def offered_agents(game_type: GameType, named: Iterable[str] = ()) -> list[str]:
    """The usual agents that the game has, those of its levels, and those that somebody named."""
    known = find_agents().built_in(game_type.name)
    usual = [spec for spec in OFFERED if spec.split(":")[0] in known]
    levels = find_agents("roster").roster_of(game_type.name).levels
    return [*usual, *levels, *(spec for spec in named if spec != HUMAN)]
