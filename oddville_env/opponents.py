"""The agents at the other seats of a learning one: found by their specs at run time."""

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from oddville_env.errors import SettingError

Opponent = str | Callable[..., Any] | Any
"""An agent's spec, a function of (observation, mask), or an Agent."""
Opponents = Opponent | Sequence[Opponent]


def make_opponents(opponents: Opponents, number: int) -> list[Any]:
    """An agent for each of `number` other seats. Raises SettingError and AgentError."""
    alike = isinstance(opponents, str) or not isinstance(opponents, Sequence)
    specs = [opponents] * number if alike else list(opponents)
    if len(specs) != number:
        raise SettingError(f"opponents must be one agent or {number}, one for each other seat, not {len(specs)}")
    make_agent = import_module("oddville_agents").make_agent
    return [make_agent(spec) for spec in specs]
