"""Asking an agent about one position, in one line."""

from collections.abc import Callable
from typing import Any

from oddville_agents.agent import Agent, Opinion
from oddville_agents.load import make_agent
from oddville_agents.player import Player
from oddville_env.core.game.view import View


def ask(agent: str | Agent | Callable[..., int], view: View, seed: int = 0) -> int:
    """The move of an agent in one position, from a seed of its own chance. Raises AgentError and AgentFaultError."""
    return _seated(agent, view, seed).move(view)


def opinion_of(agent: str | Agent | Callable[..., int], view: View, seed: int = 0) -> tuple[str, Opinion]:
    """An agent's name, and what it thinks of one position. Raises AgentError and AgentFaultError."""
    player = _seated(agent, view, seed)
    opinion: Any = player.opinion(view)
    return player.name, opinion


def _seated(agent: str | Agent | Callable[..., int], view: View, seed: int) -> Player:
    player = Player(make_agent(agent, view.game_type.name))
    player.begin(view.seat, view.players, seed)
    return player
