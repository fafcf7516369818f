"""What a run of Old Town's self-play is made of: each setting with its default and what it may be.

The presets are TOML files beside this one; `champion` made the network that ships.
"""

from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from oddville_env.core.errors import OddVilleError, shown
from oddville_env.core.files import read_toml
from oddville_env.core.kinds import Kind, above_zero, check, number, several, whole
from oddville_env.oldtown.settings import PLAYERS

PRESETS = Path(__file__).resolve().parent / "presets"
MOST = 10**9
MOST_ROUNDS = 10_000
LARGEST_SEED = 2**32 - 1
GAMES = ("warm_games", "games")


class PlanError(OddVilleError):
    """A run that cannot begin or go on as it was asked to."""


def _setting(default: Any, kind: Kind) -> Any:
    return field(default=default, metadata={"kind": kind})


_games = several(whole(1, MOST), 1, len(PLAYERS))


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How to learn. Numbers of games are for each number of players, in the order of `players`. Raises PlanError."""

    players: tuple[int, ...] = _setting((2,), several(whole(PLAYERS[0], PLAYERS[-1]), 1, len(PLAYERS)))
    seed: int = _setting(0, whole(0, LARGEST_SEED))
    warm_games: tuple[int, ...] = _setting((6000,), _games)  # of the heuristic
    rounds: int = _setting(2, whole(0, MOST_ROUNDS))  # of self-play
    games: tuple[int, ...] = _setting((3000,), _games)  # of each of these rounds
    guests: float = _setting(0.3, number(0, 1))  # the part of the games with the heuristic at the table
    share: float = _setting(0.3, above_zero(1))  # the part of the moves that are learned from
    window: int = _setting(3, whole(1, MOST_ROUNDS))  # rounds whose games are learned from
    td_lambda: float = _setting(0.9, number(0, 1))  # what a target takes from what followed
    epochs: int = _setting(2, whole(1, 1000))
    batch: int = _setting(1024, whole(2, 10**6))
    rate: float = _setting(1.5e-3, above_zero(1))
    evaluation: int = _setting(600, whole(12, 10**6))  # games against the heuristic, for each number of players

    def __post_init__(self) -> None:
        """Check every setting alone, then those that depend on each other."""
        check(vars(self), {each.name: each.metadata["kind"] for each in fields(self)}, PlanError)
        if len(set(self.players)) < len(self.players):
            raise PlanError("players must name each number once")
        for name in GAMES:
            if len(getattr(self, name)) != len(self.players):
                raise PlanError(f"{name} must have a number for each of players, {len(self.players)} in all")

    def only(self, players: int) -> "Plan":
        """The same for one number of players."""
        at = self.players.index(players) if players in self.players else 0
        games: dict[str, Any] = {name: (getattr(self, name)[at],) for name in GAMES}
        return replace(self, players=(players,), **games)

    def as_plain(self) -> dict[str, Any]:
        """All settings as plain values."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}


def preset(name: str) -> Plan:
    """The plan of a preset; raises PlanError."""
    names = sorted(path.stem for path in PRESETS.glob("*.toml"))
    if name not in names:
        raise PlanError(f"there is no preset {shown(name)}, expected {', '.join(names)}")
    return read_plan(PRESETS / f"{name}.toml")


def read_plan(path: Path) -> Plan:
    """The plan in a TOML file; raises PlanError."""
    plain = read_toml(path, "a plan", PlanError)
    try:
        return plan_of(plain)
    except PlanError as error:
        raise PlanError(f"{path}: {error}") from None


def plan_of(plain: dict[str, Any]) -> Plan:
    """The plan that plain values say; raises PlanError."""
    names = [each.name for each in fields(Plan)]
    for name in plain:
        if name not in names:
            raise PlanError(f"there is no setting {shown(name)}, expected some of {', '.join(names)}")
    given: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in plain.items()}
    return Plan(**given)
