"""All settings of a training run, each with its default and what it may be."""

from dataclasses import asdict, dataclass, field, fields
from typing import Any

from oddville_agents.oddville.network import Sizes
from oddville_env.core.errors import OddVilleError
from oddville_env.core.kinds import Kind, above_zero, check, instance, number, one_of, several, text, truth, whole
from oddville_env.envs.rewards import REWARDS
from oddville_env.oddville.rules.state import DEFAULT_TABLE, SEATS
from oddville_env.oddville.settings import LONGEST_SIDE, MAX_ROUNDS, MOST_ROUNDS

MOST_ENVS = 4096
MOST_STEPS = 10**12
MOST_MINUTES = 10**7  # nineteen years
MOST_THREADS = 256
LARGEST_SEED = 2**32 - 1  # of numpy's and torch's generators alike
LARGEST_ROLLOUT = 2**20  # steps of all environments: each is an observation and a mask in memory


class TrainError(OddVilleError):
    """A run that cannot begin or go on as it was asked to."""


def _setting(default: Any, kind: Kind) -> Any:
    return field(default=default, metadata={"kind": kind})


@dataclass(frozen=True, kw_only=True)
class TrainConfig:
    """How to train; the defaults suit one core of an ordinary computer. Raises TrainError."""

    # The game
    players: int = _setting(2, whole(2, SEATS))
    opponents: tuple[str, ...] = _setting(  # dealt out to the environments
        (*3 * ("greedy:weights=simple",), "random"), several(text(), 1, MOST_ENVS)
    )
    table: tuple[int, int] = _setting(DEFAULT_TABLE, several(whole(1, LONGEST_SIDE), 2, 2))
    max_rounds: int = _setting(MAX_ROUNDS, whole(1, MOST_ROUNDS))
    cards: str | None = _setting(None, text().or_none())  # a folder of csv tables, None is the base card set
    reward: str = _setting("margin", one_of(*REWARDS))
    # How long: whichever comes first, without end if both are None
    minutes: float | None = _setting(None, above_zero(MOST_MINUTES).or_none())  # of this call
    steps: int | None = _setting(None, whole(1, MOST_STEPS).or_none())  # decisions of the learning seats, of all calls
    checkpoint: int = _setting(250_000, whole(1, MOST_STEPS))  # steps between checkpoints
    # PPO
    seed: int = _setting(0, whole(0, LARGEST_SEED))
    envs: int = _setting(128, whole(1, MOST_ENVS))
    rollout: int = _setting(64, whole(2, LARGEST_ROLLOUT))  # steps of every environment between two updates
    batch: int = _setting(1024, whole(2, LARGEST_ROLLOUT))
    epochs: int = _setting(4, whole(1, 1000))
    learning_rate: float = _setting(1e-3, above_zero(1))
    gamma: float = _setting(1.0, number(0, 1))
    gae_lambda: float = _setting(0.9, number(0, 1))
    entropy: float = _setting(0.01, number(0, 10))
    clip: float = _setting(0.2, above_zero(1))
    scale: float = _setting(0.05, above_zero(1000))  # all rewards are multiplied by it
    shaping: bool = _setting(True, truth())  # pay the lead in points when it changes, not at the end: environments.py
    network: Sizes = field(default_factory=Sizes, metadata={"kind": instance(Sizes)})
    threads: int = _setting(1, whole(1, MOST_THREADS))  # of torch; more pay only where no other work shares the cores
    window: int = _setting(400, whole(1, 10**6))  # the last games that win rates are taken over

    def __post_init__(self) -> None:
        """Check every setting alone, then those that depend on each other."""
        check(vars(self), {each.name: each.metadata["kind"] for each in fields(self)}, TrainError)
        if len(self.opponents) > self.envs:
            raise TrainError(
                f"opponents must name at most {self.envs} agents, an environment for each, not {len(self.opponents)}"
            )
        if self.envs * self.rollout > LARGEST_ROLLOUT:
            raise TrainError(f"envs times rollout must be at most {LARGEST_ROLLOUT}, not {self.envs * self.rollout}")

    def as_json(self) -> dict[str, Any]:
        """All settings as plain values."""
        return asdict(self)

    @classmethod
    def from_json(cls, plain: Any) -> "TrainConfig":
        """The settings that `as_json` gave; raises TrainError."""
        try:
            given: dict[str, Any] = {
                name: tuple(value) if isinstance(value, list) else value for name, value in plain.items()
            }
            given["network"] = Sizes(**given["network"])
            return cls(**given)
        except KeyError as error:
            raise TrainError(f"these are no settings of a run: {error.args[0]} is missing") from None
        except (AttributeError, TypeError, ValueError) as error:
            raise TrainError(f"these are no settings of a run: {error}") from None
