"""Agents: an interface, a roster of built-in ones, and the spec string that names an agent everywhere."""

from oddville_agents.agent import Agent, BatchAgent, GameAgent, ObservationAgent
from oddville_agents.play.analysis import analyse
from oddville_agents.play.ask import ask
from oddville_agents.player import AgentError, AgentFaultError, BatchPlayer, Player
from oddville_agents.roster import built_in, make_agent, roster_of

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
    "roster_of",
]
