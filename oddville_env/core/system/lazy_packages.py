"""Imports at run time of the layers above the games (agents, training, page), so that no import points up."""

from importlib import import_module
from typing import Any

HUMAN = "human"
"""The word for a human player in lists of agents."""


def find_agents(module: str = "") -> Any:
    """Return the package of agents, or a module of it."""
    return import_module(f"oddville_agents.{module}".rstrip("."))


def find_training(module: str) -> Any:
    """Return a module of the training package; raises ImportError if an extra that it needs is missing."""
    return import_module(f"oddville_training.{module}")


def find_page(module: str) -> Any:
    """Return a module of the page's package; raises ImportError if the extra `web` is missing."""
    return import_module(f"oddville_env.web.{module}")
