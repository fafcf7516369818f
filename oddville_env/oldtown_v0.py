"""Old Town as a PettingZoo AEC environment: `env()` with PettingZoo's wrappers, `raw_env()` bare and fast.

A seat sees its own hand, the board and the sizes of all else, told "me first"; never what another seat holds.
"""

from typing import Unpack

from oddville_env.envs.aec import GameAECEnv, MaskIn, in_wrappers
from oddville_env.oldtown.game_type import OLDTOWN
from oddville_env.oldtown.observation import Encoding
from oddville_env.oldtown.settings import Keywords, OldTownSettings

__all__ = ["env", "raw_env"]


class raw_env(GameAECEnv):  # noqa: N801  (PettingZoo's name for it)
    """The AEC environment of Old Town, with agents player_0 to player_3: what `GameAECEnv` says.

    players: 2, 3 or 4. encoding: `features`, `memoryless` without the cards that were played, or `summary`. settings:
    `lone_confirm`, a confirming card may be played by itself; `deck`, a deck or its file. Options of `reset` are
    `hands`, `common`, `own` and `first`, as `OldTown` takes them. Raises SettingError, DeckError.
    """

    metadata = GameAECEnv.metadata | {"name": "oldtown_v0"}

    def __init__(
        self,
        players: int = 3,
        *,
        encoding: Encoding = "features",
        reward: str = "outcome",
        mask_in: MaskIn = "observation",
        render_mode: str | None = None,
        **settings: Unpack[Keywords],
    ) -> None:
        played = OldTownSettings(players, **settings)
        super().__init__(OLDTOWN, played, encoding=encoding, reward=reward, mask_in=mask_in, render_mode=render_mode)


env = in_wrappers(raw_env)
