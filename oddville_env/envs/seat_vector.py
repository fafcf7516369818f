"""OddVille as a Gymnasium vector environment: one learning seat in each of many games, named agents at the others."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from oddville_env.core.checks import whole_number
from oddville_env.core.errors import SettingError
from oddville_env.envs.game_batch import GameBatch
from oddville_env.envs.opponents import Opponents, make_opponents, opponent_seed, seat_of
from oddville_env.envs.rewards import make_reward
from oddville_env.envs.spaces import action_space, vector_space
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oddville.observation import Encoding, make_encoder
from oddville_env.oddville.rules.state import DEFAULT_TABLE
from oddville_env.oddville.settings import MAX_ROUNDS, Cards, make_box


class OddVilleSeatVectorEnv(VectorEnv[np.ndarray, np.ndarray, np.ndarray]):
    """`gymnasium.make_vec("OddVille-v0", num_envs=64, opponents="greedy")`: the single-seat environment many times.

    The arguments are those of `single.OddVilleEnv`; threads share the games. A game that ends is dealt anew in the same
    step: the observation is then the new game's, `info["final_obs"]` holds the last one of the old game and
    `info["final_info"]` its scores, ranks and seat. An illegal action raises IllegalMoveError and plays nothing.
    Observations uint8 [B, N], last ones too, and `info["action_mask"]` int8 [B, A] are written in place.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        opponents: Opponents = "greedy",
        players: int = 2,
        *,
        seat: int | None = None,
        encoding: Encoding = "features",
        reward: str = "outcome",
        table: Sequence[int] = DEFAULT_TABLE,
        max_rounds: int = MAX_ROUNDS,
        cards: Cards = None,
        threads: int = 1,
        render_mode: None = None,
    ) -> None:
        if render_mode is not None:
            raise SettingError(f"many games at once are not drawn, render_mode must be None, not {render_mode!r}")
        box = make_box(players, table, max_rounds, cards)
        self.num_envs = whole_number("num_envs", num_envs, 1)
        self.encoder = make_encoder(box, encoding)
        self.batch = GameBatch(ODDVILLE, box, self.encoder, num_envs, whole_number("threads", threads, 1))
        self.single_observation_space = vector_space(self.encoder)
        self.single_action_space = action_space(self.encoder)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._reward = make_reward(reward)
        self._fixed_seat = None if seat is None else whole_number("seat", seat, 0, players - 1)
        self._batch_agents = [agent.batch_agent(num_envs) for agent in make_opponents(opponents, players - 1)]
        self.seats = np.zeros(num_envs, np.int8)
        self._actions = np.zeros(num_envs, np.int64)
        self._final = np.zeros_like(self.batch.observations)

    def reset(
        self, *, seed: int | list[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Deal all games from one seed and play them up to the learning seats' first moves. Raises SettingError.

        The first game is the one that `OddVilleEnv.reset` has with this seed.
        """
        if options:
            raise SettingError(f"this environment has no options at reset, not {options!r}")
        if isinstance(seed, list):
            raise SettingError("seed must be one whole number for all games, not a list")
        super().reset(seed=seed)
        self.batch.deal(seed)
        self._sit_down(np.arange(self.num_envs))
        return self._observe(), {"action_mask": self._masks()}

    def _sit_down(self, tables: np.ndarray) -> None:
        """Draw the learning seats of new games, seat the opponents clockwise, and let them play."""
        players = self.batch.box.players
        for table in tables.tolist():
            seed = self.batch.games["seed"][table]
            seat = seat_of(seed, players) if self._fixed_seat is None else self._fixed_seat
            self.seats[table] = seat
            for place, batch_agent in enumerate(self._batch_agents, 1):
                batch_agent.reset(table, (seat + place) % players, players, opponent_seed(seed, place))
        self._play_opponents()

    def _play_opponents(self) -> None:
        """All games go on until the learning seat is to move, or nobody."""
        batch, players = self.batch, self.batch.box.players
        waiting = (batch.seats >= 0) & (batch.seats != self.seats)
        while waiting.any():
            places = (batch.seats - self.seats) % players
            for place, batch_agent in enumerate(self._batch_agents, 1):
                tables = np.flatnonzero(waiting & (places == place))
                if len(tables):
                    batch_agent.act(batch.view(tables), self._actions)
            moving = np.flatnonzero(waiting)
            batch.check(self._actions, moving)
            batch.play(moving, self._actions)
            waiting = (batch.seats >= 0) & (batch.seats != self.seats)

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Play the learning seats' actions, int [B], and the opponents' moves. Raises IllegalMoveError.

        Returns observations uint8 [B, N], rewards float64 [B], terminations and truncations bool [B], info.
        """
        batch = self.batch
        actions = np.asarray(actions, np.int64)
        batch.check(actions)
        batch.play(np.arange(self.num_envs), actions)
        self._play_opponents()
        over = batch.end()
        rewards, info = np.zeros(self.num_envs), {}
        ended, truncated = batch.ended.copy(), batch.ended & batch.truncated
        if len(over):
            info = self._final_info(over)
            for table in over.tolist():
                by_seat = self._reward(batch.scores[table].tolist(), batch.ranks[table].tolist())
                rewards[table] = by_seat[self.seats[table]]
            batch.deal_anew(over)
            self._sit_down(over)
        return self._observe(), rewards, ended & ~truncated, truncated, info | {"action_mask": self._masks()}

    def _final_info(self, over: np.ndarray) -> dict[str, Any]:
        """What Gymnasium tells of games that ended and were dealt anew in the same step."""
        batch = self.batch
        batch.observe_at(over, self.seats, self._final)
        final = {"scores": batch.scores.copy(), "ranks": batch.ranks.copy(), "seat": self.seats.copy()}
        told = batch.ended.copy()
        final_info = final | {f"_{name}": told for name in final}
        return {"final_obs": self._final, "_final_obs": told, "final_info": final_info, "_final_info": told}

    def _observe(self) -> np.ndarray:
        return self.batch.observe_as(self.seats)

    def _masks(self) -> np.ndarray:
        return self.batch.masks.view(np.int8)

    def action_masks(self) -> np.ndarray:
        """The legal moves of the learning seats: bool [B, A]."""
        return self.batch.masks
