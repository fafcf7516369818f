"""`tables`: tables of the documentation, printed from the code."""

from typing import Annotated

import typer

from oddville_env.cli.options import argument
from oddville_env.core.errors import SettingError, shown
from oddville_env.core.game.game_type import GameType
from oddville_env.core.system.lazy_packages import find_agents


def tables(
    game_type: GameType, name: Annotated[str, argument("Name of the table; an unknown name lists all.")]
) -> None:
    """Print a reference table: moves, observations, state, rules or options of agents."""
    known = {**game_type.tables, "options": lambda: find_agents("roster").option_table(game_type.name)}
    if name not in known:
        raise SettingError(f"there is no table {shown(name)}, expected {', '.join(known)}")
    typer.echo(known[name]())
