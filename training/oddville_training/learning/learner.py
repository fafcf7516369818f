"""What Stable-Baselines3 gets: the environments of a run as one VecEnv, and the network as MaskablePPO wants it.

    loss = -mean of min(r x A, clip(r, 1 - clip, 1 + clip) x A) + value loss - entropy x mean entropy
    r = pi(move) / pi before the update(move); A: advantages by GAE (Schulman et al. 2016)

PPO (Schulman et al. 2017) over legal moves alone: illegal ones have the score ILLEGAL_LOGIT before the softmax (invalid
action masking, Huang and Ontanon 2022).
"""

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import torch
from llvmlite.binding import get_host_cpu_features
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer, MaskableRolloutBufferSamples
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.type_aliases import PyTorchObs
from stable_baselines3.common.vec_env import VecEnv, VecEnvWrapper, VecNormalize
from stable_baselines3.common.vec_env.base_vec_env import VecEnvObs, VecEnvStepReturn
from torch import Tensor
from torch.distributions import Distribution
from torch.optim import Adam

from oddville_agents import make_agent
from oddville_agents.play import Mixture
from oddville_agents.policies.models import ENCODING
from oddville_agents.policies.torch_network import PolicyNetwork
from oddville_env.core.errors import SettingError
from oddville_env.core.parts.pieces import Encoder
from oddville_env.envs.sb3 import SeatVecEnv
from oddville_env.envs.seat_vector import SeatVectorEnv
from oddville_training.learning.config import TrainConfig, TrainError

HAS_BFLOAT16 = get_host_cpu_features().get("avx512bf16", False)  # a quarter more steps a second; without it fewer
ILLEGAL_LOGIT = -1e8  # the score of an illegal move: its probability is exactly 0


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


def make_learner(config: TrainConfig, environments: VecEnv, encoder: Encoder) -> MaskablePPO:
    """MaskablePPO with the project's network, on the CPU."""
    Distribution.set_default_validate_args(False)  # torch would check every number of every distribution
    return MaskablePPO(
        NetworkPolicy,
        environments,
        learning_rate=config.learning_rate,
        n_steps=config.rollout,
        batch_size=config.batch,
        n_epochs=config.epochs,
        gamma=config.gamma,
        gae_lambda=config.gae_lambda,
        clip_range=config.clip,
        ent_coef=config.entropy,
        rollout_buffer_class=RolloutBuffer,
        policy_kwargs={"make_network": lambda: config.form.network(encoder, config.network)},
        seed=config.seed,
        device="cpu",
    )


def network_of(learner: MaskablePPO) -> PolicyNetwork:
    """The network that learns."""
    assert isinstance(learner.policy, NetworkPolicy)
    return learner.policy.network


class RolloutBuffer(MaskableRolloutBuffer):
    """Gives batches with one copy of each number: observations are most of what training moves about in memory."""

    def reset(self) -> None:
        """Empty it."""
        super().reset()
        self.action_masks = self.action_masks.astype(np.bool_)  # a quarter of the memory

    @staticmethod
    def swap_and_flatten(arr: np.ndarray) -> np.ndarray:
        """Rows [steps * B, ...] of an array [steps, B, ...]: no copy, as batches are drawn at random in any order."""
        return arr.reshape(arr.shape[0] * arr.shape[1], -1)

    def _get_samples(  # type: ignore[override]
        self, batch_inds: np.ndarray, env: VecNormalize | None = None
    ) -> MaskableRolloutBufferSamples:
        rows = torch.from_numpy(batch_inds)

        def tensor(table: np.ndarray) -> Tensor:
            return torch.from_numpy(table).index_select(0, rows)

        return MaskableRolloutBufferSamples(
            tensor(self.observations),
            tensor(self.actions),
            tensor(self.values).squeeze(1),
            tensor(self.log_probs).squeeze(1),
            tensor(self.advantages).squeeze(1),
            tensor(self.returns).squeeze(1),
            tensor(self.action_masks),
        )


class NetworkPolicy(MaskableActorCriticPolicy):
    """A policy of sb3-contrib whose whole network is one of this project's."""

    network: PolicyNetwork

    def __init__(self, *spaces_and_rate: Any, make_network: Callable[[], PolicyNetwork], **options: Any) -> None:
        self._make_network = make_network
        super().__init__(*spaces_and_rate, **options)

    def _build(self, lr_schedule: Any) -> None:
        self.network = self._make_network()
        self.optimizer = Adam(self.parameters(), lr=lr_schedule(1), fused=True, **self.optimizer_kwargs)

    def _scores_and_values(self, observation: Any, masks: Any) -> tuple[Tensor, Tensor]:
        """Scores of all moves [B, A], ILLEGAL_LOGIT for illegal ones, and values [B, 1]."""
        with torch.autocast("cpu", torch.bfloat16, enabled=HAS_BFLOAT16):
            encoded = self.network.encode(observation)
        scores, values = self.network.heads(encoded)
        if masks is not None:
            scores = scores.where(torch.as_tensor(masks, dtype=torch.bool), ILLEGAL_LOGIT)
        return scores, values[:, None]

    def forward(
        self, obs: Tensor, deterministic: bool = False, action_masks: np.ndarray | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Moves [B], values [B, 1] and the moves' log probabilities [B]."""
        scores, values = self._scores_and_values(obs, action_masks)
        actions = scores.argmax(1) if deterministic else _sample(scores.softmax(1))
        return actions, values, _gather(actions, scores.log_softmax(1))

    def evaluate_actions(
        self, obs: Tensor, actions: Tensor, action_masks: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        """Values [B, 1], log probabilities of the moves [B] and entropies [B]."""
        scores, values = self._scores_and_values(obs, action_masks)
        logs = scores.log_softmax(1)
        return values, _gather(actions, logs), -torch.linalg.vecdot(scores.softmax(1), logs)

    def get_distribution(self, obs: PyTorchObs, action_masks: np.ndarray | None = None) -> MaskableDistribution:
        """The distribution over moves."""
        distribution: MaskableDistribution = self.action_dist.proba_distribution(self._scores_and_values(obs, None)[0])
        distribution.apply_masking(action_masks)
        return distribution

    def predict_values(self, obs: PyTorchObs) -> Tensor:
        """Values [B, 1]."""
        return self._scores_and_values(obs, None)[1]


def _sample(probabilities: Tensor) -> Tensor:
    """Moves [B] drawn with probabilities [B, A]: where their running sum first reaches a random share of the whole.

    The share is above 0, so a move of probability 0 is never drawn. Raises TrainError where they are no numbers.
    """
    sums = probabilities.cumsum(1)
    if not sums[:, -1].isfinite().all():
        raise TrainError("the network's scores are not finite: start from another model, or an earlier checkpoint")
    return torch.searchsorted(sums, sums[:, -1:] * (1 - torch.rand(len(sums), 1))).squeeze(1)


def _gather(actions: Tensor, numbers: Tensor) -> Tensor:
    """The number [B] of each action [B] among numbers [B, A]."""
    return numbers.gather(1, actions[:, None]).squeeze(1)


def check_reads(extractor: BaseFeaturesExtractor, encoder: Any, space: gymnasium.Space) -> None:
    """Raises SettingError where an environment shows something else than an encoder writes."""
    if encoder.encoding != "features" or space.shape != (encoder.size,):
        raise SettingError(
            f"{type(extractor).__name__} reads {encoder.size} numbers of the encoding features, not observations of "
            f"shape {space.shape}: give it the environment's encoder in features_extractor_kwargs"
        )
