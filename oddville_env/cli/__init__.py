"""The command line of every game: one file for each group of commands."""

from oddville_env.cli.main import main, oldtown

__all__ = ["main", "oldtown"]
