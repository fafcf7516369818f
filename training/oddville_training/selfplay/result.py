"""The result of self-play."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from oddville_agents.spec import AgentSpec


class SelfPlayResult(NamedTuple):
    """The result of a call: an agent, whether it was ended early, and what to evaluate it with.

    also: others that play by what was learned, against whom to measure them and in how many games.
    """

    model: AgentSpec
    interrupted: bool
    settings: Mapping[str, Any]
    also: Sequence[tuple[AgentSpec, str, int]] = ()
