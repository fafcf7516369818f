"""The programs: one for each game."""

from oddville_env.cli.app import run
from oddville_env.core.game_type import game_type


def main() -> None:
    """The program `oddville`."""
    run(game_type("oddville"))


def oldtown() -> None:
    """The program `oldtown`."""
    run(game_type("oldtown"))
