"""Agents for OddVille: an interface, a roster of built-in ones, and the spec string that names an agent everywhere."""

from oddville_agents.agent import Agent, GameAgent
from oddville_agents.roster import AgentError, built_in, make_agent

__all__ = ["Agent", "AgentError", "GameAgent", "built_in", "make_agent"]
