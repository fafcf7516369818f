"""OddVille's environments.

`env()` is the PettingZoo AEC environment in PettingZoo's wrappers, `raw_env()` the bare one. `OddVilleEnv` is a
`gymnasium.Env` of one learning seat, `OddVilleSeatVectorEnv` a `gymnasium.vector.VectorEnv` of many such games:
agents play the other seats. In `OddVilleSelfPlayEnv` every seat learns.

All take settings as keywords: `table` [columns, lines]; `max_rounds`, the limit of rounds; `cards`, a card set or its
folder.
"""

from typing import Unpack

from oddville_env.envs.aec import GameAECEnv, MaskIn, in_wrappers
from oddville_env.envs.arguments import Opponents, RewardKeywords, RewardSettings, documented, settings_and_rewards
from oddville_env.envs.seat_vector import SeatVectorEnv
from oddville_env.envs.self_play import SelfPlayEnv
from oddville_env.envs.single import SingleSeatEnv
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oddville.observation import Encoding
from oddville_env.oddville.settings import Keywords, OddVilleSettings


class Given(Keywords, RewardKeywords):
    """What all four classes take as keywords beside their own."""


@documented(RewardSettings, OddVilleSettings)
class raw_env(GameAECEnv):  # noqa: N801  (PettingZoo's name for it)
    """The AEC environment of OddVille; options of `reset` are `deck`, `piles` and `first` of `Game`."""

    metadata = GameAECEnv.metadata | {"name": "oddville_v0"}

    def __init__(
        self,
        players: int = 2,
        *,
        encoding: Encoding = "features",
        mask_in: MaskIn = "observation",
        render_mode: str | None = None,
        prompts: bool = False,
        **given: Unpack[Given],
    ) -> None:
        settings, paid = settings_and_rewards(OddVilleSettings, players, given)
        super().__init__(
            ODDVILLE, settings, encoding, mask_in=mask_in, render_mode=render_mode, prompts=prompts, **paid
        )


env = in_wrappers(raw_env)


@documented(RewardSettings, OddVilleSettings)
class OddVilleEnv(SingleSeatEnv):
    """`gymnasium.make("OddVille-v0", opponents="greedy")`: one learning seat."""

    def __init__(
        self,
        opponents: Opponents = "greedy",
        players: int = 2,
        *,
        seat: int | None = None,
        encoding: Encoding = "features",
        render_mode: str | None = None,
        **given: Unpack[Given],
    ) -> None:
        settings, paid = settings_and_rewards(OddVilleSettings, players, given)
        super().__init__(ODDVILLE, settings, opponents, encoding, seat=seat, render_mode=render_mode, **paid)


@documented(RewardSettings, OddVilleSettings)
class OddVilleSeatVectorEnv(SeatVectorEnv):
    """`gymnasium.make_vec("OddVille-v0", num_envs=64, opponents="greedy")`: one learning seat in each of many games."""

    def __init__(
        self,
        num_envs: int = 1,
        opponents: Opponents = "greedy",
        players: int = 2,
        *,
        seat: int | None = None,
        encoding: Encoding = "features",
        threads: int = 1,
        render_mode: None = None,
        **given: Unpack[Given],
    ) -> None:
        settings, paid = settings_and_rewards(OddVilleSettings, players, given)
        many = (ODDVILLE, settings, num_envs, opponents, encoding)
        super().__init__(*many, seat=seat, threads=threads, render_mode=render_mode, **paid)


@documented(RewardSettings, OddVilleSettings)
class OddVilleSelfPlayEnv(SelfPlayEnv):
    """Many games in which every seat learns: `step` takes an action for each game's seat to move."""

    def __init__(
        self,
        num_envs: int,
        players: int = 2,
        *,
        encoding: Encoding = "features",
        threads: int = 1,
        copy: bool = False,
        **given: Unpack[Given],
    ) -> None:
        settings, paid = settings_and_rewards(OddVilleSettings, players, given)
        super().__init__(ODDVILLE, settings, num_envs, encoding, threads=threads, copy=copy, **paid)
