"""`draw`: a position of a recorded game."""

from pathlib import Path
from typing import Annotated

from oddville_env.cli.options import NONE, File, Index, Settings, option
from oddville_env.cli.output import check_out
from oddville_env.cli.records import check_picture, game_of, take_back, write_picture
from oddville_env.core.game.game_type import GameType


def draw(
    game_type: GameType,
    file: File,
    out: Annotated[Path, option("File to write: .svg, or .png with the extra `render`; - prints SVG.")],
    index: Index = 0,
    move: Annotated[int | None, option("Position after this many moves.", default="the last one")] = None,
    data: Settings = NONE,
) -> None:
    """Draw a position of a recorded game."""
    check_picture(out)
    game = game_of(game_type, file, index, data)
    if move is not None:
        take_back(game, move)
    check_out(out)
    write_picture(out, game.svg())
