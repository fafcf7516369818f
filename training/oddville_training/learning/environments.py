"""The environments that a run learns in, as one VecEnv."""

import numpy as np
from stable_baselines3.common.vec_env import VecEnv, VecEnvWrapper
from stable_baselines3.common.vec_env.base_vec_env import VecEnvObs, VecEnvStepReturn

from oddville_agents import make_agent
from oddville_agents.play import Mixture
from oddville_agents.policies.models import ENCODING
from oddville_env.core.parts.pieces import Encoder
from oddville_env.envs.sb3 import SeatVecEnv
from oddville_env.envs.seat_vector import SeatVectorEnv
from oddville_training.learning.config import TrainConfig


def make_environments(config: TrainConfig, encoder: Encoder) -> VecEnv:
    """All environments of a run, their rewards scaled and shaped."""
    environments = SeatVectorEnv(
        config.game,
        config.played,
        config.envs,
        Mixture([make_agent(spec, config.game.name) for spec in config.opponents]),
        encoding=ENCODING,
        reward=config.reward,
    )
    return ShapedReward(SeatVecEnv(environments), config, encoder)


def lead_seen(encoder: Encoder, score_index: int, observations: np.ndarray, players: int) -> np.ndarray:
    """The observer's points less the mean of the others', as observations [B, N] show them: float64 [B].

    score_index: where the score stands among the numbers of a seat.
    """
    scores = encoder.views(observations)["seats"][..., score_index].astype(np.float64)  # [B, 4], me first
    lead: np.ndarray = scores[:, 0] - scores[:, 1:].sum(1) / (players - 1)
    return lead


class ShapedReward(VecEnvWrapper):
    """Scales rewards and, if asked to, shapes them by a potential (Ng, Harada and Russell 1999).

    shaped reward = scale x reward + gamma x potential(after) - potential(before)

    The potential of a position is the learning seat's lead in points over the mean of the others, scaled, and 0 once
    the game is over. A step is paid gamma times the potential after it, less the one before it. Over a game this adds
    up to nothing that moves could change, so the best policy stays the best; but points are felt when they are made.
    """

    def __init__(self, environments: VecEnv, config: TrainConfig, encoder: Encoder) -> None:
        super().__init__(environments)
        self._scale, self._gamma, self._shaping = config.scale, config.gamma, config.shaping
        self._encoder, self._score_index, self._players = encoder, config.networks.score_index, config.players

    def reset(self) -> VecEnvObs:
        """Begin a game everywhere: observations uint8 [B, N]."""
        observations = self.venv.reset()
        self._before = self._potential(observations)
        return observations

    def step_wait(self) -> VecEnvStepReturn:
        """Observations uint8 [B, N], shaped rewards float32 [B], whether games are over bool [B], and infos."""
        observations, rewards, dones, infos = self.venv.step_wait()
        rewards = self._scale * rewards
        if self._shaping:
            after = self._potential(observations)  # where a game is over, that of the next one
            rewards += np.where(dones, 0.0, self._gamma * after) - self._before
            self._before = after
        return observations, rewards.astype(np.float32), dones, infos

    def _potential(self, observations: VecEnvObs) -> np.ndarray:
        assert isinstance(observations, np.ndarray)
        return self._scale * lead_seen(self._encoder, self._score_index, observations, self._players)
