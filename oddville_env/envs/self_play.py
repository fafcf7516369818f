"""The vector environment in which all seats learn: for self-play."""

from collections.abc import Sequence

import numpy as np

from oddville_env.core.checks import whole_number
from oddville_env.envs.game_batch import GameBatch, Sampler
from oddville_env.envs.rewards import make_reward
from oddville_env.envs.spaces import action_space, vector_space
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oddville.observation import Encoding, make_encoder
from oddville_env.oddville.rules.state import DEFAULT_TABLE
from oddville_env.oddville.settings import MAX_ROUNDS, Cards, make_box

Step = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, np.ndarray]]


class OddVilleSelfPlayEnv:
    """B games in which every seat is played from outside, for self-play.

    At each step every game shows its seat to move, what that seat sees and its legal moves, and takes one action. Games
    that end are dealt anew in the same step. threads share the games; the other arguments are those of
    `oddville_v0.raw_env`. Arrays are written in place at every step unless copy is set.

    info holds action_mask int8 [B, A] and seat int8 [B]; after a step also scores and ranks int16 [B, P], which speak
    of the games that ended. Raises SettingError, CardError.
    """

    def __init__(
        self,
        num_envs: int,
        players: int = 2,
        *,
        encoding: Encoding = "features",
        reward: str = "outcome",
        table: Sequence[int] = DEFAULT_TABLE,
        max_rounds: int = MAX_ROUNDS,
        cards: Cards = None,
        threads: int = 1,
        copy: bool = False,
    ) -> None:
        box = make_box(players, table, max_rounds, cards)
        self.num_envs = whole_number("num_envs", num_envs, 1)
        self.encoder = make_encoder(box, encoding)
        self.batch = GameBatch(ODDVILLE, box, self.encoder, num_envs, whole_number("threads", threads, 1))
        self.single_observation_space = vector_space(self.encoder)
        self.single_action_space = action_space(self.encoder)
        self._reward = make_reward(reward)
        self._rewards = np.zeros((num_envs, players), np.float32)
        self._copy = copy

    def reset(self, seed: int | None = None) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """Deal all games: observations uint8 [B, N] and info."""
        self.batch.deal(seed)
        return self._given(self.batch.observe()), self._info()

    def step(self, actions: np.ndarray) -> Step:
        """Play an action, int [B], in every game. Raises IllegalMoveError, and then nothing was played.

        Returns observations uint8 [B, N], rewards float32 [B, P] by seat, terminations and truncations bool [B], info.
        """
        batch = self.batch
        batch.step(np.asarray(actions, np.int64))
        self._rewards[:] = 0
        for index in np.flatnonzero(batch.ended).tolist():
            self._rewards[index] = self._reward(batch.scores[index].tolist(), batch.ranks[index].tolist())
        terminated = batch.ended & ~batch.truncated
        info = self._info() | {"scores": self._given(batch.scores), "ranks": self._given(batch.ranks)}
        truncated = batch.ended & batch.truncated
        return self._given(batch.observations), self._given(self._rewards), terminated, truncated, info

    def close(self) -> None:
        """Nothing stays open; vector environments are asked to close all the same."""

    def sampler(self, seed: int = 0) -> Sampler:
        """Uniformly random legal actions: `sampler.sample(env.batch)`."""
        return Sampler(self.num_envs, seed)

    def _info(self) -> dict[str, np.ndarray]:
        return {"action_mask": self._given(self.batch.masks.view(np.int8)), "seat": self._given(self.batch.seats)}

    def _given(self, array: np.ndarray) -> np.ndarray:
        return array.copy() if self._copy else array
