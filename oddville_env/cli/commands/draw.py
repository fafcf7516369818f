"""`draw`: a position of a recorded game."""

from pathlib import Path
from typing import Annotated

import typer

from oddville_env.cli.options import File, Index, Settings
from oddville_env.cli.output import check_out
from oddville_env.cli.records import check_picture, game_of, take_back, write_picture
from oddville_env.core.game.game_type import GameType


def draw(
    game_type: GameType,
    file: File,
    out: Annotated[Path, typer.Option(help="The picture: .svg, .png with the extra `render`, or - for SVG.")],
    index: Index = 0,
    move: Annotated[int | None, typer.Option(help="After so many moves; all of them if it is left out.")] = None,
    data: Settings = {},  # noqa: B006  (nobody writes into it)
) -> None:
    """Draw a position of a recorded game."""
    check_picture(out)
    game = game_of(game_type, file, index, data)
    if move is not None:
        take_back(game, move)
    check_out(out)
    write_picture(out, game.svg())
