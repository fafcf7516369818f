"""`report`: the report of a finished tournament."""

from pathlib import Path
from typing import Annotated

import typer

from oddville_env.cli.options import argument, tournament_module
from oddville_env.core.game.game_type import GameType


def report(game_type: GameType, folder: Annotated[Path, argument("Folder of a tournament.")]) -> None:
    """Write the report of a finished tournament anew."""
    tournament_module("tournament.store.manifest").check_game(folder, game_type)
    tournament_module("tournament.store.results").check_finished(folder)
    typer.echo(f"the report is {tournament_module('report').make_report(folder)}")
