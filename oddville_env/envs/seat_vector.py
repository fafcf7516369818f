"""Any game as a Gymnasium vector environment: one learning seat in each of many games, named agents at the others."""

from typing import Any, Unpack

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from oddville_env.core.errors import SettingError, shown
from oddville_env.core.game.game_type import GameType
from oddville_env.envs.arguments import Opponents, OtherSeats, RewardKeywords, RewardSettings, documented
from oddville_env.envs.game_batch import SeesGames, as_ids
from oddville_env.envs.live_game import action_space, vector_space

NO_ANSWER = -1  # no id of a move


@documented(RewardSettings)
class SeatVectorEnv(SeesGames, VectorEnv[np.ndarray, np.ndarray, np.ndarray]):
    """The single-seat environment of a game many times, as a `gymnasium.vector.VectorEnv`.

    A game that ends restarts in the same step: `info["final_obs"]` holds its last observation and
    `info["final_info"]` its scores, ranks and seat. With a potential the info holds `running_scores` int16 [B, P]. An
    illegal action raises IllegalMoveError and plays nothing. All arrays are new at every step.

    Args:
        game_type: The game.
        settings: The settings of the game.
        num_envs: The number of games.
        opponents: An agent for all other seats, or one for each, clockwise from the learning seat.
        seat: The learning seat; None draws one for each game.
        encoding: The name of an observation of the game.
        threads: The number of threads that share the games. Several pay on idle cores, from about 1,000 games on.
        render_mode: None: many games are not drawn.

    Raises:
        SettingError: For a wrong argument.
        AgentError: For a wrong opponent.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(
        self,
        game_type: GameType,
        settings: Any,
        num_envs: int,
        opponents: Opponents,
        encoding: str,
        *,
        seat: int | None = None,
        threads: int = 1,
        render_mode: None = None,
        **paid: Unpack[RewardKeywords],
    ) -> None:
        if render_mode is not None:
            raise SettingError(f"many games at once are not drawn, render_mode must be None, not {shown(render_mode)}")
        box = self._set_up(game_type, settings, num_envs, encoding, RewardSettings(**paid), threads)
        self.single_observation_space = vector_space(self.encoder)
        self.single_action_space = action_space(box)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._others = OtherSeats(game_type, opponents, box.players, seat, self.num_envs)
        self.seats = np.zeros(self.num_envs, np.int8)
        self._actions = np.zeros(self.num_envs, np.int64)
        self._answers = np.zeros((box.players - 1, self.num_envs), np.int64)

    def reset(
        self, *, seed: int | list[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Deal all games from one seed, and play the opponents' moves up to the learning seats' first ones.

        The first game is that of the single-seat environment with this seed.

        Returns:
            Observations [B, N] and the info with action_mask int8 [B, A].

        Raises:
            SettingError: For options or a list of seeds.
            AgentFaultError: For an opponent's error or illegal move.
        """
        if options:
            raise SettingError(f"this environment has no options at reset, not {shown(options)}")
        if isinstance(seed, list):
            raise SettingError("seed must be one whole number for all games, not a list")
        super().reset(seed=seed)
        self.batch.deal(seed)
        self._guard.begin()
        self._sit_down(np.arange(self.num_envs))
        if self._shaping:
            self._shaping.begin(self.batch.games, self.seats)
        self._guard.finish()
        return self._observe(), self._info()

    def _sit_down(self, tables: np.ndarray) -> None:
        """Draw the learning seats of new games, seat the opponents clockwise, and let them play."""
        players = self.batch.box.players
        for table in tables.tolist():
            self.seats[table], seated = self._others.sit_down(self.batch.games["seed"][table])
            for player, seat, own_seed in seated:
                player.begin(table, seat, players, own_seed)
        self._play_opponents()

    def _play_opponents(self) -> None:
        """Play the opponents' moves until the learning seat is to move or the game is over, in all games."""
        batch, players = self.batch, self.batch.box.players
        waiting = (batch.seats >= 0) & (batch.seats != self.seats)
        while waiting.any():
            distances = (batch.seats - self.seats) % players
            for distance, (player, answers) in enumerate(zip(self._others.players, self._answers, strict=True), 1):
                tables = np.flatnonzero(waiting & (distances == distance))
                if len(tables):
                    answers[tables] = NO_ANSWER
                    player.move(batch.view(tables), answers)
                    self._actions[tables] = answers[tables]
            moving = np.flatnonzero(waiting)
            batch.check(self._actions, moving)
            batch.play(moving, self._actions)
            waiting = (batch.seats >= 0) & (batch.seats != self.seats)

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Play the learning seats' actions, int [B], and the opponents' moves.

        Returns:
            Observations [B, N], rewards float64 [B], terminations and truncations bool [B], info.

        Raises:
            IllegalMoveError: For an illegal action; nothing is played.
            AgentFaultError: For an opponent's error or illegal move; a reset must follow.
        """
        self._guard.check()
        batch, ids = self.batch, as_ids(actions)
        batch.check(ids)
        self._guard.begin()
        batch.play(np.arange(self.num_envs), ids)
        self._play_opponents()
        over = batch.end()
        ended, truncated = batch.ended.copy(), batch.ended & batch.truncated
        rewards, info = np.zeros(self.num_envs), {}
        if len(over):
            info = self._final_info(over)
            rewards[over] = [paid[seat] for paid, seat in zip(self._rewards_at(over), self.seats[over], strict=True)]
            if self._shaping:
                rewards[over] += self._shaping.end(over)[np.arange(len(over)), self.seats[over]]
            batch.deal_anew(over)
            self._sit_down(over)
        if self._shaping:
            rewards += self._shaping.pay(batch.games, self.seats)
        self._guard.finish()
        return self._observe(), rewards, ended & ~truncated, truncated, info | self._info()

    def _final_info(self, over: np.ndarray) -> dict[str, Any]:
        """Gymnasium's info of games that ended and restarted in the same step."""
        batch = self.batch
        last = np.zeros_like(batch.observations)
        batch.observe_at(over, self.seats, last)
        final = {"scores": batch.scores.copy(), "ranks": batch.ranks.copy(), "seat": self.seats.copy()}
        which = batch.ended.copy()
        final_info = final | {f"_{name}": which for name in final}
        return {"final_obs": last, "_final_obs": which, "final_info": final_info, "_final_info": which}

    def _observe(self) -> np.ndarray:
        return self.batch.observe_as(self.seats).copy()

    def _info(self) -> dict[str, Any]:
        running = {"running_scores": self._shaping.scores} if self._shaping else {}
        return {"action_mask": self.action_masks().view(np.int8)} | running

    def action_masks(self) -> np.ndarray:
        """The legal moves of the learning seats: bool [B, A]."""
        return self.batch.masks.copy()
