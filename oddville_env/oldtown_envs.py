"""Old Town's environments for one learning seat, alone or many times, for self-play, and for its solo puzzles.

`OldTownEnv` is a `gymnasium.Env`, `OldTownSeatVectorEnv` a `gymnasium.vector.VectorEnv` of the same; both play the
other seats by named agents. In `OldTownSelfPlayEnv` every seat learns. `OldTownSoloEnv` is a puzzle for one.

Those of the game for several take its settings as keywords: `lone_confirm`, a confirming card may be played by itself;
`deck`, a deck or its file.
"""

from typing import Unpack

from oddville_env.envs.opponents import Opponents
from oddville_env.envs.seat_vector import SeatVectorEnv
from oddville_env.envs.self_play import SelfPlayEnv
from oddville_env.envs.single import SingleSeatEnv
from oddville_env.oldtown.game_type import OLDTOWN
from oddville_env.oldtown.observation import Encoding
from oddville_env.oldtown.settings import Keywords, OldTownSettings

__all__ = ["OldTownEnv", "OldTownSeatVectorEnv", "OldTownSelfPlayEnv"]


class OldTownEnv(SingleSeatEnv):
    """`gymnasium.make("OldTown-v0", opponents="random")`: one learning seat. See `SingleSeatEnv`."""

    def __init__(
        self,
        opponents: Opponents = "random",
        players: int = 3,
        *,
        seat: int | None = None,
        encoding: Encoding = "features",
        reward: str = "outcome",
        render_mode: str | None = None,
        **settings: Unpack[Keywords],
    ) -> None:
        played = OldTownSettings(players, **settings)
        super().__init__(
            OLDTOWN, played, opponents, seat=seat, encoding=encoding, reward=reward, render_mode=render_mode
        )


class OldTownSeatVectorEnv(SeatVectorEnv):
    """`gymnasium.make_vec("OldTown-v0", num_envs=64, opponents="random")`: one learning seat in each of many games.

    This one is a `gymnasium.vector.VectorEnv`. See `SeatVectorEnv`.
    """

    def __init__(
        self,
        num_envs: int = 1,
        opponents: Opponents = "random",
        players: int = 3,
        *,
        seat: int | None = None,
        encoding: Encoding = "features",
        reward: str = "outcome",
        threads: int = 1,
        render_mode: None = None,
        **settings: Unpack[Keywords],
    ) -> None:
        played = OldTownSettings(players, **settings)
        super().__init__(
            OLDTOWN,
            played,
            num_envs,
            opponents,
            seat=seat,
            encoding=encoding,
            reward=reward,
            threads=threads,
            render_mode=render_mode,
        )


class OldTownSelfPlayEnv(SelfPlayEnv):
    """Many games in which every seat is played from outside. See `SelfPlayEnv`."""

    def __init__(
        self,
        num_envs: int,
        players: int = 3,
        *,
        encoding: Encoding = "features",
        reward: str = "outcome",
        threads: int = 1,
        copy: bool = False,
        **settings: Unpack[Keywords],
    ) -> None:
        played = OldTownSettings(players, **settings)
        super().__init__(OLDTOWN, played, num_envs, encoding=encoding, reward=reward, threads=threads, copy=copy)
