"""Observation, mask and action spaces: the same for every seat."""

from typing import Any

import numpy as np
from gymnasium import spaces


def vector_space(encoder: Any) -> spaces.Box:
    """The flat observation: [N] of the encoder's dtype, every number within its piece's bounds."""
    return spaces.Box(encoder.low, encoder.high, dtype=encoder.dtype)


def mask_space(box: Any) -> spaces.Box:
    """The action mask: int8 [A], 1 where a move is legal."""
    return spaces.Box(0, 1, (box.layout.size,), np.int8)


def action_space(box: Any) -> spaces.Discrete:
    """The ids of all moves."""
    return spaces.Discrete(box.layout.size)
