"""Plans of self-play of any game: settings that are checked, and presets as TOML files."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from math import inf
from pathlib import Path
from typing import Any, ClassVar, Self

from oddville_env.core.checked.kinds import ValueKind, above_zero, check, whole
from oddville_env.core.checked.settings import as_it_was_set
from oddville_env.core.disk.files import read_toml
from oddville_env.core.errors import GameError, SettingError, shown

MOST = 10**9
MOST_ROUNDS = 10_000
LARGEST_SEED = 2**32 - 1


class PlanError(GameError):
    """A run that cannot begin or go on as it was asked to."""


def check_minutes(minutes: float | None) -> None:
    """Raises SettingError for a limit of time that is none."""
    if minutes is not None and not 0 < minutes < inf:
        raise SettingError(f"minutes must be a number above 0, not {minutes}")


def setting(default: Any, kind: ValueKind) -> Any:
    """A setting of a plan, and what it may be."""
    return field(default=default, metadata={"kind": kind})


@dataclass(frozen=True, kw_only=True)
class SelfPlayPlan:
    """A run's settings; numbers of games are for each number of players, in their order. Raises PlanError."""

    GAMES: ClassVar[tuple[str, ...]]
    """The settings that are numbers of games."""
    PRESETS: ClassVar[Path]
    """The folder of the presets."""
    players: tuple[int, ...]
    seed: int = setting(0, whole(0, LARGEST_SEED))
    # Learning
    epochs: int = setting(2, whole(1, 1000))
    batch: int = setting(1024, whole(2, 10**6))
    rate: float = setting(1.5e-3, above_zero(1))
    # Measuring
    evaluation: int = setting(600, whole(12, 10**6))  # games against each anchor, for each number of players

    def __post_init__(self) -> None:
        """Check every setting alone, then those that depend on each other."""
        check(vars(self), {each.name: each.metadata["kind"] for each in fields(self)}, PlanError)
        if len(set(self.players)) < len(self.players):
            raise PlanError("players must name each number once")
        for name in self.GAMES:
            if len(getattr(self, name)) != len(self.players):
                raise PlanError(f"{name} must have a number for each of players, {len(self.players)} in all")

    def only(self, players: int) -> Self:
        """The same for one number of players."""
        at = self.players.index(players) if players in self.players else 0
        games: dict[str, Any] = {name: (getattr(self, name)[at],) for name in self.GAMES}
        return replace(self, players=(players,), **games)

    def check_same(self, typed: Mapping[str, Any], **others: Any) -> None:
        """Raises SettingError where options ask a run that goes on for other players or settings than it has."""
        there = {"players": self.players[0] if len(self.players) == 1 else self.players, **others}
        for name in there.keys() & typed.keys():
            as_it_was_set(name, there[name], typed[name])

    def as_plain(self) -> dict[str, Any]:
        """All settings as plain values."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}

    @classmethod
    def preset_names(cls) -> list[str]:
        """The presets there are."""
        return sorted(path.stem for path in cls.PRESETS.glob("*.toml"))

    @classmethod
    def preset(cls, name: str) -> Self:
        """The plan of a preset; raises PlanError."""
        if name not in cls.preset_names():
            raise PlanError(f"there is no preset {shown(name)}, expected {', '.join(cls.preset_names())}")
        return cls.read(cls.PRESETS / f"{name}.toml")

    @classmethod
    def asked(cls, typed: Mapping[str, Any], resume: bool, usual: str) -> Self | None:
        """The plan of options that were given, None for a run that goes on as it was set. Raises PlanError.

        usual: the preset where none is named.
        """
        name, file = typed.get("preset"), typed.get("config")
        if name is not None and file is not None:
            raise PlanError("--preset and --config both name a plan: name one")
        if resume and name is None and file is None:
            return None
        plan = cls.read(file) if file is not None else cls.preset(name or usual)
        if "players" in typed:
            plan = plan.only(typed["players"])
        return replace(plan, **{name: typed[name] for name in ("seed", "threads") if name in typed})

    @classmethod
    def read(cls, path: Path) -> Self:
        """The plan in a TOML file; raises PlanError."""
        try:
            return cls.of(read_toml(path, "a plan", PlanError))
        except PlanError as error:
            raise PlanError(f"{path} holds no plan: {error}") from None

    @classmethod
    def of(cls, plain: dict[str, Any]) -> Self:
        """The plan that plain values say; raises PlanError."""
        names = [each.name for each in fields(cls)]
        for name in plain:
            if name not in names:
                raise PlanError(f"there is no setting {shown(name)}, expected some of {', '.join(names)}")
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in plain.items()
        }
        return cls(**values)
