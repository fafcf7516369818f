"""The network as sb3-contrib's MaskablePPO wants it."""

from typing import Any

import numpy as np
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.type_aliases import PyTorchObs
from stable_baselines3.common.vec_env import VecEnv
from torch import Tensor
from torch.distributions import Distribution
from torch.optim import Adam

from oddville_agents.network import Network, Sizes
from oddville_env.observation import Encoder
from oddville_training.config import TrainConfig


def make_learner(config: TrainConfig, environments: VecEnv, encoder: Encoder) -> MaskablePPO:
    """MaskablePPO with the project's network, on the CPU."""
    Distribution.set_default_validate_args(False)  # torch would check every number of every distribution
    return MaskablePPO(
        OddVillePolicy,
        environments,
        learning_rate=config.learning_rate,
        n_steps=config.rollout,
        batch_size=config.batch,
        n_epochs=config.epochs,
        gamma=config.gamma,
        gae_lambda=config.gae_lambda,
        clip_range=config.clip,
        ent_coef=config.entropy,
        policy_kwargs={"encoder": encoder, "sizes": config.network},
        seed=config.seed,
        device="cpu",
    )


def network_of(learner: MaskablePPO) -> Network:
    """The network that learns."""
    assert isinstance(learner.policy, OddVillePolicy)
    return learner.policy.network


class OddVillePolicy(MaskableActorCriticPolicy):
    """A policy of sb3-contrib whose whole network is `Network`."""

    network: Network

    def __init__(self, *spaces_and_rate: Any, encoder: Encoder, sizes: Sizes, **options: Any) -> None:
        self._network = lambda: Network(encoder, sizes)
        super().__init__(*spaces_and_rate, **options)

    def _build(self, lr_schedule: Any) -> None:
        self.network = self._network()
        self.optimizer = Adam(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)

    def _look(self, observation: PyTorchObs, masks: Any) -> tuple[MaskableDistribution, Tensor]:
        scores, values = self.network(observation)
        distribution = self.action_dist.proba_distribution(action_logits=scores)
        if masks is not None:
            distribution.apply_masking(masks)
        return distribution, values[:, None]

    def forward(
        self, obs: Tensor, deterministic: bool = False, action_masks: np.ndarray | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Moves [B], values [B, 1] and the moves' log probabilities [B]."""
        distribution, values = self._look(obs, action_masks)
        actions = distribution.get_actions(deterministic=deterministic)
        return actions, values, distribution.log_prob(actions)

    def evaluate_actions(
        self, obs: Tensor, actions: Tensor, action_masks: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        """Values [B, 1], log probabilities of the moves [B] and entropies [B]."""
        distribution, values = self._look(obs, action_masks)
        return values, distribution.log_prob(actions), distribution.entropy()

    def get_distribution(self, obs: PyTorchObs, action_masks: np.ndarray | None = None) -> MaskableDistribution:
        """How likely each move is."""
        return self._look(obs, action_masks)[0]

    def predict_values(self, obs: PyTorchObs) -> Tensor:
        """Values [B, 1]."""
        return self._look(obs, None)[1]
