"""What training leaves."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from oddville_agents.roster import AgentSpec


class Learned(NamedTuple):
    """What a call left: an agent, whether it was ended early, and what to evaluate it with.

    also: others that play by what was learned, against whom to measure them and in how many games.
    """

    model: AgentSpec
    interrupted: bool
    settings: Mapping[str, Any]
    also: Sequence[tuple[AgentSpec, str, int]] = ()
