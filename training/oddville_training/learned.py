"""What training leaves."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from oddville_agents.roster import AgentSpec


class Learned(NamedTuple):
    """What a call left: an agent, whether it was ended early, and what to evaluate it with."""

    model: AgentSpec
    interrupted: bool
    settings: Mapping[str, Any]
