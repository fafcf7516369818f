"""The spaces that the environments show: the same for every seat."""

import numpy as np
from gymnasium import spaces

from oddville_env.oddville.observation import Encoder


def vector_space(encoder: Encoder) -> spaces.Box:
    """The flat observation: uint8 [N], every number within its piece's bounds."""
    return spaces.Box(np.zeros(encoder.size, np.uint8), encoder.high, dtype=np.uint8)


def mask_space(encoder: Encoder) -> spaces.Box:
    """The action mask: int8 [A], 1 where a move is legal."""
    return spaces.Box(0, 1, (encoder.layout.size,), np.int8)


def action_space(encoder: Encoder) -> spaces.Discrete:
    """The ids of all moves."""
    return spaces.Discrete(encoder.layout.size)
