"""Plans of self-play of any game: settings that are checked, and presets as TOML files."""

from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, ClassVar, Self

from oddville_env.core.errors import OddVilleError, shown
from oddville_env.core.files import read_toml
from oddville_env.core.kinds import Kind, check

MOST = 10**9
MOST_ROUNDS = 10_000
LARGEST_SEED = 2**32 - 1


class PlanError(OddVilleError):
    """A run that cannot begin or go on as it was asked to."""


def setting(default: Any, kind: Kind) -> Any:
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
        return cls(**{name: tuple(value) if isinstance(value, list) else value for name, value in plain.items()})
