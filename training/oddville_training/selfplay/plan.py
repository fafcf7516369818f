"""The plan of a self-play run, settings with defaults and limits, presets being TOML files; and the run's folder.

The folder holds the plan, a folder for each stage, and the newest network; all writes are atomic.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar

import numpy as np

from oddville_agents.tensors import LARGEST, ValueFiles
from oddville_env.core.checked import ValueKind, above_zero, check, whole
from oddville_env.core.disk.files import remove_unfinished, write_whole
from oddville_env.core.disk.reading import JsonFormat, read_json, read_toml, read_whole
from oddville_env.core.errors import GameError, located, shown
from oddville_training.settings import LARGEST_SEED, kinds_of, known_settings, setting

MOST_ROUNDS = 10_000
PART_GAMES = 1000  # games of a part of a stage
WARM, ROUND = "warm", "round"
NETWORK, REPORT = "network.safetensors", "report.json"


class PlanError(GameError):
    """A run that cannot begin or be resumed with these settings."""


class Stage(NamedTuple):
    """A stage of a run: games, then a network fitted to them."""

    number: int  # among all stages, from 0
    kind: str  # a key of the plan's GAMES
    name: str  # of its folder


class Part(NamedTuple):
    """A part of a stage's games, which one job plays."""

    players: int
    number: int  # among the parts with as many players, from 0
    first: int  # the number of its first game in the stage
    games: int


@dataclass(frozen=True, kw_only=True)
class SelfPlayPlan:
    """Settings of a run; numbers of games have one entry for each number of players. Raises PlanError."""

    GAMES: ClassVar[Mapping[str, str]]
    """The setting with the numbers of games, by kind of stage."""
    PRESETS: ClassVar[Path]
    """The folder of the presets."""
    MAY_CHANGE: ClassVar[tuple[str, ...]] = ()
    """Settings that may differ when a run is resumed."""
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
        check(vars(self), kinds_of(self), PlanError)
        if len(set(self.players)) < len(self.players):
            raise PlanError("players must name each number once")
        for name in self.GAMES.values():
            if len(getattr(self, name)) != len(self.players):
                raise PlanError(f"{name} must have a number for each of players, {len(self.players)} in all")

    def stages(self) -> list[Stage]:
        """All stages in order."""
        raise NotImplementedError

    def part_games(self, kind: str) -> int:
        """Games of a part of a stage of this kind."""
        return PART_GAMES

    def parts(self, stage: Stage, players: int | None = None) -> Iterator[Part]:
        """The parts of a stage's games; players: only those with so many."""
        size = self.part_games(stage.kind)
        for number, games in zip(self.players, getattr(self, self.GAMES[stage.kind]), strict=True):
            if players in (None, number):
                for part, first in enumerate(range(0, games, size)):
                    yield Part(number, part, first, min(size, games - first))

    def only(self, players: int) -> Self:
        """The same for one number of players."""
        at = self.players.index(players) if players in self.players else 0
        games: dict[str, Any] = {name: (getattr(self, name)[at],) for name in self.GAMES.values()}
        return replace(self, players=(players,), **games)

    def options(self) -> dict[str, Any]:
        """The settings that options of the command line name."""
        return {"players": self.players[0] if len(self.players) == 1 else self.players, "seed": self.seed}

    def as_plain(self) -> dict[str, Any]:
        """All settings as JSON values."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}

    def as_stored(self) -> dict[str, Any]:
        """The settings that files hold, as JSON values."""
        return self.as_plain()

    @classmethod
    def preset_names(cls) -> list[str]:
        """The names of the presets."""
        return sorted(path.stem for path in cls.PRESETS.glob("*.toml"))

    @classmethod
    def preset(cls, name: str) -> Self:
        """The plan of a preset; raises PlanError."""
        if name not in cls.preset_names():
            raise PlanError(f"there is no preset {shown(name)}, expected {', '.join(cls.preset_names())}")
        return cls.read(cls.PRESETS / f"{name}.toml")

    @classmethod
    def asked(cls, typed: Mapping[str, Any], resume: bool, default: str = "quick") -> Self | None:
        """The plan of command-line options, None for a run that is resumed with its own. Raises PlanError.

        default: the preset where none is named.
        """
        name, file = typed.get("preset"), typed.get("config")
        if name is not None and file is not None:
            raise PlanError("--preset and --config both name a plan: name one")
        if resume and name is None and file is None:
            return None
        plan = cls.read(file) if file is not None else cls.preset(name or default)
        if "players" in typed:
            plan = plan.only(typed["players"])
        return replace(plan, **{name: typed[name] for name in ("seed", "threads") if name in typed})

    @classmethod
    def read(cls, path: Path) -> Self:
        """The plan in a TOML file; raises PlanError."""
        with located(f"{path} holds no plan", PlanError):
            return cls.of(read_toml(path, "a plan", PlanError))

    @classmethod
    def of(cls, plain: dict[str, Any]) -> Self:
        """The plan with these settings; raises PlanError."""
        return cls(**known_settings(plain, [each.name for each in fields(cls)], PlanError))


Plan = TypeVar("Plan", bound=SelfPlayPlan)


class SelfPlayFolder(Generic[Plan]):
    """The files of a run."""

    PLAN: type[Plan]
    FORMAT: ClassVar[JsonFormat]
    """The format of the plan's file."""
    NETWORKS: ClassVar[ValueFiles]

    def __init__(self, path: Path) -> None:
        self.path = path
        self.network = path / NETWORK
        self._plan = path / "plan.json"

    def begin(self, plan: Plan | None, resume: bool) -> Plan:
        """The plan to follow; that of the folder where none is given. Raises PlanError."""
        if resume:
            plan = self._resumed(self.plan(), plan)
            for folder in (self.path, *(self.path / "stages").glob("*/")):
                remove_unfinished(folder)
        elif self._plan.exists():
            raise PlanError(f"{self.path} already holds a run: resume it with --resume, or name another folder")
        plan = plan or self.PLAN.of({})
        self.FORMAT.write(self._plan, plan.as_stored())
        return plan

    def plan(self) -> Plan:
        """The stored plan; raises PlanError."""
        if not self._plan.exists():
            raise PlanError(f"{self.path} holds no run to resume: begin it without --resume")
        return self.PLAN.of(self.FORMAT.read(self._plan))

    def _resumed(self, stored: Plan, plan: Plan | None) -> Plan:
        """The plan of a resumed run. Raises PlanError where a setting differs that may not change."""
        if plan is None:
            return stored
        before, now = stored.as_plain(), plan.as_plain()
        changed = [name for name, value in now.items() if value != before[name] and name not in plan.MAY_CHANGE]
        if changed:
            told = "; ".join(f"{name} is {shown(before[name])} there, not {shown(now[name])}" for name in changed)
            raise PlanError(f"{self.path} holds a run with other settings: {told}")
        return plan

    def stage(self, stage: Stage) -> Path:
        """The folder of a stage."""
        return self.path / "stages" / stage.name

    def is_fitted(self, stage: Stage) -> bool:
        """Whether the stage has a network and a report."""
        return (self.stage(stage) / REPORT).exists()

    def read_network(self, stage: Stage) -> dict[str, np.ndarray]:
        """The network of a stage."""
        return self.NETWORKS.read(self.stage(stage) / NETWORK)

    def games(self, stage: Stage, part: Part) -> Path:
        """The file of a part of a stage's games."""
        return self.stage(stage) / f"games-{part.players}-{part.number:05}.npz"

    def publish(self, stage: Stage) -> None:
        """Copy a stage's network to the run's. Raises NetworkError for a damaged one, and copies nothing then."""
        self.read_network(stage)
        network = read_whole(self.stage(stage) / NETWORK, LARGEST)
        if not self.network.exists() or read_whole(self.network, LARGEST) != network:
            write_whole(self.network, network)


def read_result(path: Path, kind: ValueKind) -> dict[str, Any]:
    """The contents of a JSON file of a run's results; raises PlanError."""
    plain = read_json(path, "results of the run, which is resumed without them", PlanError)
    if not kind.holds(plain):
        raise PlanError(f"{path} is damaged: delete it, and the resumed run makes it again (expected {kind.expected})")
    return dict(plain)
