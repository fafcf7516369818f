"""The spaces that the environments show: the same for every seat."""

from typing import Any

import numpy as np
from gymnasium import spaces


def vector_space(encoder: Any) -> spaces.Box:
    """The flat observation: uint8 [N], every number within its piece's bounds."""
    return spaces.Box(np.zeros(encoder.size, np.uint8), encoder.high, dtype=np.uint8)


def mask_space(box: Any) -> spaces.Box:
    """The action mask: int8 [A], 1 where a move is legal."""
    return spaces.Box(0, 1, (box.layout.size,), np.int8)


def action_space(box: Any) -> spaces.Discrete:
    """The ids of all moves."""
    return spaces.Discrete(box.layout.size)
