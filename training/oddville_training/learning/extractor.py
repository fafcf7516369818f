"""The project's networks as features extractors for Stable-Baselines3's own policies."""

from typing import Any

import gymnasium
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor, cat, uint8

from oddville_agents.oddville.policy.network import Sizes, Trunk
from oddville_agents.oldtown.policy.buildings import Sizes as OldTownSizes
from oddville_agents.oldtown.policy.network import Trunk as OldTownTrunk
from oddville_env.core.errors import SettingError
from oddville_env.core.parts.pieces import Encoder
from oddville_env.oddville.observation import make_encoder
from oddville_env.oddville.settings import make_box
from oddville_env.oldtown.cards.words import BUILDINGS
from oddville_env.oldtown.observation import make_encoder as make_oldtown_encoder
from oddville_env.oldtown.settings import make_box as make_oldtown_box


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
        _check_reads(self, encoder, observation_space)
        self.trunk = Trunk(encoder, sizes)

    def forward(self, observations: Tensor) -> Tensor:
        """Observations [B, N], which Stable-Baselines3 makes float -> what is known of the situation, [B, hidden]."""
        return self.trunk.encode(observations.to(uint8)).situation


class OldTownExtractor(BaseFeaturesExtractor):
    """Old Town's network up to its heads, for observations of the encoding `features`: each building and the situation.

    encoder: the environment's, for another deck than the default one. Raises SettingError.
    """

    def __init__(
        self, observation_space: gymnasium.Space, encoder: Encoder | None = None, sizes: OldTownSizes | None = None
    ) -> None:
        sizes, encoder = sizes or OldTownSizes(), encoder or make_oldtown_encoder(make_oldtown_box(), "features")
        super().__init__(observation_space, features_dim=BUILDINGS * sizes.building + sizes.hidden)
        _check_reads(self, encoder, observation_space)
        self.trunk = OldTownTrunk(encoder, sizes)

    def forward(self, observations: Tensor) -> Tensor:
        """Observations [B, N], which Stable-Baselines3 makes float -> float [B, BUILDINGS * building + hidden]."""
        buildings, situation = self.trunk.encode(observations.to(uint8))
        return cat([buildings.flatten(1), situation], 1)


def _check_reads(extractor: BaseFeaturesExtractor, encoder: Any, space: gymnasium.Space) -> None:
    """Raises SettingError where an environment shows something else than an encoder writes."""
    if encoder.encoding != "features" or space.shape != (encoder.size,):
        raise SettingError(
            f"{type(extractor).__name__} reads {encoder.size} numbers of the encoding features, not observations of "
            f"shape {space.shape}: give it the environment's encoder in features_extractor_kwargs"
        )
