"""OddVille's environments.

`env()` is the PettingZoo AEC environment in PettingZoo's wrappers, `raw_env()` the bare one. `OddVilleEnv` is a
`gymnasium.Env` of one learning seat, `OddVilleSeatVectorEnv` a `gymnasium.vector.VectorEnv` of many such games:
agents play the other seats. In `OddVilleSelfPlayEnv` every seat learns.

All take settings as keywords: `table` [columns, lines]; `max_rounds`, the limit of rounds; `cards`, a card set or its
folder.
"""

from typing import Unpack

from oddville_env.envs.aec import GameAECEnv, MaskIn, in_wrappers
from oddville_env.envs.arguments import documented
from oddville_env.envs.opponents import Opponents
from oddville_env.envs.potentials import Potential
from oddville_env.envs.rewards import Reward
from oddville_env.envs.seat_vector import SeatVectorEnv
from oddville_env.envs.self_play import SelfPlayEnv
from oddville_env.envs.single import SingleSeatEnv
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oddville.observation import Encoding
from oddville_env.oddville.settings import Keywords, OddVilleSettings


@documented(OddVilleSettings)
class raw_env(GameAECEnv):  # noqa: N801  (PettingZoo's name for it)
    """The AEC environment of OddVille; options of `reset` are `deck`, `piles` and `first` of `Game`."""

    metadata = GameAECEnv.metadata | {"name": "oddville_v0"}

    def __init__(
        self,
        players: int = 2,
        *,
        encoding: Encoding = "features",
        reward: str | Reward = "outcome",
        potential: str | Potential | None = None,
        discount: float = 1.0,
        mask_in: MaskIn = "observation",
        render_mode: str | None = None,
        prompts: bool = False,
        **given: Unpack[Keywords],
    ) -> None:
        super().__init__(
            ODDVILLE,
            OddVilleSettings(players, **given),
            encoding,
            reward,
            potential,
            discount,
            mask_in,
            render_mode,
            prompts,
        )


env = in_wrappers(raw_env)


@documented(OddVilleSettings)
class OddVilleEnv(SingleSeatEnv):
    """`gymnasium.make("OddVille-v0", opponents="greedy")`: one learning seat."""

    def __init__(
        self,
        opponents: Opponents = "greedy",
        players: int = 2,
        *,
        seat: int | None = None,
        encoding: Encoding = "features",
        reward: str | Reward = "outcome",
        potential: str | Potential | None = None,
        discount: float = 1.0,
        render_mode: str | None = None,
        **given: Unpack[Keywords],
    ) -> None:
        super().__init__(
            ODDVILLE,
            OddVilleSettings(players, **given),
            opponents,
            encoding,
            reward,
            potential,
            discount,
            seat,
            render_mode,
        )


@documented(OddVilleSettings)
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
        reward: str | Reward = "outcome",
        potential: str | Potential | None = None,
        discount: float = 1.0,
        threads: int = 1,
        render_mode: None = None,
        **given: Unpack[Keywords],
    ) -> None:
        played = OddVilleSettings(players, **given)
        super().__init__(
            ODDVILLE, played, num_envs, opponents, encoding, reward, potential, discount, seat, threads, render_mode
        )


@documented(OddVilleSettings)
class OddVilleSelfPlayEnv(SelfPlayEnv):
    """Many games in which every seat learns: `step` takes an action for each game's seat to move."""

    def __init__(
        self,
        num_envs: int,
        players: int = 2,
        *,
        encoding: Encoding = "features",
        reward: str | Reward = "outcome",
        potential: str | Potential | None = None,
        discount: float = 1.0,
        threads: int = 1,
        copy: bool = False,
        **given: Unpack[Keywords],
    ) -> None:
        super().__init__(
            ODDVILLE, OddVilleSettings(players, **given), num_envs, encoding, reward, potential, discount, threads, copy
        )
