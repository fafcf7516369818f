"""Old Town's environments.

`env()` is the PettingZoo AEC environment in PettingZoo's wrappers, `raw_env()` the bare one. `OldTownEnv` is a
`gymnasium.Env` of one learning seat, `OldTownSeatVectorEnv` a `gymnasium.vector.VectorEnv` of many such games:
agents play the other seats. In `OldTownSelfPlayEnv` every seat learns.

All take settings as keywords: `lone_confirm`, which allows a confirming card to be played alone; `deck`, a deck or its
file.
"""

from typing import Unpack

from oddville_env.envs.aec import GameAECEnv, MaskIn, in_wrappers
from oddville_env.envs.arguments import Opponents, RewardKeywords, RewardSettings, documented, settings_and_rewards
from oddville_env.envs.seat_vector import SeatVectorEnv
from oddville_env.envs.self_play import SelfPlayEnv
from oddville_env.envs.single import SingleSeatEnv
from oddville_env.oldtown.game_type import OLDTOWN
from oddville_env.oldtown.observation import Encoding
from oddville_env.oldtown.settings import Keywords, OldTownSettings


class Given(Keywords, RewardKeywords):
    """What all four classes take as keywords beside their own."""


@documented(RewardSettings, OldTownSettings)
class raw_env(GameAECEnv):  # noqa: N801  (PettingZoo's name for it)
    """The AEC environment of Old Town; options of `reset` are `hands`, `common`, `own` and `first` of `OldTown`."""

    metadata = GameAECEnv.metadata | {"name": "oldtown_v0"}

    def __init__(
        self,
        players: int = 3,
        *,
        encoding: Encoding = "features",
        mask_in: MaskIn = "observation",
        render_mode: str | None = None,
        prompts: bool = False,
        **given: Unpack[Given],
    ) -> None:
        settings, paid = settings_and_rewards(OldTownSettings, players, given)
        super().__init__(OLDTOWN, settings, encoding, mask_in=mask_in, render_mode=render_mode, prompts=prompts, **paid)


env = in_wrappers(raw_env)


@documented(RewardSettings, OldTownSettings)
class OldTownEnv(SingleSeatEnv):
    """`gymnasium.make("OldTown-v0", opponents="random")`: one learning seat."""

    def __init__(
        self,
        opponents: Opponents = "random",
        players: int = 3,
        *,
        seat: int | None = None,
        encoding: Encoding = "features",
        render_mode: str | None = None,
        **given: Unpack[Given],
    ) -> None:
        settings, paid = settings_and_rewards(OldTownSettings, players, given)
        super().__init__(OLDTOWN, settings, opponents, encoding, seat=seat, render_mode=render_mode, **paid)


@documented(RewardSettings, OldTownSettings)
class OldTownSeatVectorEnv(SeatVectorEnv):
    """`gymnasium.make_vec("OldTown-v0", num_envs=64, opponents="random")`: one learning seat in each of many games."""

    def __init__(
        self,
        num_envs: int = 1,
        opponents: Opponents = "random",
        players: int = 3,
        *,
        seat: int | None = None,
        encoding: Encoding = "features",
        threads: int = 1,
        render_mode: None = None,
        **given: Unpack[Given],
    ) -> None:
        settings, paid = settings_and_rewards(OldTownSettings, players, given)
        many = (OLDTOWN, settings, num_envs, opponents, encoding)
        super().__init__(*many, seat=seat, threads=threads, render_mode=render_mode, **paid)


@documented(RewardSettings, OldTownSettings)
class OldTownSelfPlayEnv(SelfPlayEnv):
    """Many games in which every seat learns: `step` takes an action for each game's seat to move."""

    def __init__(
        self,
        num_envs: int,
        players: int = 3,
        *,
        encoding: Encoding = "features",
        threads: int = 1,
        copy: bool = False,
        **given: Unpack[Given],
    ) -> None:
        settings, paid = settings_and_rewards(OldTownSettings, players, given)
        super().__init__(OLDTOWN, settings, num_envs, encoding, threads=threads, copy=copy, **paid)
