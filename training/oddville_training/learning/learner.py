"""The network as sb3-contrib's MaskablePPO wants it: PPO (Schulman et al. 2017) over legal moves alone.

    loss = -mean of min(r x A, clip(r, 1 - clip, 1 + clip) x A) + value loss - entropy x mean entropy
    r = pi(move) / pi before the update(move); A: advantages by GAE (Schulman et al. 2016)

Illegal moves have the score ILLEGAL_LOGIT before the softmax (invalid action masking, Huang and Ontanon 2022).
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from llvmlite.binding import get_host_cpu_features
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer, MaskableRolloutBufferSamples
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.type_aliases import PyTorchObs
from stable_baselines3.common.vec_env import VecEnv, VecNormalize
from torch import Tensor
from torch.distributions import Distribution
from torch.optim import Adam

from oddville_agents.policies.torch_network import PolicyNetwork
from oddville_env.core.parts.pieces import Encoder
from oddville_training.learning.config import TrainConfig, TrainError

HAS_BFLOAT16 = get_host_cpu_features().get("avx512bf16", False)  # a quarter more steps a second; without it fewer
ILLEGAL_LOGIT = -1e8  # the score of an illegal move: its probability is exactly 0


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
        raise TrainError("the network's scores are no numbers: begin with another model, or an earlier checkpoint")
    return torch.searchsorted(sums, sums[:, -1:] * (1 - torch.rand(len(sums), 1))).squeeze(1)


def _gather(actions: Tensor, numbers: Tensor) -> Tensor:
    """The number [B] of each action [B] among numbers [B, A]."""
    return numbers.gather(1, actions[:, None]).squeeze(1)
