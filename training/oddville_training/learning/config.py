"""All settings of a training run, each with its default and what it may be."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import partial
from pathlib import Path
from typing import Any

from oddville_agents.policies.models import Architecture, Networks, networks_of
from oddville_agents.roster import FIRST_GAME, roster_of
from oddville_agents.spec import check_spec_from_file
from oddville_env.core.checked import above_zero, check, instance, number, one_of, several, text, truth, whole
from oddville_env.core.disk.reading import read_toml
from oddville_env.core.errors import GameError, SettingError, located, shown
from oddville_env.core.game.game_type import GameType, game_type
from oddville_env.envs.rewards import REWARDS
from oddville_training.settings import LARGEST_SEED, kinds_of, known_settings, setting

MOST_ENVS = 4096
MOST_STEPS = 10**12
LARGEST_ROLLOUT = 2**20  # steps of all environments: each is an observation and a mask in memory


class TrainError(GameError):
    """A run that cannot begin or be resumed with these settings."""


@dataclass(frozen=True, kw_only=True)
class TrainConfig:
    """The settings of training; the defaults suit one core of an ordinary computer. Raises TrainError."""

    # The game
    game: GameType = field(default_factory=partial(game_type, FIRST_GAME))
    players: int = 2
    opponents: tuple[str, ...] = setting(None, several(text(), 1, MOST_ENVS))  # dealt out; the game's usual ones
    settings: Mapping[str, Any] = setting(None, instance(dict))  # of the game beside players; its usual ones
    reward: str = setting("margin", one_of(*REWARDS))
    # Imitation, the first stage of a run that begins with no model
    teacher: str = setting(None, text())  # the agent that is imitated; the strongest that models are measured against
    taught: int = setting(600_000, whole(0, MOST_STEPS))  # of its decisions; at most half of the limits
    # How long: whichever comes first, without end if both are None
    minutes: float | None = setting(None, above_zero(10**7).or_none())  # of this call
    steps: int | None = setting(None, whole(1, MOST_STEPS).or_none())  # decisions of the learning seats, of all calls
    checkpoint: int = setting(250_000, whole(1, MOST_STEPS))  # steps between checkpoints
    # PPO
    seed: int = setting(0, whole(0, LARGEST_SEED))
    envs: int = setting(128, whole(1, MOST_ENVS))
    rollout: int = setting(64, whole(2, LARGEST_ROLLOUT))  # steps of every environment between two updates
    batch: int = setting(1024, whole(2, LARGEST_ROLLOUT))
    epochs: int = setting(4, whole(1, 1000))
    learning_rate: float = setting(3e-4, above_zero(1))
    gamma: float = setting(1.0, number(0, 1))
    gae_lambda: float = setting(0.9, number(0, 1))
    entropy: float = setting(0.01, number(0, 10))
    clip: float = setting(0.2, above_zero(1))
    scale: float = setting(0.05, above_zero(1000))  # all rewards are multiplied by it
    shaping: bool = setting(True, truth())  # pay the lead in points when it changes, not at the end: learner.py
    architecture: str = setting(None, text())  # of the network; that of new ones
    network: Any = None  # its sizes; the architecture's usual ones
    threads: int = setting(1, whole(1, 256))  # of torch; more pay only where no other work shares the cores
    window: int = setting(400, whole(1, 10**6))  # the last games that win rates are taken over

    def __post_init__(self) -> None:
        """Fill in what the game says, then check every setting alone, then those that depend on each other."""
        self._set("opponents", roster_of(self.game.name).trained_against if self.opponents is None else self.opponents)
        self._set("architecture", self.networks.default if self.architecture is None else self.architecture)
        check({"architecture": self.architecture}, {"architecture": one_of(*self.networks.architectures)}, TrainError)
        self._set("network", self._sizes())
        self._set("settings", self._settings_of_the_game())
        self._set("teacher", self.teacher or roster_of(self.game.name).measured_against[-1])
        kinds = kinds_of(self)
        kinds["players"] = whole(self.game.players[0], self.game.players[-1])
        kinds["network"] = instance(type(self.form.sizes()))
        check(vars(self), kinds, TrainError)
        try:
            _ = self.played
        except SettingError as error:
            raise TrainError(str(error)) from None
        if len(self.opponents) > self.envs:
            raise TrainError(
                f"opponents must name at most {self.envs} agents, an environment for each, not {len(self.opponents)}"
            )
        if self.envs * self.rollout > LARGEST_ROLLOUT:
            raise TrainError(f"envs times rollout must be at most {LARGEST_ROLLOUT}, not {self.envs * self.rollout}")

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    def _sizes(self) -> Any:
        """The network's sizes, which may be given by their names."""
        if self.network is not None and not isinstance(self.network, Mapping):
            return self.network
        try:
            return self.form.sizes(**(self.network or {}))
        except (TypeError, ValueError) as error:
            raise TrainError(f"network holds no sizes of the architecture {self.architecture}: {error}") from None

    def _settings_of_the_game(self) -> dict[str, Any]:
        """All of them, as plain values."""
        found = {option.name: option.default for option in self.game.options}
        for name, value in (self.settings or {}).items():
            if name not in found:
                raise TrainError(f"{self.game.title} has no setting {shown(name)}, expected some of {', '.join(found)}")
            found[name] = str(value) if isinstance(value, Path) else value
        return found

    @property
    def networks(self) -> Networks:
        """The networks of the game."""
        return networks_of(self.game.name)

    @property
    def form(self) -> Architecture:
        """The network's architecture."""
        return self.networks.architectures[self.architecture]

    @property
    def played(self) -> Any:
        """The settings of the games that are played. Raises SettingError, and what the game's data raise."""
        return self.game.settings(players=self.players, **self.settings)

    def as_json(self) -> dict[str, Any]:
        """All settings as plain values, those of the game among the others; the game itself is the file's to name."""
        plain: dict[str, Any] = {}
        for each in fields(self)[1:]:
            value = getattr(self, each.name)
            plain |= value if each.name == "settings" else {each.name: value}
        return plain | {"network": vars(self.network)}

    @classmethod
    def of(cls, game: GameType, given: Mapping[str, Any]) -> "TrainConfig":
        """The config that has these settings of a run and of a game, by their names; raises TrainError."""
        own = {option.name for option in game.options}
        known = sorted({each.name for each in fields(cls)} - {"game", "settings"} | own)
        plain = known_settings(given, known, TrainError)
        settings = {name: plain.pop(name) for name in own & plain.keys()}
        return cls(game=game, settings=settings, **plain)

    @classmethod
    def read(cls, path: Path, game: GameType | None = None, given: Mapping[str, Any] = {}) -> "TrainConfig":
        """The settings of a TOML file, by their names; those that are given stand instead of its own.

        A file's agents are built-in ones or models, for others have code of their own. Raises TrainError, AgentError.
        """
        game = game or game_type(FIRST_GAME)
        plain = read_toml(path, "settings of a run", TrainError)
        with located(path, TrainError):
            config = cls.of(game, plain)
        for spec in (config.teacher, *(() if "opponents" in given else config.opponents)):
            check_spec_from_file(spec, path, game.name)
        return cls.of(game, {**plain, **given})

    @classmethod
    def from_json(cls, plain: Any, game: GameType) -> "TrainConfig":
        """The settings that `as_json` gave; raises TrainError."""
        try:
            if not isinstance(plain, Mapping):
                raise TypeError("expected an object")
            networks = networks_of(game.name)
            check(plain, {"architecture": one_of(*networks.architectures), "network": instance(dict)}, TrainError)
            return cls.of(game, plain)
        except (AttributeError, TypeError, ValueError) as error:
            raise TrainError(f"invalid settings of a run: {error}") from None
