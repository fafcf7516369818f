"""What a run of self-play is made of: a TOML file, each setting with its default and what it may be.

The presets `first`, `quick`, `hour` and `night` are such files beside this one; `champion` made the network that ships,
`response` learns to beat it.
"""

from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from oddville_env.core.errors import OddVilleError, shown
from oddville_env.core.files import read_toml
from oddville_env.core.kinds import Kind, above_zero, check, number, several, text, whole
from oddville_env.oddville.cards.sizes import PLAYERS

PRESETS = Path(__file__).resolve().parent / "presets"
BASE_SET = "base"
MOST = 10**9
MOST_ROUNDS = 10_000
LARGEST_SEED = 2**32 - 1
GAMES = ("warm_games", "games", "search_games", "value_games")
MAY_CHANGE = ("rounds", "search_rounds", "value_rounds")  # when a run goes on


class PlanError(OddVilleError):
    """A run that cannot begin or go on as it was asked to."""


def _setting(default: Any, kind: Kind) -> Any:
    return field(default=default, metadata={"kind": kind})


_games = several(whole(1, MOST), 1, len(PLAYERS))


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How to learn. Numbers of games are for each number of players, in the order of `players`. Raises PlanError."""

    players: tuple[int, ...] = _setting((2,), several(whole(PLAYERS[0], PLAYERS[-1]), 1, len(PLAYERS)))
    cards: tuple[str, ...] = _setting((BASE_SET,), several(text(), 1, MOST))  # `base`, `drawn:SEED`, or a folder
    seed: int = _setting(0, whole(0, LARGEST_SEED))
    threads: int = _setting(1, whole(1, 256))  # of torch
    start: str | None = _setting(None, text().or_none())  # a network to begin with, instead of the games of greedy
    # Games
    warm_games: tuple[int, ...] = _setting((20_000,), _games)  # of greedy
    rounds: int = _setting(3, whole(0, MOST_ROUNDS))  # of self-play
    games: tuple[int, ...] = _setting((12_000,), _games)  # of each of these rounds
    past: float = _setting(0.2, number(0, 1))  # the part of the games with past networks and greedy at the table
    rival: str | None = _setting(None, text().or_none())  # `greedy` or a network: learn to beat it in all other seats
    search_rounds: int = _setting(0, whole(0, MOST_ROUNDS))  # in which search says what it would do, after the others
    search_games: tuple[int, ...] = _setting((400,), _games)  # of each of these rounds
    value_rounds: int = _setting(0, whole(0, MOST_ROUNDS))  # in which search says how good positions are, at the end
    value_games: tuple[int, ...] = _setting((6000,), _games)  # of each of these rounds
    sims: int = _setting(64, whole(1, 100_000))  # iterations of each search
    share: float = _setting(0.25, above_zero(1))  # the part of the decisions that are learned from
    # Learning
    window: int = _setting(2, whole(1, MOST_ROUNDS))  # rounds whose games are learned from
    td_lambda: float = _setting(0.85, number(0, 1))  # what a target takes from what followed
    epochs: int = _setting(2, whole(1, 1000))
    batch: int = _setting(1024, whole(2, 10**6))
    rate: float = _setting(1.5e-3, above_zero(1))
    # Measuring
    evaluation: int = _setting(600, whole(12, 10**6))  # games against each anchor, for each number of players

    def __post_init__(self) -> None:
        """Check every setting alone, then those that depend on each other."""
        check(vars(self), {each.name: each.metadata["kind"] for each in fields(self)}, PlanError)
        if len(set(self.players)) < len(self.players):
            raise PlanError("players must name each number once")
        for name in GAMES:
            if len(getattr(self, name)) != len(self.players):
                raise PlanError(f"{name} must have a number for each of players, {len(self.players)} in all")
        if self.start is not None and self.rounds + self.search_rounds + self.value_rounds == 0:
            raise PlanError("a run that has a network to begin with needs rounds")

    def only(self, players: int) -> "Plan":
        """The same for one number of players."""
        at = self.players.index(players) if players in self.players else 0
        games: dict[str, Any] = {name: (getattr(self, name)[at],) for name in GAMES}
        return replace(self, players=(players,), **games)

    def as_plain(self) -> dict[str, Any]:
        """All settings as plain values."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}


def preset_names() -> list[str]:
    """The presets there are."""
    return sorted(path.stem for path in PRESETS.glob("*.toml"))


def preset(name: str) -> Plan:
    """The plan of a preset; raises PlanError."""
    if name not in preset_names():
        raise PlanError(f"there is no preset {shown(name)}, expected {', '.join(preset_names())}")
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
