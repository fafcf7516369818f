"""The command line `oddville`: one file for each group of commands."""

from oddville_env.cli.main import app, main

__all__ = ["app", "main"]
