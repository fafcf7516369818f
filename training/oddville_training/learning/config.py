"""All settings of a training run."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from oddville_agents.oddville.network import Sizes
from oddville_env.core.errors import OddVilleError
from oddville_env.oddville.rules.state import DEFAULT_TABLE
from oddville_env.oddville.settings import MAX_ROUNDS


class TrainError(OddVilleError):
    """A run that cannot begin or go on as it was asked to."""


@dataclass(frozen=True, kw_only=True)
class TrainConfig:
    """How to train; the defaults suit one core of an ordinary computer. Raises TrainError."""

    # The game
    players: int = 2
    opponents: tuple[str, ...] = (*3 * ("greedy:weights=simple",), "random")  # dealt out to the environments
    table: tuple[int, int] = DEFAULT_TABLE
    max_rounds: int = MAX_ROUNDS
    cards: str | None = None  # a folder of csv tables, None is the base card set
    reward: str = "margin"  # as of the environment: outcome, rank or margin
    # How long: whichever comes first, without end if both are None
    minutes: float | None = None  # of this call
    steps: int | None = None  # decisions of the learning seats, of the whole run
    checkpoint: int = 250_000  # steps between checkpoints
    # PPO
    seed: int = 0
    envs: int = 128
    rollout: int = 64  # steps of every environment between two updates
    batch: int = 1024
    epochs: int = 4
    learning_rate: float = 1e-3
    gamma: float = 1.0
    gae_lambda: float = 0.9
    entropy: float = 0.01
    clip: float = 0.2
    scale: float = 0.05  # all rewards are multiplied by it
    shaping: bool = True  # pay the lead in points when it changes, not at the end, see environments.py
    network: Sizes = field(default_factory=Sizes)
    threads: int = 1  # of torch; more pay only where no other work shares the cores
    window: int = 400  # the last games that win rates are taken over

    def __post_init__(self) -> None:
        """Check what nothing else checks."""
        least = dict.fromkeys(("envs", "epochs", "checkpoint", "threads", "window"), 1) | {"rollout": 2, "batch": 2}
        for name, low in least.items():
            value = getattr(self, name)
            if not isinstance(value, int) or value < low:
                raise TrainError(f"{name} must be a whole number of at least {low}, not {value!r}")
        for name in ("minutes", "steps"):
            value = getattr(self, name)
            if value is not None and value <= 0:
                raise TrainError(f"{name} must be above 0, or None for no limit, not {value!r}")
        if not 1 <= len(self.opponents) <= self.envs:
            number = len(self.opponents)
            raise TrainError(f"opponents must name 1 to {self.envs} agents, an environment for each, not {number}")

    def as_json(self) -> dict[str, Any]:
        """All settings as plain values."""
        return asdict(self)

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> "TrainConfig":
        """The settings that `as_json` gave; raises TrainError."""
        try:
            given = dict(plain)
            given["network"] = Sizes(**given["network"])
            given["opponents"], given["table"] = tuple(given["opponents"]), tuple(given["table"])
            return cls(**given)
        except (KeyError, TypeError, ValueError) as error:
            names = ", ".join(each.name for each in fields(cls))
            raise TrainError(f"these are no settings of a run ({error}), expected {names}") from None
