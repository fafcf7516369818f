"""What training leaves."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class Learned(NamedTuple):
    """What a call left: the spec of an agent, whether it was ended early, and what to evaluate it with."""

    model: str
    interrupted: bool
    settings: Mapping[str, Any]
