"""The command line of every game: a file in `commands` is a command."""

from oddville_env.cli.main import main, oldtown

__all__ = ["main", "oldtown"]
