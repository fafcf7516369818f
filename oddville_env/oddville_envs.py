"""OddVille's environments for one learning seat, alone or many times, and for self-play.

`OddVilleEnv` is a `gymnasium.Env`, `OddVilleSeatVectorEnv` a `gymnasium.vector.VectorEnv` of the same; both play the
other seats by named agents. In `OddVilleSelfPlayEnv` every seat learns: it is quick, and neither of the two.

All take the settings of a game as keywords: `table` [columns, lines]; `max_rounds`, a game that reaches it is
truncated; `cards`, a card set or its folder.
"""

from typing import Unpack

from oddville_env.envs.opponents import Opponents
from oddville_env.envs.seat_vector import SeatVectorEnv
from oddville_env.envs.self_play import SelfPlayEnv
from oddville_env.envs.single import SingleSeatEnv
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oddville.observation import Encoding
from oddville_env.oddville.settings import Keywords, OddVilleSettings

__all__ = ["OddVilleEnv", "OddVilleSeatVectorEnv", "OddVilleSelfPlayEnv"]


class OddVilleEnv(SingleSeatEnv):
    """`gymnasium.make("OddVille-v0", opponents="greedy")`: one learning seat. See `SingleSeatEnv`."""

    def __init__(
        self,
        opponents: Opponents = "greedy",
        players: int = 2,
        *,
        seat: int | None = None,
        encoding: Encoding = "features",
        reward: str = "outcome",
        render_mode: str | None = None,
        **settings: Unpack[Keywords],
    ) -> None:
        played = OddVilleSettings(players, **settings)
        super().__init__(
            ODDVILLE, played, opponents, seat=seat, encoding=encoding, reward=reward, render_mode=render_mode
        )


class OddVilleSeatVectorEnv(SeatVectorEnv):
    """`gymnasium.make_vec("OddVille-v0", num_envs=64, opponents="greedy")`: one learning seat in each of many games.

    This one is a `gymnasium.vector.VectorEnv`. See `SeatVectorEnv`.
    """

    def __init__(
        self,
        num_envs: int = 1,
        opponents: Opponents = "greedy",
        players: int = 2,
        *,
        seat: int | None = None,
        encoding: Encoding = "features",
        reward: str = "outcome",
        threads: int = 1,
        render_mode: None = None,
        **settings: Unpack[Keywords],
    ) -> None:
        played = OddVilleSettings(players, **settings)
        super().__init__(
            ODDVILLE,
            played,
            num_envs,
            opponents,
            seat=seat,
            encoding=encoding,
            reward=reward,
            threads=threads,
            render_mode=render_mode,
        )


class OddVilleSelfPlayEnv(SelfPlayEnv):
    """Many games in which every seat is played from outside. See `SelfPlayEnv`."""

    def __init__(
        self,
        num_envs: int,
        players: int = 2,
        *,
        encoding: Encoding = "features",
        reward: str = "outcome",
        threads: int = 1,
        copy: bool = False,
        **settings: Unpack[Keywords],
    ) -> None:
        played = OddVilleSettings(players, **settings)
        super().__init__(ODDVILLE, played, num_envs, encoding=encoding, reward=reward, threads=threads, copy=copy)
