"""`report`: the report of a finished tournament, made again."""

from pathlib import Path
from typing import Annotated

import typer

from oddville_env.cli.options import tournament_module
from oddville_env.core.game.game_type import GameType

FAILURES, INTERRUPTED = 3, 130  # exit codes


def report(game_type: GameType, folder: Annotated[Path, typer.Argument(help="The folder of a tournament.")]) -> None:
    """Make the report of a finished tournament again."""
    tournament_module("tournament.store.manifest").check_game(folder, game_type)
    tournament_module("tournament.store.results").check_finished(folder)
    typer.echo(f"the report is {tournament_module('report').make_report(folder)}")
