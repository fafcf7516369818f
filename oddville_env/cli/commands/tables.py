"""`tables`: what of the documentation is printed from the code."""

from typing import Annotated

import typer

from oddville_env.core.errors import SettingError, shown
from oddville_env.core.game.game_type import GameType
from oddville_env.core.system.lazy_packages import find_agents


def tables(
    game_type: GameType, name: Annotated[str, typer.Argument(help="Its name; any other name tells which there are.")]
) -> None:
    """Print a table of the documentation: moves, observations, state, rules, agents' options."""
    known = {**game_type.tables, "options": lambda: find_agents("roster").option_table(game_type.name)}
    if name not in known:
        raise SettingError(f"there is no table {shown(name)}, expected {', '.join(known)}")
    typer.echo(known[name]())
