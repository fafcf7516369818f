"""Features extractors for Stable-Baselines3's own policies: the check that those of both games share."""

from typing import Any

import gymnasium
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

from oddville_env.core.errors import SettingError


def check_reads(extractor: BaseFeaturesExtractor, encoder: Any, space: gymnasium.Space) -> None:
    """Raises SettingError where an environment shows something else than an encoder writes."""
    if encoder.encoding != "features" or space.shape != (encoder.size,):
        raise SettingError(
            f"{type(extractor).__name__} reads {encoder.size} numbers of the encoding features, not observations of "
            f"shape {space.shape}: give it the environment's encoder in features_extractor_kwargs"
        )
