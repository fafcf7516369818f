"""Self-play environments: many games at once, in which all seats learn."""

from typing import Any, Unpack

import numpy as np

from oddville_env.core.game.game_type import GameType
from oddville_env.envs.arguments import RewardKeywords, RewardSettings, documented
from oddville_env.envs.game_batch import Sampler, SeesGames, as_ids
from oddville_env.envs.live_game import action_space, vector_space

Step = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, np.ndarray]]


@documented(RewardSettings)
class SelfPlayEnv(SeesGames):
    """Many games in which every seat learns; no `gymnasium.vector.VectorEnv`.

    At each step every game shows what its seat to move sees, and takes one action. Games that end restart in the
    same step. The info holds action_mask int8 [B, A] and seat int8 [B]; after a step also scores and ranks int16
    [B, P] of the games that ended; with a potential running_scores int16 [B, P].

    Args:
        game_type: The game.
        settings: The settings of the game.
        num_envs: The number of games.
        encoding: The name of an observation of the game.
        threads: The number of threads that share the games. Several pay on idle cores, from about 1,000 games on.
        copy: Return new arrays; otherwise arrays are written in place, and observations are read-only.

    Raises:
        SettingError: For a wrong argument.
    """

    def __init__(
        self,
        game_type: GameType,
        settings: Any,
        num_envs: int,
        encoding: str,
        *,
        threads: int = 1,
        copy: bool = False,
        **paid: Unpack[RewardKeywords],
    ) -> None:
        box = self._set_up(game_type, settings, num_envs, encoding, RewardSettings(**paid), threads)
        self.single_observation_space = vector_space(self.encoder)
        self.single_action_space = action_space(box)
        self._rewards = np.zeros((self.num_envs, box.players), np.float32)
        self._copy = copy

    def reset(self, seed: int | None = None) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """Deal all games: observations [B, N] and info. Raises SettingError."""
        self.batch.deal(seed)
        self._guard.begin()
        observations = self.batch.observe()
        if self._shaping:
            self._shaping.begin(self.batch.games, self.batch.seats)
        self._guard.finish()
        return self._given(observations), self._info()

    def step(self, actions: np.ndarray) -> Step:
        """Play an action, int [B], in every game.

        Returns:
            Observations [B, N], rewards float32 [B, P] by seat, terminations and truncations bool [B], info.

        Raises:
            IllegalMoveError: For an illegal action; nothing is played.
        """
        self._guard.check()
        batch, ids = self.batch, as_ids(actions)
        batch.check(ids)
        self._guard.begin()
        batch.step_legal(ids)
        self._rewards[:] = 0
        over = np.flatnonzero(batch.ended)
        if len(over):
            self._rewards[over] = self._rewards_at(over)
        if self._shaping:
            self._rewards[over] += self._shaping.end(over)
            self._rewards[np.arange(self.num_envs), batch.seats] += self._shaping.pay(batch.games, batch.seats)
        self._guard.finish()
        terminated, truncated = batch.ended & ~batch.truncated, batch.ended & batch.truncated
        info = self._info() | {"scores": self._given(batch.scores), "ranks": self._given(batch.ranks)}
        return self._given(batch.observations), self._given(self._rewards), terminated, truncated, info

    def afterstates(self, encoding: str | None = None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """`View.afterstates` of one game after the other: starts int64 [B + 1], ids int64 [L], observations
        [L, N]; game b's are those from starts[b] to starts[b + 1] - 1.

        encoding: another one than the environment's. Raises SettingError.
        """
        self._guard.check()
        return self.batch.view(np.arange(self.num_envs)).afterstates(encoding or self.encoder.encoding)

    def close(self) -> None:
        """Does nothing: no resource stays open."""

    def sampler(self, seed: int = 0) -> Sampler:
        """Uniformly random legal actions: `sampler.sample(env.batch)`."""
        return Sampler(self.num_envs, seed)

    def _info(self) -> dict[str, np.ndarray]:
        running = {"running_scores": self._shaping.scores} if self._shaping else {}
        own = {"action_mask": self._given(self.batch.masks.view(np.int8)), "seat": self._given(self.batch.seats)}
        return own | running

    def _given(self, array: np.ndarray) -> np.ndarray:
        return array.copy() if self._copy else array
