"""OddVille's network as a features extractor for Stable-Baselines3's own policies."""

import gymnasium
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor, uint8

from oddville_agents.oddville.policy import Sizes, Trunk
from oddville_env.core.parts.pieces import Encoder
from oddville_env.oddville.observation import make_encoder
from oddville_env.oddville.settings import make_box
from oddville_training.learning.learner import check_reads


class OddVilleExtractor(BaseFeaturesExtractor):
    """OddVille's network up to its dense body, for observations of the encoding `features`.

    `MaskablePPO("MlpPolicy", env, policy_kwargs={"features_extractor_class": OddVilleExtractor, "net_arch": []})`.
    encoder: the environment's, for another table or card set than the default ones. Raises SettingError.
    """

    def __init__(
        self, observation_space: gymnasium.Space, encoder: Encoder | None = None, sizes: Sizes | None = None
    ) -> None:
        sizes, encoder = sizes or Sizes(), encoder or make_encoder(make_box(), "features")
        super().__init__(observation_space, features_dim=sizes.hidden)
        check_reads(self, encoder, observation_space)
        self.trunk = Trunk(encoder, sizes)

    def forward(self, observations: Tensor) -> Tensor:
        """Observations [B, N], which Stable-Baselines3 makes float -> what is known of the situation, [B, hidden]."""
        return self.trunk.encode(observations.to(uint8)).situation
