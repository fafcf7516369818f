"""`oddville train`, `evaluate`: to be filled."""

import typer


def add_to(app: typer.Typer) -> None:
    """Add the commands of this file."""
