"""Agents, training and the page stand above the games: they are found at run time, so that no import points up."""

from importlib import import_module
from typing import Any

HUMAN = "human"
"""Who sits where no agent does, in lists of agents."""


def find_agents(module: str = "") -> Any:
    """The package of agents, or a module of it."""
    return import_module(f"oddville_agents.{module}".rstrip("."))


def find_training(module: str) -> Any:
    """A module of the package of training; raises ImportError where an extra that it needs is not installed."""
    return import_module(f"oddville_training.{module}")


def find_page(module: str) -> Any:
    """A module of the page's package; raises ImportError where the extra `web` is not installed."""
    return import_module(f"oddville_env.web.{module}")
