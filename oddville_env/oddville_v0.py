"""OddVille as a PettingZoo AEC environment: `env()` with PettingZoo's wrappers, `raw_env()` bare and fast.

Every seat sees everything but the order of face-down cards, so an observation is the public state, told "me first".
"""

from typing import Unpack

from oddville_env.envs.aec import GameAECEnv, MaskIn, in_wrappers
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oddville.observation import Encoding
from oddville_env.oddville.settings import Keywords, OddVilleSettings

__all__ = ["env", "raw_env"]


class raw_env(GameAECEnv):  # noqa: N801  (PettingZoo's name for it)
    """The AEC environment of OddVille, with agents player_0 to player_3: what `GameAECEnv` says.

    players: 2, 3 or 4. encoding: `features`, `ids` or `summary`. settings: `table` [columns, lines]; `max_rounds`, a
    game that reaches it is truncated; `cards`, a card set or its folder. Options of `reset` are `deck`, `piles` and
    `first`, as `Game` takes them. Raises SettingError, CardError.
    """

    metadata = GameAECEnv.metadata | {"name": "oddville_v0"}

    def __init__(
        self,
        players: int = 2,
        *,
        encoding: Encoding = "features",
        reward: str = "outcome",
        mask_in: MaskIn = "observation",
        render_mode: str | None = None,
        **settings: Unpack[Keywords],
    ) -> None:
        played = OddVilleSettings(players, **settings)
        super().__init__(ODDVILLE, played, encoding=encoding, reward=reward, mask_in=mask_in, render_mode=render_mode)


env = in_wrappers(raw_env)
