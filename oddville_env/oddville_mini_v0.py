"""OddVille Mini: OddVille with two players, a table of 5 x 3, 16 kinds of buildings and a few rounds.

`env()` and `raw_env()` are those of `oddville_v0` with the settings `oddville_env.MINI` as defaults. Other
environments and `Game` take these settings: `OddVilleSelfPlayEnv(256, **MINI)`, `Game(seed=7, **MINI)`.
"""

from typing import Any

from oddville_env import oddville_v0
from oddville_env.envs.aec import in_wrappers
from oddville_env.oddville import MINI


class raw_env(oddville_v0.raw_env):  # noqa: N801  (PettingZoo's name for it)
    """The AEC environment of OddVille Mini.

    Args:
        players: The number of players.
        given: The other arguments of `oddville_v0.raw_env`, in place of the defaults.
    """

    metadata = oddville_v0.raw_env.metadata | {"name": "oddville_mini_v0"}

    def __init__(self, players: int = MINI["players"], **given: Any) -> None:
        super().__init__(**{**MINI, "players": players, **given})


env = in_wrappers(raw_env)
