"""Old Town's network as a features extractor for Stable-Baselines3's own policies."""

import gymnasium
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor, cat, uint8

from oddville_agents.oldtown.policy import Trunk
from oddville_agents.oldtown.policy_model import Sizes
from oddville_env.core.parts.pieces import Encoder
from oddville_env.oldtown.cards.words import BUILDINGS
from oddville_env.oldtown.observation import make_encoder
from oddville_env.oldtown.settings import make_box
from oddville_training.learning.learner import check_reads


class OldTownExtractor(BaseFeaturesExtractor):
    """Old Town's network up to its heads, for observations of the encoding `features`: each building and the situation.

    encoder: the environment's, for another deck than the default one. Raises SettingError.
    """

    def __init__(
        self, observation_space: gymnasium.Space, encoder: Encoder | None = None, sizes: Sizes | None = None
    ) -> None:
        sizes, encoder = sizes or Sizes(), encoder or make_encoder(make_box(), "features")
        super().__init__(observation_space, features_dim=BUILDINGS * sizes.building + sizes.hidden)
        check_reads(self, encoder, observation_space)
        self.trunk = Trunk(encoder, sizes)

    def forward(self, observations: Tensor) -> Tensor:
        """Observations [B, N], which Stable-Baselines3 makes float -> float [B, BUILDINGS * building + hidden]."""
        buildings, situation = self.trunk.encode(observations.to(uint8))
        return cat([buildings.flatten(1), situation], 1)
