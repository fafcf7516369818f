"""Agents for the games: their interface, the built-in ones, and the specs (`search:ms=500`) that name them."""

from oddville_agents.agent import Agent, BatchAgent, GameAgent, ObservationAgent
from oddville_agents.evaluator_search import EvaluatorSearch
from oddville_agents.play import analyse, ask
from oddville_agents.player import AgentError, AgentFaultError, BatchPlayer, Player
from oddville_agents.policies.asking import TextAgent
from oddville_agents.roster import built_in, roster_of
from oddville_agents.spec import make_agent

__all__ = [
    "Agent",
    "AgentError",
    "AgentFaultError",
    "BatchAgent",
    "BatchPlayer",
    "EvaluatorSearch",
    "GameAgent",
    "ObservationAgent",
    "Player",
    "TextAgent",
    "analyse",
    "ask",
    "built_in",
    "make_agent",
    "roster_of",
]
