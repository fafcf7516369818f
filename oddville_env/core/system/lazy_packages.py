"""Packages found at run time: the layers above the games, so that no import points up, and other packages' plug-ins."""

from contextlib import suppress
from importlib import import_module
from importlib.metadata import Distribution, EntryPoint, distributions
from typing import Any
from warnings import warn

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


def entry_points(group: str) -> list[EntryPoint]:
    """Return the entry points of a group, one for each name; the first package on the path counts.

    `importlib.metadata.entry_points` raises an error if the entry_points.txt of any installed package is damaged. Here
    such a package is left out with a warning.
    """
    found: dict[str, EntryPoint] = {}
    for package in distributions():
        try:
            points = package.entry_points.select(group=group)
        except Exception as error:  # TypeError, ValueError and others: the parser has no error of its own
            warn(f"entry_points.txt of the package {_name(package)} cannot be read ({error})", stacklevel=2)
            continue
        for point in points:
            found.setdefault(point.name, point)
    return list(found.values())


def _name(package: Distribution) -> str:
    with suppress(Exception):
        return str(package.metadata["Name"])
    return "of an unknown name"
