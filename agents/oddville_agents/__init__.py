"""Agents: an interface, a roster of built-in ones, and the spec string that names an agent everywhere."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from oddville_agents.agent import Agent, BatchAgent, GameAgent, ObservationAgent
from oddville_agents.ask import ask
from oddville_agents.player import AgentError, AgentFaultError, BatchPlayer, Player
from oddville_agents.roster import built_in, make_agent

if TYPE_CHECKING:
    from oddville_agents.oddville.analysis import analyse

__all__ = [
    "Agent",
    "AgentError",
    "AgentFaultError",
    "BatchAgent",
    "BatchPlayer",
    "GameAgent",
    "ObservationAgent",
    "Player",
    "analyse",
    "ask",
    "built_in",
    "make_agent",
]


def __getattr__(name: str) -> Any:
    """`analyse` draws pictures: it is imported when it is asked for."""
    if name != "analyse":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module("oddville_agents.oddville.analysis").analyse
