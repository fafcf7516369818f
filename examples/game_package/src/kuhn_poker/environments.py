"""Kuhn poker as environments: `gymnasium.make("kuhn_poker:Kuhn-v0")`, and `env()` for PettingZoo."""

from oddville_env.envs.aec import GameAECEnv, in_wrappers
from oddville_env.envs.arguments import Opponents
from oddville_env.envs.single import SingleSeatEnv

from .game_type import KUHN
from .observation import ENCODINGS
from .settings import Settings


class KuhnEnv(SingleSeatEnv):
    """One learning seat against an agent."""

    def __init__(
        self,
        opponents: Opponents = "random",
        *,
        seat: int | None = None,
        reward: str = "outcome",
        render_mode: str | None = None,
    ) -> None:
        super().__init__(
            KUHN, Settings(), opponents, seat=seat, encoding=ENCODINGS[0], reward=reward, render_mode=render_mode
        )


class raw_env(GameAECEnv):  # noqa: N801  (PettingZoo's name for it)
    """The AEC environment."""

    metadata = GameAECEnv.metadata | {"name": "kuhn_v0"}

    def __init__(self, *, reward: str = "outcome", render_mode: str | None = None) -> None:
        super().__init__(KUHN, Settings(), encoding=ENCODINGS[0], reward=reward, render_mode=render_mode)


env = in_wrappers(raw_env)
